/// The command-line options of seam-diffuse.
#pragma once

#include <seam/partition.hpp>
#include <seam/simulation.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace diffuse {

/// A box mesh, which needs no file.
struct box_of_bricks {
  seam::shape of = seam::shape::point; ///< point: none is wanted
  std::array<std::int64_t, 3> bricks{1, 1, 1};
};

/// A number for the sides or cells of a group, which is named or has the number of a tag.
struct tagged_number {
  std::string group;
  double number;
};

struct options {
  std::string input;
  seam::output_options outputs;
  seam::checkpoint_options restart;
  box_of_bricks box;
  std::vector<tagged_number> values, inflows; ///< on sides
  std::vector<tagged_number> conductivities;  ///< of cells; 1 elsewhere
  seam::partition_method method = seam::partition_method::rib;
  std::int64_t steps = 100;
  bool is_implicit = false;
  double step = 0; ///< in units of the longest explicit step; 0: the default

  bool is_closed() const { return values.empty() && inflows.empty(); }
  double step_or_default() const { return step > 0 ? step : is_implicit ? 50 : 0.9; }
};

/// Adds the options to `cli`, which stores their values in `wanted` and keeps a reference to it. It
/// refuses two numbers of one kind for a group, a conductivity that is not positive, not exactly one of
/// file and box, and an explicit step that is not stable.
/// Local.
void add_options(CLI::App& cli, options& wanted);

} // namespace diffuse

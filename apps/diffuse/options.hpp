/// What seam-diffuse can be asked for on its command line.
#pragma once

#include <seam/mesh/partition/partition.hpp>
#include <seam/mesh/shapes/shape.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace diffuse {

/// A mesh that needs no file.
struct box_of_bricks {
  seam::shape of = seam::shape::point; ///< point: none is wanted
  std::array<std::int64_t, 3> bricks{1, 1, 1};
};

/// A number for what has a tag.
struct tagged_number {
  std::int32_t tag;
  double number;
};

struct options {
  std::string input, output, picture;
  box_of_bricks box;
  std::vector<tagged_number> values, inflows; ///< on sides
  std::vector<tagged_number> conductivities;  ///< of cells; 1 where none is given
  seam::partition_method method = seam::partition_method::rib;
  std::int64_t steps = 100;
  bool is_implicit = false;
  double step = 0; ///< in longest explicit steps; 0: the default

  bool is_closed() const { return values.empty() && inflows.empty(); }
  double step_or_default() const { return step > 0 ? step : is_implicit ? 50 : 0.9; }
};

/// @throws usage_error  two numbers of one kind for a tag, a conductivity that is not positive, not
///         exactly one of file and box, or an explicit step that is not stable (on
///         all ranks)
void check(options const& wanted);

/// Makes `cli` store what it reads in `wanted`, which it refers to. Local.
void add_options(CLI::App& cli, options& wanted);

} // namespace diffuse

/// What seam-diffuse can be asked for on its command line.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace diffuse {

struct options {
  std::string input, output, picture;
  std::int64_t steps = 100;
  bool is_implicit = false;
  double step = 0; ///< in longest explicit steps; 0: the default

  double step_or_default() const { return step > 0 ? step : is_implicit ? 50 : 0.9; }
};

/// Makes `cli` store what it reads in `wanted`, which it refers to. Local.
void add_options(CLI::App& cli, options& wanted);

} // namespace diffuse

#include "options.hpp"

#include <CLI/CLI.hpp>

#include <cmath>
#include <limits>

namespace diffuse {
namespace {

constexpr char const* examples = R"(Examples:
  gmsh -2 apps/partition/inputs/channel.geo -setnumber cells 100000 -o channel.msh
  mpiexec -n 4 seam-diffuse channel.msh --steps 10000 --output u.vtkhdf --picture u.png
  mpiexec -n 4 seam-diffuse channel.msh --implicit --step 1000 --steps 20

The heat equation with a hot spot in the middle of the domain and no flow through its boundary:
finite volumes on the cells, with the difference between two centers for the slope. An explicit
step of length 1 is the longest that is stable.)";

std::string check_step(std::string const& text) {
  double value = std::numeric_limits<double>::quiet_NaN();
  CLI::detail::lexical_cast(text, value);
  return std::isfinite(value) && value > 0 ? "" : "'" + text + "' (expected a number above 0)";
}

} // namespace

void add_options(CLI::App& cli, options& wanted) {
  cli.add_option("input", wanted.input, "the mesh: .msh or .vtkhdf")->required()->type_name("FILE");
  cli.add_option("--steps", wanted.steps, "in time")
      ->check(CLI::Range(std::int64_t{1}, std::numeric_limits<std::int64_t>::max(), "COUNT"))
      ->capture_default_str();
  cli.add_option("--step", wanted.step,
                 "length of each, in longest explicit steps: 0.9 by default, implicit 50")
      ->check(CLI::Validator(check_step, "", "step"))
      ->type_name("NUMBER");
  cli.add_flag("--implicit", wanted.is_implicit, "solve for each step, by PETSc");
  cli.add_option("--output", wanted.output, "write the result for ParaView")
      ->type_name("FILE.vtkhdf");
  cli.add_option("--picture", wanted.picture, "write a picture of it")->type_name("FILE.png");
  cli.footer(examples);
}

} // namespace diffuse

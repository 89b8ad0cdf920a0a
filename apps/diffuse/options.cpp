#include "options.hpp"

#include <CLI/CLI.hpp>

#include <seam/exchange/error.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <map>

namespace diffuse {
namespace {

constexpr char const* examples = R"(Examples:
  gmsh -2 apps/partition/inputs/channel.geo -setnumber cells 100000 -o channel.msh
  mpiexec -n 4 seam-diffuse channel.msh --steps 10000 --output u.vtkhdf --picture u.png
  mpiexec -n 4 seam-diffuse channel.msh --implicit --step 1000 --steps 20
  mpiexec -n 4 seam-diffuse --box tetrahedra:20x20x20 --method scotch

The heat equation with a hot spot in the middle of the domain and no flow through its boundary:
finite volumes on the cells, with the difference between two centers for the slope. An explicit
step of length 1 is the longest that is stable.)";

std::string check_step(std::string const& text) {
  double value = std::numeric_limits<double>::quiet_NaN();
  CLI::detail::lexical_cast(text, value);
  return std::isfinite(value) && value > 0 ? "" : "'" + text + "' (expected a number above 0)";
}

[[noreturn]] void refuse_box(std::string const& text) {
  throw CLI::ValidationError(
      "--box",
      "'" + text +
          "' (expected triangles:NxM, quadrilaterals:NxM, tetrahedra:NxMxK, "
          "hexahedra:NxMxK, prisms:NxMxK or pyramids:NxMxK, with numbers from 1 to 100000)");
}

/// "tetrahedra:4x5x6".
box_of_bricks box_in(std::string const& text) {
  using seam::shape;
  static std::map<std::string, shape> const shapes{
      {"triangles", shape::triangle},     {"quadrilaterals", shape::quadrilateral},
      {"tetrahedra", shape::tetrahedron}, {"hexahedra", shape::hexahedron},
      {"prisms", shape::prism},           {"pyramids", shape::pyramid}};
  auto const colon = text.find(':');
  auto const found = shapes.find(text.substr(0, colon));
  if (colon == text.npos || found == shapes.end())
    refuse_box(text);
  box_of_bricks box{found->second};
  char const *next = text.data() + colon, *const end = text.data() + text.size();
  for (int axis = 0; axis < seam::dimensions_of(box.of); ++axis) {
    auto& count = box.bricks[static_cast<std::size_t>(axis)];
    if (next == end || *next != (axis == 0 ? ':' : 'x'))
      refuse_box(text);
    auto const [behind, trouble] = std::from_chars(next + 1, end, count);
    if (trouble != std::errc() || count < 1 || count > 100'000)
      refuse_box(text);
    next = behind;
  }
  if (next != end)
    refuse_box(text);
  return box;
}

} // namespace

void check(options const& wanted) {
  bool const has_box = wanted.box.of != seam::shape::point;
  if (has_box != wanted.input.empty())
    throw seam::usage_error(has_box ? "diffuse: a file and --box (expected one of both)"
                                    : "diffuse: no mesh (expected a file or --box)",
                            true);
  if (!wanted.is_implicit && wanted.step > 1)
    throw seam::usage_error(fmt::format("diffuse: --step: {} longest explicit steps (expected at "
                                        "most 1, or --implicit)",
                                        wanted.step),
                            true);
}

void add_options(CLI::App& cli, options& wanted) {
  cli.description("Solves the heat equation on an unstructured mesh.");
  static std::map<std::string, seam::partition_method> const methods{
      {"rib", seam::partition_method::rib},
      {"rcb", seam::partition_method::rcb},
      {"hilbert", seam::partition_method::hilbert},
      {"scotch", seam::partition_method::scotch}};
  cli.add_option("input", wanted.input, "the mesh: .msh or .vtkhdf")->type_name("FILE");
  cli.add_option_function<std::string>(
         "--box", [&wanted](std::string const& text) { wanted.box = box_in(text); },
         "in place of a file: the unit square or cube in bricks that are divided into such cells")
      ->type_name("SHAPE:NxM[xK]");
  cli.add_option_function<std::string>(
         "--method", [&wanted](std::string const& name) { wanted.method = methods.at(name); },
         "that divides the mesh among the ranks: rib, which is the default, rcb, hilbert or scotch")
      ->check(CLI::IsMember({"rib", "rcb", "hilbert", "scotch"}))
      ->type_name("NAME");
  cli.add_option("--steps", wanted.steps, "in time")
      ->check(CLI::Range(std::int64_t{1}, std::numeric_limits<std::int64_t>::max(), "COUNT"))
      ->capture_default_str();
  cli.add_option(
         "--step", wanted.step,
         "length of each, in longest explicit steps, of which an explicit one is at most 1: "
         "0.9 by default, implicit 50")
      ->check(CLI::Validator(check_step, "", "step"))
      ->type_name("NUMBER");
  cli.add_flag("--implicit", wanted.is_implicit, "solve for each step, by PETSc");
  cli.add_option("--output", wanted.output, "write the result for ParaView")
      ->type_name("FILE.vtkhdf");
  cli.add_option("--picture", wanted.picture, "write a picture of it")->type_name("FILE.png");
  cli.footer(examples);
}

} // namespace diffuse

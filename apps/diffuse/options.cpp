#include "options.hpp"

#include <CLI/CLI.hpp>

#include <seam/exchange.hpp>
#include <seam/program.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

namespace diffuse {
namespace {

constexpr char const* examples = R"(Examples:
  mpiexec -n 4 seam-diffuse channel --steps 10000 --output u.vtkhdf --picture u.png
  mpiexec -n 4 seam-diffuse channel --implicit --step 1000 --steps 20
  mpiexec -n 4 seam-diffuse --box tetrahedra:20x20x20 --method scotch

  mpiexec -n 4 seam-diffuse channel --value inlet=1 --value outlet=0 --conductivity fluid=2

A mesh by name: channel; a file of that name comes first. Gmsh makes finer ones:
gmsh -2 channel.geo -setnumber cells 100000 -o channel.msh

The heat equation with a hot spot in the middle of the domain: finite elements of first order, one
value for each vertex, on cells of any shape; errors fall to a quarter when cells are halved.
Nothing flows through the boundary except where --value or --inflow is given. An explicit step of
length 1 is the longest that is certain to be stable. Ends of a --box are named x0 and x1 along the
first axis (tags 1 and 2), y0 and y1 along the second, z0 and z1 along the third. Borders that the
file joins by $Periodic are none.)";

std::string check_step(std::string const& text) {
  double value = std::numeric_limits<double>::quiet_NaN();
  CLI::detail::lexical_cast(text, value);
  return std::isfinite(value) && value > 0 ? "" : "'" + text + "' (expected a number above 0)";
}

/// Parses a group and a number, such as "wall=0.5" or "3=0.5".
tagged_number tagged_number_in(char const* option, std::string const& text) {
  auto const end = text.rfind('=');
  bool const has_group = end != text.npos && end > 0;
  auto const number = has_group ? seam::decimal<double>(text.c_str() + end + 1) : std::nullopt;
  if (!number || !std::isfinite(*number))
    throw CLI::ValidationError(option, "'" + text +
                                           "' (expected a name or tag and a number, as wall=0.5 "
                                           "or 3=0.5)");
  return {text.substr(0, end), *number};
}

[[noreturn]] void refuse_box(std::string const& text) {
  throw CLI::ValidationError(
      "--box",
      "'" + text +
          "' (expected triangles:NxM, quadrilaterals:NxM, tetrahedra:NxMxK, "
          "hexahedra:NxMxK, prisms:NxMxK or pyramids:NxMxK, with numbers from 1 to 100000)");
}

/// Parses a box, such as "tetrahedra:4x5x6".
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
    auto& count = box.bricks[axis];
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

/// Refuses a group with two numbers.
/// @param names  names of the options that the numbers come from
void refuse_groups_given_twice(char const* names, std::vector<tagged_number> numbers) {
  std::ranges::sort(numbers, {}, &tagged_number::group);
  auto const twice = std::ranges::adjacent_find(numbers, {}, &tagged_number::group);
  if (twice != numbers.end())
    throw seam::usage_error(fmt::format("diffuse: {}: two numbers for '{}' (expected one)", names,
                                        twice->group));
}

/// Refuses options that do not fit each other, when all have been read.
void check(options const& wanted) {
  auto conditions = wanted.values;
  conditions.insert(conditions.end(), wanted.inflows.begin(), wanted.inflows.end());
  refuse_groups_given_twice("--value and --inflow", conditions);
  refuse_groups_given_twice("--conductivity", wanted.conductivities);
  for (tagged_number const& given : wanted.conductivities)
    if (given.number <= 0)
      throw seam::usage_error(fmt::format("diffuse: --conductivity: {} in cells of '{}' "
                                          "(expected a number above 0)",
                                          given.number, given.group));
  bool const has_box = wanted.box.of != seam::shape::point;
  if (has_box != wanted.input.empty())
    throw seam::usage_error(has_box ? "diffuse: a file and --box (expected one of both)"
                                    : "diffuse: no mesh (expected a file or --box)");
  if (!wanted.is_implicit && wanted.step > 1)
    throw seam::usage_error(fmt::format("diffuse: --step: {} longest explicit steps (expected at "
                                        "most 1, or --implicit)",
                                        wanted.step));
}

} // namespace

void add_options(CLI::App& cli, options& wanted) {
  cli.description("Solves the heat equation on an unstructured mesh.");
  auto const methods = seam::names_of_partition_methods();
  cli.add_option("input", wanted.input, "the mesh: .msh or .vtkhdf, or the name of one")
      ->transform(seam::input_by_name("meshes", {".msh"}))
      ->type_name("FILE");
  cli.add_option_function<std::string>(
         "--box", [&wanted](std::string const& text) { wanted.box = box_in(text); },
         "instead of a file: the unit square or cube in bricks, divided into cells of this shape")
      ->type_name("SHAPE:NxM[xK]");
  cli.add_option_function<std::string>(
         "--method",
         [&wanted](std::string const& name) { wanted.method = seam::partition_method_of(name); },
         fmt::format("how to divide the mesh among ranks: {}; {} by default",
                     fmt::join(methods, ", "), seam::name_of(wanted.method)))
      ->check(CLI::IsMember(methods))
      ->type_name("NAME");
  cli.add_option("--steps", wanted.steps, "time steps")
      ->check(CLI::Range(std::int64_t{1}, std::numeric_limits<std::int64_t>::max(), "COUNT"))
      ->capture_default_str();
  cli.add_option(
         "--step", wanted.step,
         "length of a step, relative to the longest stable explicit one: at most 1 and by default "
         "0.9, with --implicit 50")
      ->check(CLI::Validator(check_step, "", "step"))
      ->type_name("NUMBER");
  auto const add_numbers = [&cli](char const* name, std::vector<tagged_number>& to,
                                  char const* help) {
    cli.add_option_function<std::vector<std::string>>(
           name,
           [name, &to](std::vector<std::string> const& texts) {
             for (std::string const& text : texts)
               to.push_back(tagged_number_in(name, text));
           },
           help)
        ->type_name("GROUP=NUMBER")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  add_numbers(
      "--value", wanted.values,
      "fixed value on sides of a group, by its name or its tag; may be repeated for others");
  add_numbers("--inflow", wanted.inflows,
              "heat flow into sides of a group, per unit of area and time");
  add_numbers("--conductivity", wanted.conductivities,
              "conductivity of cells of a group; 1 elsewhere");
  cli.add_flag("--implicit", wanted.is_implicit, "take implicit steps, solved by PETSc");
  wanted.outputs.add_options(cli, "the temperature", seam::shown_on::mesh);
  wanted.restart.add_options(cli);
  cli.final_callback([&wanted] { check(wanted); });
  cli.footer(examples);
}

} // namespace diffuse

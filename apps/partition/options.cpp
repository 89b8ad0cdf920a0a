#include "options.hpp"

#include <seam/program.hpp>

#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace partition_app {
namespace {

constexpr char const* examples = R"(Examples:
  mpiexec -n 4 seam-partition channel --parts 16 --output parts.vtkhdf --picture parts.png
  mpiexec -n 4 seam-partition channel --parts 12 --method rib,rcb,hilbert,scotch
  seam-partition stars --parts 8 --output parts.csv

Inputs by name: channel, a small mesh, and stars, some points; a file of that name comes first. Gmsh makes
finer meshes: gmsh -2 channel.geo -setnumber cells 100000 -o channel.msh
A mesh is read from Gmsh's .msh or from .vtkhdf. Points are lines of CSV: an id, x, y,
and if the first line names them z and weight, as in id,x,y,z,weight.

Each method gets a line; the parts written are those of the first one. The columns: imbalance, the
heaviest part over the mean; cut, the sides between cells of different parts; volume, the number of
other parts that need each cell, summed over all cells; neighbors of a part, the mean and the most.)";

} // namespace

void add_options(CLI::App& cli, options& wanted) {
  cli.description("Divides a mesh or a cloud of points into parts.");
  auto const methods = seam::names_of_partition_methods();
  cli.add_option("input", wanted.input, "the mesh or the points to divide")
      ->required()
      ->transform(seam::input_by_name("meshes", {".msh", ".csv"}))
      ->type_name("FILE");
  cli.add_option("--parts", wanted.parts, "number of parts")
      ->check(CLI::Range(1, 1 << 20, "P"))
      ->type_name("P")
      ->capture_default_str();
  cli.add_option_function<std::vector<std::string>>(
         "--method",
         [&wanted](std::vector<std::string> const& names) {
           wanted.methods.clear();
           for (std::string const& name : names)
             wanted.methods.push_back(seam::partition_method_of(name));
         },
         fmt::format("methods to compare, of {}; {} by default", fmt::join(methods, ", "),
                     methods.front()))
      ->delimiter(',')
      ->check(CLI::IsMember(methods))
      ->type_name("NAME,...");
  cli.add_option("--output", wanted.output,
                 "write the parts: of a mesh as VTKHDF, of points as CSV")
      ->type_name("FILE");
  cli.add_option("--picture", wanted.picture, "write a picture of the mesh, colored by parts")
      ->check(seam::name_ends_with({".png"}))
      ->type_name("FILE.png");
  cli.footer(examples);
}

} // namespace partition_app

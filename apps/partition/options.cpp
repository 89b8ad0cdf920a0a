#include "options.hpp"

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

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Divides a mesh or a cloud of points into parts.");
  cli.add("input", wanted.input, "the mesh or the points to divide")
      .required()
      .changed_by(seam::input_by_name("meshes", {".msh", ".csv"}))
      .named("FILE");
  cli.add("--parts", wanted.parts, "number of parts").between(1, 1 << 20, "P");
  cli.add("--method", wanted.methods, "to compare").one_of(seam::names_of_partition_methods());
  cli.add("--output", wanted.output, "write the parts: of a mesh as VTKHDF, of points as CSV")
      .named("FILE");
  cli.add("--picture", wanted.picture, "write a picture of the mesh, colored by parts")
      .must(seam::name_ends_with({".png"}))
      .named("FILE.png");
  cli.end_help(examples);
}

} // namespace partition_app

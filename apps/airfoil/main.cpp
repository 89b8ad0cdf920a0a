// seam-airfoil computes the flow around a wing section to its steady state: the program by which OP2
// and its relatives are compared. Writes q.vtkhdf.
//
// Sample runs:
//   make-airfoil-mesh.py 40 airfoil.msh && mpiexec -n 2 seam-airfoil airfoil.msh
//
// Expected: the root mean square of the last change, every 100 iterations. With 7,200 cells 4.25406e-04
// at 100, with 720,000 (size 400) 5.02186e-04 at 100 and 1.06011e-04 at 1000, as OP2 prints.
#include "flow.hpp"

#include <seam/seam.hpp>

#include <algorithm>
#include <cmath>

struct options {
  std::string mesh;
  std::int64_t iterations = 1000;
};

static void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Computes the flow around a wing section.");
  cli.add("mesh", wanted.mesh, "with groups wall and far field").required().named("MESH");
  cli.add("--iterations", wanted.iterations, "1000 by default");
}

static void run(seam::Runtime& runtime, options const& wanted) {
  auto const mesh = seam::divided(runtime, seam::read_mesh(runtime, wanted.mesh));
  airfoil::fields all(mesh);
  all.q.fill(airfoil::far_field());
  seam::require_room(mesh, std::tie(all.q), "q.vtkhdf");
  seam::Steps step(mesh);
  auto const wall = mesh.border("wall"), far = mesh.border("far field");
  airfoil::add_iteration(step, mesh, all, wall, far);
  auto const num_cells = static_cast<double>(mesh.cells().num_global);
  while (step.num_steps() < wanted.iterations) {
    step.run(std::min<std::int64_t>(100, wanted.iterations - step.num_steps()));
    seam::print(runtime, "{:5}  {:.5e}\n", step.num_steps(), std::sqrt(all.change / num_cells));
  }
  seam::write(mesh, all.q, "q.vtkhdf");
  seam::print_written(runtime, {"q.vtkhdf"});
}

int main(int argc, char** argv) { return seam::run_program(argc, argv, add_options, run); }

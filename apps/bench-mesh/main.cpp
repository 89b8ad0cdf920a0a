// seam-bench-mesh times steps on a mesh against loops written by hand for the same arithmetic: the flow
// around a wing section, OP2's Airfoil, whose fluxes are added side by side by one thread, by colored
// blocks as OP2 does, or stored and gathered.
//
// Sample runs:
//   OMP_NUM_THREADS=2 seam-bench-mesh
//   mpiexec -n 2 --bind-to core seam-bench-mesh --cells 848
//
// Expected: a table of one line for each variant; x rival at most about 1 in the line of steps.
#include "flow.hpp"

#include <seam/seam.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace mesh_bench {
namespace {

struct options {
  std::string mesh;
  std::int64_t cells = 848, iterations = 5;
  int repetitions = 9;
  std::string csv;
};

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Compares steps on a mesh with loops by hand.");
  cli.add("--mesh", wanted.mesh, "of quadrilaterals or triangles; else a square").named("FILE.msh");
  cli.add("--cells", wanted.cells, "along each edge of the square").between(4, 20'000, "N");
  cli.add("--iterations", wanted.iterations, "of a repetition").between(1, 100'000, "COUNT");
  bench::add_output(cli, wanted.repetitions, wanted.csv);
}

class by_steps final : public contender {
public:
  explicit by_steps(seam::Mesh const& mesh) : all_(mesh), step_(mesh) {
    all_.q.fill(first_state);
    airfoil::add_iteration(step_, mesh, all_, {}, mesh.border());
  }

  void run(std::int64_t iterations) override { step_.run(iterations); }
  seam::MeshField<state> const& states() const override { return all_.q; }

private:
  airfoil::fields all_;
  seam::Steps<seam::on_mesh> step_;
};

/// The largest difference of own values, relative to the energy.
double difference(contender const& a, contender const& b) {
  double most = 0;
  for (seam::local_id c = 0; c < a.states().entities().num_owned; ++c)
    for (int k = 0; k < 4; ++k)
      most = std::max(most, std::abs(a.states()(c)[k] - b.states()(c)[k]) / b.states()(c)[3]);
  return most;
}

void run(seam::Runtime& runtime, options const& wanted) {
  auto const mesh = seam::divided(runtime, wanted.mesh.empty()
                                               ? seam::box_mesh(runtime, seam::shape::quadrilateral,
                                                                {wanted.cells, wanted.cells, 1})
                                               : seam::read_mesh(runtime, wanted.mesh));
  struct entry {
    char const* name;
    seam::role is;
    double allowed; ///< difference from the first: of another order of additions
    std::unique_ptr<contender> made;
  };
  std::vector<entry> all;
  all.push_back({"steps", seam::role::subject, 0, std::make_unique<by_steps>(mesh)});
  all.push_back({"scatter, one thread", seam::role::rival, 0, by_hand(mesh, adding::scatter)});
  all.push_back({"colored blocks", seam::role::rival, 1e-12, by_hand(mesh, adding::colored)});
  all.push_back({"stored fluxes", seam::role::rival, 0, by_hand(mesh, adding::stored)});
  for (entry& each : all) {
    each.made->run(3);
    bench::require_right(runtime, each.name, [&] {
      double const found = difference(*each.made, *all.front().made);
      return found <= each.allowed
                 ? ""
                 : fmt::format("values differ by {} (expected at most {})", found, each.allowed);
    });
  }
  seam::benchmark_output output(runtime, wanted.csv);
  std::vector<seam::variant> variants;
  for (entry& each : all)
    variants.push_back(
        {.name = each.name, .run = [&] { each.made->run(wanted.iterations); }, .is = each.is});
  output.table.add(
      seam::time_in_turn(runtime,
                         {.question = fmt::format("flow, {} cells, {} iterations",
                                                  mesh.cells().num_global, wanted.iterations),
                          .repetitions = wanted.repetitions},
                         variants));
  output.finish("");
}

} // namespace
} // namespace mesh_bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, mesh_bench::add_options, mesh_bench::run);
}

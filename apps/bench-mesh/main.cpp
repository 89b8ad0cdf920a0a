// seam-bench-mesh times steps on a mesh against loops written by hand for the same arithmetic: the flow
// around a wing section, OP2's Airfoil, whose fluxes are added side by side by one thread, by colored
// blocks as OP2 does, or stored and gathered. With --late also how much of the waiting for messages that
// are late is hidden, beside a halo before the fluxes, and what the cells of a rank take alone.
//
// Sample runs:
//   OMP_NUM_THREADS=2 seam-bench-mesh
//   mpiexec -n 2 --bind-to core seam-bench-mesh --cells 848
//   mpiexec -n 2 --bind-to core seam-bench-mesh --cells 84 --iterations 100 --late 200
//
// Expected: a table of one line for each variant; x rival at most about 1 in the line of steps.
#include "flow.hpp"
#include "late_messages.hpp"

#include <seam/seam.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
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
  int late = 0; ///< that messages arrive later than they do; 0: such variants are not timed [us]
  std::string csv;
};

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Compares steps on a mesh with loops by hand.");
  cli.add("--mesh", wanted.mesh, "of quadrilaterals or triangles; else a square").named("FILE.msh");
  cli.add("--cells", wanted.cells, "along each edge of the square").between(4, 20'000, "N");
  cli.add("--iterations", wanted.iterations, "of a repetition").between(1, 100'000, "COUNT");
  cli.add("--late", wanted.late,
          "on several ranks: time also variants whose messages arrive so many us late")
      .between(0, 1'000'000, "US");
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

/// A variant of the table.
struct entry {
  void run(std::int64_t iterations) {
    late_messages const later(late);
    auto const before = late_messages::held();
    made->run(iterations);
    held += late_messages::held() - before;
    num_iterations += iterations;
  }

  char const* name;
  seam::role is;
  std::unique_ptr<contender> made;
  double allowed = 0; ///< difference from the first: of another order of additions
  std::chrono::microseconds late{};
  std::chrono::nanoseconds held{}; ///< time in which messages were late
  std::int64_t num_iterations = 0;
};

/// The largest difference of own values, relative to the energy.
double difference(contender const& a, contender const& b) {
  double most = 0;
  for (seam::local_id c = 0; c < a.states().entities().num_owned; ++c)
    for (int k = 0; k < 4; ++k)
      most = std::max(most, std::abs(a.states()(c)[k] - b.states()(c)[k]) / b.states()(c)[3]);
  return most;
}

seam::Mesh square(seam::Communicator const& over, std::int64_t columns, std::int64_t rows) {
  return seam::divided(over, seam::box_mesh(over, seam::shape::quadrilateral, {columns, rows, 1}));
}

/// Adds variants whose messages are those of MPI, and late.
void add_late(std::vector<entry>& all, seam::Mesh const& mesh, int late) {
  seam::shared_memory_in_scope const messages(false);
  auto const add = [&](char const* name, seam::role is, auto made, int by) {
    made->run(3); // exchanges are prepared by the first run
    all.push_back({name, is, std::move(made), 0, std::chrono::microseconds(by)});
  };
  add("steps, messages", seam::role::subject, std::make_unique<by_steps>(mesh), 0);
  add("steps, late messages", seam::role::subject, std::make_unique<by_steps>(mesh), late);
  add("halo before, messages", seam::role::rival, by_hand(mesh, adding::scatter), 0);
  add("halo before, late messages", seam::role::rival, by_hand(mesh, adding::scatter), late);
}

/// How much longer iterations take with late messages, of each variant that has them.
/// @param answers  [all.size()]
std::string remarks(std::vector<entry> const& all, std::vector<seam::timing> const& answers,
                    std::int64_t iterations) {
  std::string text;
  for (std::size_t k = 1; k < all.size(); ++k)
    if (entry const& each = all[k]; each.late.count() > 0) {
      double const longer =
          1e6 * (answers[k].median - answers[k - 1].median) / static_cast<double>(iterations);
      double const waiting =
          1e-3 * static_cast<double>(each.held.count()) / static_cast<double>(each.num_iterations);
      text +=
          fmt::format("{}: by {:.1f} us in an iteration, which takes {:.1f} us longer: {:.0f} % "
                      "of the waiting is hidden\n",
                      each.name, waiting, longer, 100 * (1 - longer / waiting));
    }
  return text;
}

void run(seam::Runtime& runtime, options const& wanted) {
  auto const mesh = wanted.mesh.empty()
                        ? square(runtime, wanted.cells, wanted.cells)
                        : seam::divided(runtime, seam::read_mesh(runtime, wanted.mesh));
  std::vector<entry> all;
  all.push_back({"steps", seam::role::subject, std::make_unique<by_steps>(mesh)});
  all.push_back({"scatter, one thread", seam::role::rival, by_hand(mesh, adding::scatter)});
  all.push_back({"colored blocks", seam::role::rival, by_hand(mesh, adding::colored), 1e-12});
  all.push_back({"stored fluxes", seam::role::rival, by_hand(mesh, adding::stored)});
  for (entry& each : all)
    each.made->run(3);
  bool const has_late = wanted.late > 0 && runtime.size() > 1;
  if (has_late)
    add_late(all, mesh, wanted.late);
  for (entry const& each : all)
    bench::require_right(runtime, each.name, [&] {
      double const found = difference(*each.made, *all.front().made);
      return found <= each.allowed
                 ? ""
                 : fmt::format("values differ by {} (expected at most {})", found, each.allowed);
    });
  if (has_late && wanted.mesh.empty())
    all.push_back(
        {"its cells alone", seam::role::limit,
         std::make_unique<by_steps>(square(seam::Communicator::dup(MPI_COMM_SELF), wanted.cells,
                                           wanted.cells / runtime.size()))});
  seam::benchmark_output output(runtime, wanted.csv);
  std::vector<seam::variant> variants;
  for (entry& each : all)
    variants.push_back(
        {.name = each.name, .run = [&] { each.run(wanted.iterations); }, .is = each.is});
  auto const answers =
      seam::time_in_turn(runtime,
                         {.question = fmt::format("flow, {} cells, {} iterations",
                                                  mesh.cells().num_global, wanted.iterations),
                          .repetitions = wanted.repetitions},
                         variants);
  output.table.add(answers);
  output.finish(remarks(all, answers, wanted.iterations));
}

} // namespace
} // namespace mesh_bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, mesh_bench::add_options, mesh_bench::run);
}

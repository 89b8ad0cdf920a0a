// seam-bench-steps times the steps of seam's programs, fused in time and not, against loops written
// by hand with OpenMP for the same arithmetic, and those of heat against a loop over PETSc's
// distributed arrays, all in one run. The last problem is seam-life's own loop.
//
// Sample runs:
//   OMP_NUM_THREADS=2 seam-bench-steps
//   mpiexec -n 2 --bind-to core seam-bench-steps --problems heat
//
// Expected: a table of one line for each problem and variant; x rival at most about 1 in the lines
// of steps.
#include "problem.hpp"

#include <seam/program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace steps_bench {
namespace {

struct options {
  std::vector<std::string> problems;
  std::int64_t cells_2d = 2048, cells_3d = 256; ///< on each axis
  std::int64_t steps = 8;                       ///< in one run
  int fused = 4, repetitions = 10;
  std::string csv;
};

constexpr problem const* problems[] = {&heat,  &laplace,       &gray_scott,
                                       &wave,  &shallow_water, &cavity,
                                       &euler, &multigrid,     &alternating_directions,
                                       &life};

constexpr char const* examples = R"(Examples:
  OMP_NUM_THREADS=2 seam-bench-steps
  mpiexec -n 2 --bind-to core seam-bench-steps --problems heat,wave --cells-3d 512
  seam-bench-steps --cells-2d 256 --cells-3d 96

The columns: x rival is the median over that of the fastest rival, below 1 being faster: of the loops by
hand, and for heat of a loop over PETSc's distributed arrays, which has no threads. On several ranks
loops by hand and the lines 'block alone', of steps, compute each rank's block without messages, and are
limits. The last example tells how fast the kernels are in cache.)";

void add_options(seam::option_list cli, options& wanted) {
  for (problem const* known : problems)
    wanted.problems.emplace_back(known->name);
  cli.describe("Compares steps, fused and not, with loops written by hand.");
  cli.add("--problems", wanted.problems, "to compare").one_of(std::vector(wanted.problems));
  cli.add("--cells-2d", wanted.cells_2d, "cells on each axis of problems with two")
      .between(8, 1 << 16, "N");
  cli.add("--cells-3d", wanted.cells_3d, "cells on each axis of problems with three")
      .between(8, 1 << 11, "N");
  cli.add("--steps", wanted.steps, "steps in one run").between(1, 1 << 20, "N");
  cli.add("--fuse", wanted.fused, "steps between messages of the fused variant")
      .between(2, 64, "N");
  bench::add_output(cli, wanted.repetitions, wanted.csv);
  cli.end_help(examples);
}

struct entry {
  std::string name;
  seam::role is;
  std::unique_ptr<contender> made;
  bool computes_all = true; ///< false: this rank's block without its neighbors' values
};

/// The cells of this rank's block.
extents block_of(seam::Communicator const& over, problem const& asked, extents const& cells) {
  extents own{};
  auto const take = [&](auto const& grid) {
    std::ranges::copy(grid.owned().extents(), own.begin());
  };
  asked.num_axes == 2 ? take(grid_of<2>(over, cells, false)) : take(grid_of<3>(over, cells, false));
  return own;
}

/// Makes the variants of a problem.
/// Collective: over `world`.
std::vector<entry> make_all(seam::Communicator const& world, problem const& asked,
                            extents const& cells, int fused) {
  constexpr auto subject = seam::role::subject, limit = seam::role::limit,
                 rival = seam::role::rival;
  bool const is_alone = world.size() == 1;
  std::vector<entry> all;
  all.push_back({"steps", subject, asked.by_steps(world, cells, 1)});
  if (asked.is_fused) {
    all.push_back({"steps, fused", subject, asked.by_steps(world, cells, fused)});
    all.push_back({"steps, auto", subject, asked.by_steps(world, cells, by_measurement)});
  }
  all.push_back({"loops by hand", is_alone ? rival : limit, asked.by_hand(world, cells), is_alone});
  if constexpr (bench::has_petsc)
    if (&asked == &heat)
      all.push_back({"PETSc DMDA", rival, heat_by_petsc(world, cells)});
  if (!is_alone && asked.is_grid)
    all.push_back(
        {"block alone", limit,
         asked.by_steps(seam::Communicator::dup(MPI_COMM_SELF), block_of(world, asked, cells), 1),
         false});
  return all;
}

/// Refuses variants that have other values than the first one after some steps, bit by bit.
void require_equal_values(seam::Runtime& runtime, std::vector<entry> const& all,
                          std::int64_t steps) {
  std::vector<double> expected;
  for (entry const& each : all) {
    each.made->run(steps);
    if (!each.computes_all)
      continue;
    auto const found = each.made->values();
    if (expected.empty())
      expected = found;
    bench::require_right(runtime, each.name, [&] {
      return found == expected ? std::string() : "other values than those of " + all[0].name;
    });
  }
}

std::vector<seam::timing> compare(seam::Runtime& runtime, problem const& asked,
                                  options const& wanted) {
  // Until it is known how many steps are fused: four rounds of 1, 2, 4 and 8, then eight of two.
  constexpr std::int64_t steps_until_decision = 256;
  std::int64_t const along = asked.num_axes == 2 ? wanted.cells_2d : wanted.cells_3d;
  extents cells{};
  cells.fill((along + asked.multiple - 1) / asked.multiple * asked.multiple);
  auto const all = make_all(runtime.world(), asked, cells, wanted.fused);
  require_equal_values(runtime, all, wanted.steps);
  std::vector<seam::variant> variants;
  for (entry const& each : all) {
    if (each.name == "steps, auto")
      each.made->run(steps_until_decision);
    variants.push_back({each.name, [&] { each.made->run(wanted.steps); }, each.is});
  }
  double const num_cells = std::pow(static_cast<double>(cells[0]), asked.num_axes);
  return seam::time_in_turn(
      runtime,
      {.question = fmt::format("{} {}^{}", asked.name, cells[0], asked.num_axes),
       .bytes = static_cast<std::int64_t>(num_cells * static_cast<double>(wanted.steps) *
                                          asked.num_values * sizeof(double)),
       .repetitions = wanted.repetitions},
      variants);
}

void run(seam::Runtime& runtime, options const& wanted) {
  seam::benchmark_output output(runtime, wanted.csv);
  bench::for_each_question(runtime, "problems", wanted.problems, [&](std::string const& name) {
    auto const* const* asked =
        std::ranges::find(problems, name, [](problem const* known) { return known->name; });
    output.table.add(compare(runtime, **asked, wanted));
  });
  output.finish();
}

} // namespace
} // namespace steps_bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, steps_bench::add_options, steps_bench::run);
}

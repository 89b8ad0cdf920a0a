// seam-bench-steps times the steps of seam's programs, fused in time and not, against loops written
// by hand with OpenMP for the same arithmetic, and those of heat against a loop over PETSc's
// distributed arrays, all in one run. The last problem is seam-life's own loop.
//
// Sample runs:
//   OMP_NUM_THREADS=2 seam-bench-steps
//   mpiexec -n 2 --bind-to core seam-bench-steps --problems heat --late 200
//
// Expected: a table of one line for each problem and variant; x rival at most about 1 in the lines
// of steps. On two ranks, behind it, what steps cost beyond each rank's block alone.
#include "comparison.hpp"

#include <kit/benchmark.hpp>
#include <seam/program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace steps_bench {
namespace {

constexpr problem const* problems[] = {&heat,  &laplace,       &gray_scott,
                                       &wave,  &shallow_water, &cavity,
                                       &euler, &multigrid,     &alternating_directions,
                                       &life};

constexpr char const* examples = R"(Examples:
  OMP_NUM_THREADS=2 seam-bench-steps
  mpiexec -n 2 --bind-to core seam-bench-steps --problems heat,wave --cells-3d 512 --late 200
  seam-bench-steps --cells-2d 256 --cells-3d 96

The columns: x rival is the median over that of the fastest rival, below 1 being faster: of the loops by
hand, and for heat of a loop over PETSc's distributed arrays, which has no threads. On several ranks
loops by hand compute each rank's block without messages, and are a limit. The last example tells how
fast the kernels are in cache.)";

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
  cli.add("--late", wanted.late,
          "on two ranks: time also steps whose messages arrive so many us late")
      .between(0, 1'000'000, "US");
  bench::add_output(cli, wanted.repetitions, wanted.csv);
  cli.end_help(examples);
}

problem const& problem_of(std::string const& name) {
  return **std::ranges::find_if(problems,
                                [&](problem const* known) { return name == known->name; });
}

void run(seam::Runtime& runtime, options const& wanted) {
  seam::benchmark_output output(runtime, wanted.csv);
  std::string remarks;
  bench::for_each_question(runtime, "problems", wanted.problems, [&](std::string const& name) {
    comparison compared(runtime, problem_of(name), wanted);
    auto const answers = compared.time();
    output.table.add(answers);
    remarks += compared.remark(answers);
  });
  output.finish(remarks);
}

} // namespace
} // namespace steps_bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, steps_bench::add_options, steps_bench::run);
}

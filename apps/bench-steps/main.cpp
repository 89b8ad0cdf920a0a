// seam-bench-steps times the steps of seam's programs, fused in time and not, against loops written
// by hand with OpenMP for the same arithmetic, and those of heat against a loop over PETSc's
// distributed arrays, all in one run.
//
// Sample runs:
//   OMP_NUM_THREADS=2 seam-bench-steps
//   mpiexec -n 2 --bind-to core seam-bench-steps --problems heat --late 200
//
// Expected: a table of one line for each problem and variant; x rival at most about 1 in the lines
// of steps. On two ranks, behind it, what steps cost beyond each rank's block alone.
#include "comparison.hpp"
#include "options.hpp"
#include "problem.hpp"

#include <seam/program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace steps_bench {
namespace {

constexpr problem const* problems[] = {&heat,  &laplace,       &gray_scott,
                                       &wave,  &shallow_water, &cavity,
                                       &euler, &multigrid,     &alternating_directions};

problem const& problem_of(std::string const& name) {
  return **std::ranges::find_if(problems,
                                [&](problem const* known) { return name == known->name; });
}

void run(seam::Runtime& runtime, options const& wanted) {
  seam::benchmark_output output(runtime, wanted.csv);
  seam::progress bar(runtime, "problems", std::ssize(wanted.problems));
  std::string remarks;
  double const begin = MPI_Wtime();
  for (std::string const& name : wanted.problems) {
    comparison compared(runtime, problem_of(name), wanted);
    auto const answers = compared.time();
    output.table.add(answers);
    remarks += compared.remark(answers);
    bar.advance();
    if (std::ptrdiff_t const others = std::ssize(wanted.problems) - 1;
        &name == &wanted.problems.front())
      seam::announce_time(runtime, fmt::format("{} other problems", others),
                          static_cast<double>(others) * (MPI_Wtime() - begin));
  }
  output.finish(remarks);
}

} // namespace
} // namespace steps_bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, steps_bench::add_options, steps_bench::run);
}

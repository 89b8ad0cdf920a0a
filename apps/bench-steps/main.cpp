// seam-bench-steps times the steps of seam's programs, fused in time and not, against loops written
// by hand with OpenMP for the same arithmetic, and those of heat against a loop over PETSc's
// distributed arrays, all in one run.
//
// Sample runs:
//   OMP_NUM_THREADS=2 seam-bench-steps
//   mpiexec -n 2 --bind-to core seam-bench-steps --problems heat
//
// Expected: a table of one line for each problem and variant; x rival at most about 1 in the lines
// of steps.
#include "options.hpp"
#include "problem.hpp"

#include <seam/framework/files/benchmark_output.hpp>

#include <algorithm>
#include <string>

namespace steps_bench {
namespace {

/// After these it is known how many steps are fused.
constexpr std::int64_t steps_until_decision = 128;

constexpr problem const* problems[] = {&heat, &laplace, &gray_scott, &wave, &shallow_water};

problem const& problem_of(std::string const& name) {
  return **std::ranges::find_if(problems,
                                [&](problem const* known) { return name == known->name; });
}

struct entry {
  std::string name;
  std::unique_ptr<contender> made;
  bool has_messages;
};

/// Runs all variants from the same values, and compares the results bit by bit. Loops by hand take
/// part on one rank, where they need no messages.
void require_equal_values(seam::Runtime& runtime, std::vector<entry> const& all,
                          std::int64_t steps) {
  std::vector<double> expected;
  for (entry const& candidate : all) {
    candidate.made->run(steps);
    if (!candidate.has_messages && runtime.size() > 1)
      continue;
    auto const found = candidate.made->values();
    if (expected.empty())
      expected = found;
    seam::collectively(runtime, [&] {
      if (found != expected)
        seam::refuse(candidate.name + ": other values than those of " + all.front().name);
    });
  }
}

std::vector<seam::timing> compare(seam::Runtime& runtime, problem const& asked,
                                  options const& wanted) {
  std::int64_t const cells = asked.num_axes == 2 ? wanted.cells_2d : wanted.cells_3d;
  std::vector<entry> all;
  all.push_back({"steps", asked.by_steps(runtime, cells, 1), true});
  all.push_back({"steps, fused", asked.by_steps(runtime, cells, wanted.fused), true});
  all.push_back({"steps, auto", asked.by_steps(runtime, cells, by_measurement), true});
  all.push_back({"loops by hand", asked.by_hand(runtime, cells), false});
  if (asked.by_petsc != nullptr)
    if (auto made = asked.by_petsc(runtime, cells))
      all.push_back({"PETSc DMDA", std::move(made), true});
  require_equal_values(runtime, all, wanted.steps);
  all[2].made->run(steps_until_decision);

  std::vector<seam::variant> variants;
  for (entry const& candidate : all) {
    bool const is_petsc = candidate.name == "PETSc DMDA";
    auto const is = is_petsc                 ? seam::role::rival
                    : candidate.has_messages ? seam::role::subject
                    : runtime.size() == 1    ? seam::role::rival
                                             : seam::role::limit;
    variants.push_back({candidate.name,
                        [made = candidate.made.get(), &wanted] { made->run(wanted.steps); }, is});
  }
  std::int64_t const num_cells = asked.num_axes == 2 ? cells * cells : cells * cells * cells;
  return seam::time_in_turn(runtime,
                            {.question = std::string(asked.name) + " " + std::to_string(cells) +
                                         "^" + std::to_string(asked.num_axes),
                             .bytes = num_cells * asked.num_values *
                                      static_cast<std::int64_t>(sizeof(double)) * wanted.steps,
                             .repetitions = wanted.repetitions},
                            variants);
}

void run(seam::Runtime& runtime, options const& wanted) {
  seam::benchmark_output output(runtime, wanted.csv);
  seam::progress bar(runtime, "problems", std::ssize(wanted.problems));
  for (std::string const& name : wanted.problems) {
    output.table.add(compare(runtime, problem_of(name), wanted));
    bar.advance();
  }
  output.finish();
}

} // namespace
} // namespace steps_bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, steps_bench::add_options, steps_bench::run);
}

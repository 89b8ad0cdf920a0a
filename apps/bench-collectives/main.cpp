// seam-bench-collectives times seam's collectives in their forms, MPI's in theirs, and messages by
// hand, on the neighborhoods of stencils and among all processes, all in one run.
//
// Sample run: mpiexec -n 2 --bind-to core seam-bench-collectives --dimensions 3
//
// Expected: a table of one line for each question and variant; x rival at most about 1 in the lines
// of seam, well below in those of small blocks on Moore neighborhoods.
#include "comparison.hpp"

#include <seam/program.hpp>

namespace collective_bench {
namespace {

constexpr int usual_repetitions = 20;

/// For example "seam takes more than 1.03 times as long as the best rival in 3 of 40 lines; ...".
std::string summary_of(seam::benchmark_table const& table) {
  constexpr double tolerated = 1.03;
  auto const ratios = table.ratios();
  if (ratios.empty())
    return {};
  auto const slower = std::ranges::count_if(ratios, [](double ratio) { return ratio > tolerated; });
  return fmt::format("\nseam takes more than {} times as long as the best rival in {} of {} lines; "
                     "at most {:.2f}\n",
                     tolerated, slower, ratios.size(), std::ranges::max(ratios));
}

void run(seam::Runtime& runtime, options const& wanted) {
  auto const asked = questions(wanted);
  seam::benchmark_output output(runtime, wanted.csv);
  int const repetitions =
      wanted.repetitions.value_or(runtime.has_core_for_each() ? usual_repetitions : 0);
  if (!wanted.repetitions && repetitions == 0)
    seam::print(runtime,
                "There are more ranks than cores: messages are counted, nothing is timed.\n");
  output.table = compare(runtime, asked, wanted, repetitions);
  output.finish(summary_of(output.table));
}

} // namespace
} // namespace collective_bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, collective_bench::add_options, collective_bench::run);
}

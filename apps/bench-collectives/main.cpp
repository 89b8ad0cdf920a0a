// seam-bench-collectives times seam's collectives in their forms, MPI's in theirs, and messages by
// hand, on the neighborhoods of stencils and among all processes, all in one run.
//
// Sample run: mpiexec -n 2 --bind-to core seam-bench-collectives --dimensions 3
//
// Expected: a table of one line for each question and variant; x rival at most about 1 in the lines
// of seam, well below in those of small blocks on Moore neighborhoods.
#include "comparison.hpp"

#include <kit/benchmark.hpp>
#include <seam/program.hpp>

#include <CLI/CLI.hpp>

namespace collective_bench {
namespace {

constexpr int usual_repetitions = 20;

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-bench-collectives
  mpiexec -n 2 --bind-to core seam-bench-collectives --operations alltoall --dimensions 2,3
  mpiexec -n 27 --oversubscribe seam-bench-collectives --neighborhoods moore --repetitions 0

'faces' and 'moore' are neighborhoods on a periodic grid of all processes; 'complete' is all pairs,
where the rivals are MPI's own operations. Blocks of v and w forms and of reduce_scatter differ:
every other one is half as long. Isend/Irecv sends a message along each edge, packed one to each
process; Neighbor_allgather is followed by the sum if the operation is allreduce.
The columns: x rival is the median over that of the best rival, below 1 being faster; messages are
those to others, of the process that sends most, where they are not the MPI library's.
Without --repetitions nothing is timed if there are more ranks than cores.)";

std::string check_bytes(std::string const& text) {
  return std::stoi(text) % 8 == 0 ? "" : "expected a multiple of 8, found " + text;
}

void add_options(seam::option_list cli, options& wanted) {
  auto const add_names = [&](char const* option, std::vector<std::string>& names,
                             char const* help) {
    cli.add(option, names, help).one_of(std::vector(names));
  };
  cli.describe("Compares seam's collectives with MPI's and with plain messages.");
  add_names("--operations", wanted.operations, "collectives");
  add_names("--neighborhoods", wanted.neighborhoods, "of a process");
  cli.add("--dimensions", wanted.dimensions, "of the grid of processes").between(1, 6, "D");
  cli.add("--bytes", wanted.bytes, "of a block; multiples of 8")
      .between(8, 1 << 28, "BYTES")
      .must(check_bytes);
  add_names("--forms", wanted.forms, "of seam's calls and the rivals'");
  cli.cli()
      .add_option("--repetitions", wanted.repetitions,
                  "of each variant for each question, 20 by default; 0 only counts messages")
      ->check(CLI::Range(0, 1'000'000, "COUNT"));
  cli.add("--seconds", wanted.seconds,
          "for a question: fewer repetitions, but 5, where they take longer")
      .between(1e-9, 1e9);
  cli.add("--csv", wanted.csv, "write the table there too").named("FILE.csv");
  cli.end_help(examples);
}

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

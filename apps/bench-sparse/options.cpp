#include "options.hpp"

#include <CLI/CLI.hpp>

#include <limits>

namespace sparse_bench {
namespace {

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-bench-sparse
  mpiexec -n 8 --oversubscribe seam-bench-sparse --lengths 1 --destinations 2 --csv sparse.csv

Patterns are the same in each exchange (repeated) or others (new). The columns: x rival is the median
over that of the best rival, below 1 being faster; of limit is the time of an exchange whose sources
are known before over the median.)";

constexpr int most = std::numeric_limits<int>::max();

} // namespace

void add_options(CLI::App& cli, options& wanted) {
  cli.description("Compares ways of dynamic sparse data exchange.");
  cli.add_option("--lengths", wanted.lengths, "doubles in each message")
      ->delimiter(',')
      ->check(CLI::Range(1, 1 << 20, "N"))
      ->type_name("N,...")
      ->capture_default_str();
  cli.add_option("--destinations", wanted.destinations,
                 "of each rank in random patterns, on average")
      ->check(CLI::Range(0.0, 1e6, "K"))
      ->type_name("K")
      ->capture_default_str();
  cli.add_option("--repetitions", wanted.repetitions, "of each variant for each question")
      ->check(CLI::Range(1, most, "COUNT"))
      ->capture_default_str();
  cli.add_option("--csv", wanted.csv, "write the table there too")->type_name("FILE.csv");
  cli.footer(examples);
}

} // namespace sparse_bench

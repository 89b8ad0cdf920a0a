#include "options.hpp"

#include <CLI/CLI.hpp>

namespace partitioned_bench {
namespace {

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-bench-partitioned
  mpiexec -n 2 --bind-to core seam-bench-partitioned --partitions 32 --bytes 1048576
  OMP_NUM_THREADS=4 mpiexec -n 2 seam-bench-partitioned --partitions 16

'ring': every rank sends to the next one and receives from the one before. 'one-way': ranks 0, 2, ...
send to ranks 1, 3, ..., which have nothing else to do.
'together': all partitions are ready at once; 'uniform': each after as much work as the others;
'laggard': all but the last are ready at once, and the last after all the work.)";

} // namespace

void add_options(CLI::App& cli, options& wanted) {
  cli.description("Compares partitioned messages with others.");
  cli.add_option("--bytes", wanted.bytes, "of all partitions together")
      ->delimiter(',')
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 30, "N"))
      ->type_name("N,...")
      ->capture_default_str();
  cli.add_option("--partitions", wanted.partitions, "of each buffer")
      ->check(CLI::Range(1, 4000))
      ->capture_default_str();
  cli.add_option("--work", wanted.work, "of an epoch, as long as so many bulk exchanges take")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  cli.add_option("--repetitions", wanted.repetitions, "of each variant for each question")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  cli.footer(examples);
}

} // namespace partitioned_bench

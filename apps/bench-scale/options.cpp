#include "options.hpp"

#include <CLI/CLI.hpp>

#include <limits>

namespace scale_bench {
namespace {

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-bench-scale --csv 2.csv
  mpiexec -n 64 --oversubscribe seam-bench-scale --cells 512 --csv 64.csv
  seam-bench-scale --read 1.csv 2.csv 64.csv 128.csv 256.csv
  seam-bench-scale --read 2.csv 64.csv 256.csv --predict --latency 1e-6 --plot scale.svg
  seam-bench-scale --read 2.csv 8.csv --verify hosts.csv --cores 2

Times are measured where each rank has a core of its own. calls are collective calls of MPI, whose
messages over trees are part of messages and bytes. kept and peak are bytes from operator new, process
those from malloc, which MPI takes too. A rank's copies inside shared memory are no messages.)";

constexpr int most = std::numeric_limits<int>::max();
constexpr std::int64_t most_cells = std::int64_t{1} << 40;

void add_network(CLI::App& cli, network& over) {
  cli.add_option("--latency", over.latency, "of a message, for --predict")
      ->check(CLI::Range(0.0, 1.0, "SECONDS"))
      ->type_name("SECONDS")
      ->capture_default_str();
  cli.add_option("--gap", over.gap, "between messages of a process, for --predict")
      ->check(CLI::Range(0.0, 1.0, "SECONDS"))
      ->type_name("SECONDS")
      ->capture_default_str();
  cli.add_option("--bandwidth", over.bandwidth, "of a process in bytes/s, for --predict")
      ->check(CLI::Range(1.0, 1e15, "RATE"))
      ->type_name("RATE")
      ->capture_default_str();
  cli.add_option("--arity", over.arity, "of the tree of a collective call, for --predict")
      ->check(CLI::Range(2, most, "N"))
      ->type_name("N")
      ->capture_default_str();
}

void add_measurement(CLI::App& cli, options& wanted) {
  cli.add_option("--cells", wanted.cells, "of each rank")
      ->check(CLI::Range(std::int64_t{8}, most_cells, "N"))
      ->type_name("N")
      ->capture_default_str();
  cli.add_option("--edges", wanted.edges, "of each rank in graphs and sparse exchanges")
      ->check(CLI::Range(1, 1 << 20, "N"))
      ->type_name("N")
      ->capture_default_str();
  cli.add_option("--repetitions", wanted.repetitions, "of each timing")
      ->check(CLI::Range(1, most, "COUNT"))
      ->type_name("COUNT")
      ->capture_default_str();
  cli.add_option("--node-size", wanted.node_size, "ranks that share memory")
      ->check(CLI::Range(1, most, "N"))
      ->type_name("N")
      ->capture_default_str();
  cli.add_option("--transports", wanted.transports, "messages, shared")
      ->delimiter(',')
      ->check(CLI::IsMember({"messages", "shared"}))
      ->type_name("NAME,...")
      ->capture_default_str();
  cli.add_option("--operations", wanted.operations, "measure only these, named as in the table")
      ->delimiter(',')
      ->type_name("NAME,...");
  cli.add_option("--csv", wanted.csv, "write the table there too")->type_name("FILE.csv");
}

void add_verification(CLI::App& cli, options& wanted, CLI::Option* reads) {
  auto* const verifies =
      cli.add_option("--verify", wanted.verify,
                     "predict times of these tables, by their own network, from those of --read, "
                     "and fail if one is wrong")
          ->needs(reads)
          ->type_name("FILE.csv ...");
  cli.add_option("--tolerance", wanted.tolerance, "of --verify, relative")
      ->needs(verifies)
      ->check(CLI::Range(0.0, 100.0, "X"))
      ->type_name("X")
      ->capture_default_str();
  cli.add_option("--cores", wanted.cores, "that all ranks of --verify share; 0: each has its own")
      ->needs(verifies)
      ->check(CLI::Range(0, most, "N"))
      ->type_name("N")
      ->capture_default_str();
}

} // namespace

void add_options(CLI::App& cli, options& wanted) {
  cli.description("Counts what operations of seam cost each rank, and how that grows with ranks.");
  add_measurement(cli, wanted);
  auto* const reads =
      cli.add_option("--read", wanted.read,
                     "compare tables of several numbers of ranks, and fail if a row grows too fast")
          ->type_name("FILE.csv ...");
  auto* const predicts =
      cli.add_flag("--predict", wanted.predict, "predict 1024 to 1048576 ranks from the tables");
  cli.add_option("--plot", wanted.plot, "draw the predictions: FILE.svg or FILE.png")
      ->needs(predicts)
      ->type_name("FILE");
  add_network(cli, wanted.over);
  add_verification(cli, wanted, reads);
  cli.footer(examples);
}

} // namespace scale_bench

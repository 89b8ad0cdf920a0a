// seam-bench-scale counts what the operations of seam cost each rank: messages, bytes, allocations
// and memory; and times them. growth.py compares its tables of several numbers of ranks.
//
// Sample runs:
//   mpiexec -n 2 --bind-to core seam-bench-scale --csv 2.csv
//   mpiexec -n 64 --oversubscribe seam-bench-scale --cells 512 --csv 64.csv
//
// Expected: a table of one line for each operation.
#include "survey.hpp"

#include <kit/benchmark.hpp>
#include <seam/endpoints.hpp>
#include <seam/exchange.hpp>
#include <seam/exchange/agreement/free_memory.hpp>
#include <seam/files.hpp>
#include <seam/program.hpp>

#include <algorithm>

namespace scale_bench {
namespace {

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-bench-scale --csv 2.csv
  mpiexec -n 64 --oversubscribe seam-bench-scale --cells 512 --csv 64.csv

Times are measured where each rank has a core of its own. calls are collective calls of MPI, whose
messages over trees are part of messages and bytes. kept and peak are bytes from operator new, process
those from malloc, which MPI takes too. A rank's copies inside shared memory are no messages.)";

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Counts what operations of seam cost each rank.");
  cli.add("--cells", wanted.cells, "of each rank")
      .between(std::int64_t{8}, std::int64_t{1} << 40, "N");
  cli.add("--edges", wanted.edges, "of each rank in graphs and sparse exchanges")
      .between(1, 1 << 20, "N");
  cli.add("--node-size", wanted.node_size, "ranks that share memory").between(1, 1 << 30, "N");
  cli.add("--transports", wanted.transports, "by which it is measured")
      .one_of({"messages", "shared"});
  cli.add("--operations", wanted.operations, "measure only these, named as in the table");
  bench::add_output(cli, wanted.repetitions, wanted.csv);
  cli.end_help(examples);
}

/// The rows of all operations by one transport.
table survey_by(seam::Runtime& runtime, options const& wanted, std::string const& transport) {
  seam::shared_memory_in_scope const scope(transport == "shared");
  survey all(runtime, wanted, transport);
  if (transport == "messages")
    measure_network(all);
  measure_exchange(all);
  measure_grids(all);
  measure_meshes(all);
  return all.rows();
}

table measure(seam::Runtime& runtime, options const& wanted) {
  survey start(runtime, wanted, "messages");
  start.add_start("Runtime");
  table rows = start.rows();
  constexpr double bytes_of_cell = 6144, bytes_of_rank = 1 << 21; // in use at the same time
  seam::detail::require_memory(
      runtime, bytes_of_rank + bytes_of_cell * static_cast<double>(wanted.cells), "scale");
  seam::set_node_size(wanted.node_size);
  for (std::string const& transport : wanted.transports)
    std::ranges::copy(survey_by(runtime, wanted, transport), std::back_inserter(rows));
  return rows;
}

/// Refuses names that no row has.
void require_operations(seam::Runtime& runtime, options const& wanted, table const& rows) {
  seam::collectively(runtime, [&] {
    for (std::string const& name : wanted.operations)
      if (std::ranges::count(rows, name, &row::operation) == 0)
        seam::refuse(fmt::format("scale: '{}' (expected an operation of this program)", name));
  });
}

void run(seam::Runtime& runtime, options const& wanted) {
  if (seam::is_of_endpoints(runtime.world().view()))
    throw seam::usage_error(
        "scale: endpoints (expected processes alone: calls of operator new and of "
        "MPI are counted for each)",
        true);
  seam::print(runtime, "{}\n", runtime.describe());
  if (!wanted.csv.empty())
    seam::require_writable(runtime, wanted.csv);
  table const rows = measure(runtime, wanted);
  require_operations(runtime, wanted, rows);
  seam::print(runtime, text_of(rows));
  if (!wanted.csv.empty())
    seam::write_text(runtime, csv_of(rows), wanted.csv);
}

} // namespace
} // namespace scale_bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, scale_bench::add_options, scale_bench::run);
}

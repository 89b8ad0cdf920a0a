// seam-bench-scale counts what the operations of seam cost each rank: messages, bytes, allocations
// and memory; times them; and compares tables of several numbers of ranks.
//
// Sample runs:
//   mpiexec -n 2 --bind-to core seam-bench-scale --csv 2.csv
//   mpiexec -n 64 --oversubscribe seam-bench-scale --cells 512 --csv 64.csv
//   seam-bench-scale --read 2.csv 64.csv 128.csv 256.csv --predict
//   seam-bench-scale --read 2.csv 8.csv --verify hosts.csv --cores 2
//
// Expected: a table of one line for each operation; of --read the exponents of P, none of which is
// marked; of --predict times of programs on 1,024 to 1,048,576 ranks; of --verify times of programs
// as predicted and as measured.
#include "growth.hpp"
#include "model.hpp"
#include "operations.hpp"
#include "verification.hpp"

#include <seam/endpoints.hpp>
#include <seam/exchange.hpp>
#include <seam/exchange/agreement/free_memory.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/files.hpp>
#include <seam/program.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace scale_bench {
namespace {

constexpr double bytes_of_cell = 6144, bytes_of_rank = 1 << 21; ///< in use at the same time

/// Refuses cells, or ranks, for which a machine has too little memory.
void require_memory(seam::Runtime& runtime, options const& wanted) {
  double const own = bytes_of_rank + bytes_of_cell * static_cast<double>(wanted.cells);
  seam::mpi::comm const machine = seam::mpi::split_shared(runtime);
  double const asked = seam::mpi::allreduce(machine, own, MPI_SUM);
  seam::collectively(runtime, [&] {
    auto const free = static_cast<double>(seam::detail::free_memory());
    if (asked > free)
      seam::refuse(fmt::format("scale: {:.1e} bytes of memory for the ranks of one machine "
                               "(expected at most {:.1e}, which are free)",
                               asked, free));
  });
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
  require_memory(runtime, wanted);
  seam::set_node_size(wanted.node_size);
  for (std::string const& transport : wanted.transports)
    std::ranges::copy(survey_by(runtime, wanted, transport), std::back_inserter(rows));
  return rows;
}

/// Reads tables, and puts them in ascending order of ranks, cells and edges.
std::vector<table> read_tables(seam::Runtime& runtime, std::vector<std::string> const& paths) {
  std::vector<table> tables;
  for (std::string const& path : paths) {
    std::string const text = seam::read_text(runtime, path);
    tables.push_back(seam::collectively(runtime, [&] { return table_of(text, path); }));
  }
  std::ranges::sort(tables, {}, [](table const& rows) {
    row const& first = rows.front();
    return std::tuple(first.ranks, first.cells, first.edges);
  });
  return tables;
}

/// Prints how costs grow, and fails if one grows too fast.
void compare(seam::Runtime& runtime, std::vector<table> const& tables) {
  auto const along = seam::collectively(runtime, [&] { return variable_of(tables); });
  auto const verdicts = seam::collectively(runtime, [&] { return judge(tables, along); });
  seam::print(runtime, text_of(verdicts));
  if (along != variable::ranks)
    return;
  for (std::string_view const transport : {"messages", "shared"})
    if (std::ranges::count(verdicts, transport, &verdict::transport) > 1)
      seam::print(runtime, "by {} a program on a grid keeps {:.1f} bytes for each further rank\n",
                  transport, kept_by_grid_program(verdicts, transport));
  seam::collectively(runtime, [&] {
    auto const wrong = std::ranges::find_if(verdicts, &verdict::is_too_fast);
    if (wrong != verdicts.end())
      seam::refuse(fmt::format("scale: '{}' by {} grows too fast (expected {})", wrong->operation,
                               wrong->transport, words_of(allowance_of(wrong->operation))));
  });
}

/// Draws efficiencies of weak and speed-ups of strong scaling, one above the other.
void draw(seam::Runtime& runtime, std::vector<prediction> const& all, std::string const& path) {
  constexpr std::string_view step = "step of ";
  seam::line_plot plot(runtime, path, "binary logarithm of the ranks");
  for (prediction const& at : all) {
    double const x = std::log2(at.ranks);
    auto const name = at.program.substr(at.program.starts_with(step) ? step.size() : 0);
    plot.add(name + ", efficiency", x, at.efficiency);
    plot.add(name + ", speed-up", x, at.speed_up);
  }
  plot.finish();
}

void foretell(seam::Runtime& runtime, options const& wanted, std::vector<table> const& tables) {
  auto const all = seam::collectively(runtime, [&] { return predict(tables, wanted.over); });
  seam::print(runtime, text_of(all, wanted.over));
  if (!wanted.plot.empty())
    draw(runtime, all, wanted.plot);
}

/// Prints predictions beside what was measured, and fails if one is wrong.
void compare_predictions(seam::Runtime& runtime, options const& wanted,
                         std::vector<table> const& tables) {
  auto const timed = read_tables(runtime, wanted.verify);
  auto const all = seam::collectively(runtime, [&] { return verify(tables, timed, wanted.cores); });
  seam::print(runtime, text_of(all));
  seam::collectively(runtime, [&] { require_near(all, wanted.tolerance); });
}

void run(seam::Runtime& runtime, options const& wanted) {
  if (seam::is_of_endpoints(runtime.world().view()))
    throw seam::usage_error(
        "scale: endpoints (expected processes alone: calls of operator new and of "
        "MPI are counted for each)",
        true);
  seam::print(runtime, "{}\n", runtime.describe());
  if (!wanted.plot.empty())
    seam::require_plot(runtime, wanted.plot, "--plot");
  std::vector<table> tables;
  if (wanted.read.empty()) {
    seam::collectively(runtime, [&] {
      for (std::string const& name : wanted.operations)
        static_cast<void>(allowance_of(name));
    });
    if (!wanted.csv.empty())
      seam::require_writable(runtime, wanted.csv);
    tables = {measure(runtime, wanted)};
    seam::print(runtime, text_of(tables.front()));
    if (!wanted.csv.empty())
      seam::write_text(runtime, csv_of(tables.front()), wanted.csv);
  } else {
    tables = read_tables(runtime, wanted.read);
  }
  if (wanted.predict)
    foretell(runtime, wanted, tables);
  if (!wanted.verify.empty())
    compare_predictions(runtime, wanted, tables);
  else if (!wanted.read.empty())
    compare(runtime, tables);
}

} // namespace
} // namespace scale_bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, scale_bench::add_options, scale_bench::run);
}

// seam-bench-halo times how the ghosts of a three-dimensional block of doubles are filled, by seam
// and by the usual methods with MPI, all in one run.
//
// Sample run: mpiexec -n 2 --bind-to core seam-bench-halo
//
// Expected: a table of one line for each size, neighborhood and variant; x rival at most about 1 in
// the lines of seam.
#include "block.hpp"

#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/seam.hpp>

namespace halo_bench {
namespace {

struct options {
  std::vector<int> sizes{16, 32, 64, 128, 256}; ///< edge of a rank's block [cells]
  std::vector<std::string> neighborhoods{"faces", "moore"};
  int repetitions = 50;
  std::string csv;
};

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-bench-halo
  mpiexec -n 2 --bind-to core seam-bench-halo --sizes 64,128 --neighborhoods moore --csv halo.csv

The columns: x rival is the median over that of the best rival, below 1 being faster; of limit is
the time of copying the same cells inside one process over the median.)";

/// A block of 2^31 bytes or more would need datatypes that the rivals do not use.
constexpr int largest_size = 640;

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Compares seam's halo exchange with others in three dimensions.");
  cli.add("--sizes", wanted.sizes, "cells along each edge of a rank's block")
      .between(1, largest_size, "N");
  cli.add("--neighborhoods", wanted.neighborhoods, "whose ghosts are needed")
      .one_of({"faces", "moore"});
  bench::add_output(cli, wanted.repetitions, wanted.csv);
  cli.end_help(examples);
}

/// Fills the ghosts once and checks each of them.
void require_right_ghosts(block const& cells, seam::variant const& candidate) {
  number_cells(cells);
  candidate.run();
  bench::require_right(seam::mpi::comm_view(cells.comm), candidate.name,
                       [&] { return first_wrong_ghost(cells); });
}

std::vector<seam::timing> compare(seam::Runtime& runtime, int n, std::string const& neighborhood,
                                  int repetitions) {
  // 1. Declare a grid that gives each rank a cube.
  auto const processes = seam::dims_create(runtime.size(), std::array{0, 0, 0});
  bool const faces = neighborhood == "faces";
  seam::grid_options<3> wanted{.periodic = {true, true, true},
                               .neighborhood = faces ? seam::von_neumann(1) : seam::moore(1)};
  for (int a = 0; a < 3; ++a) {
    wanted.processes[a] = processes[a];
    wanted.cells[a] = n * processes[a];
  }
  seam::Grid<3> const grid(runtime, wanted);
  auto u = grid.field<double>("u");

  // 2. Plan the exchange, seam's and the others', on the same memory.
  auto const comm = seam::mpi::dup(grid.base());
  auto const place = grid.naming().coordinates(grid.rank());
  block const cells{.comm = comm.native(),
                    .processes = wanted.processes,
                    .place = {place[0], place[1], place[2]},
                    .which = faces ? neighbors::faces : neighbors::moore,
                    .n = n,
                    .data = u.storage().data()};
  auto halo = seam::make_halo(u);
  std::vector<seam::variant> variants{{.name = "seam", .run = [&] { halo.run(); }}};
  std::vector<std::unique_ptr<way>> ways;
  auto const add = [&](rival const& listed) {
    ways.push_back(listed.make(cells));
    variants.push_back({listed.name, [made = ways.back().get()] { made->exchange(); }, listed.is});
  };
  std::ranges::for_each(rivals_of_mpi(), add);
  if constexpr (bench::has_petsc)
    std::ranges::for_each(rivals_of_petsc(), add);

  // 3. Check that all are right, then time them in turn, with a copy inside a process as the limit.
  for (seam::variant const& candidate : variants)
    require_right_ghosts(cells, candidate);
  add(bare_copy());
  return seam::time_in_turn(
      runtime,
      {.question = fmt::format("n={} {}", n, neighborhood),
       .bytes = seam::mpi::allreduce(grid.base().context(), halo.num_bytes(), MPI_MAX),
       .repetitions = repetitions},
      variants);
}

void run(seam::Runtime& runtime, options const& wanted) {
  seam::benchmark_output output(runtime, wanted.csv);
  std::vector<std::pair<std::string, int>> questions;
  for (std::string const& neighborhood : wanted.neighborhoods)
    for (int const n : wanted.sizes)
      questions.emplace_back(neighborhood, n);
  bench::for_each_question(runtime, "questions", questions, [&](auto const& asked) {
    output.table.add(compare(runtime, asked.second, asked.first, wanted.repetitions));
  });
  output.finish();
}

} // namespace
} // namespace halo_bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, halo_bench::add_options, halo_bench::run);
}

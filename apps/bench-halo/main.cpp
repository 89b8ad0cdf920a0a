// seam-bench-halo times how the ghosts of a three-dimensional block of doubles are filled, by seam
// and by the usual methods with MPI, all in one run.
//
// Sample run: mpiexec -n 2 --bind-to core seam-bench-halo
//
// Expected: a table of one line for each size, neighborhood and variant; x rival at most about 1 in
// the lines of seam.
#include "block.hpp"

#include <kit/benchmark.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/seam.hpp>

#include <map>

namespace halo_bench {
namespace {

struct options {
  std::vector<std::int64_t> sizes{16, 32, 64, 128, 256}; ///< edge of a rank's block [cells]
  std::vector<neighbors> neighborhoods{neighbors::faces, neighbors::moore};
  int repetitions = 50;
  std::string csv;
};

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-bench-halo
  mpiexec -n 2 --bind-to core seam-bench-halo --sizes 64,128 --neighborhood moore --csv halo.csv

The columns: x rival is the median over that of the best rival, below 1 being faster; of limit is
the time of copying the same cells inside one process over the median.)";

/// A block of 2^31 bytes or more would need datatypes that the rivals do not use.
constexpr std::int64_t largest_size = 640;

void add_options(CLI::App& cli, options& wanted) {
  cli.description("Compares seam's halo exchange with others in three dimensions.");
  bench::add_list(cli, "--sizes", wanted.sizes, {1, largest_size, "N"},
                  "cells along each edge of a rank's block");
  std::map<std::string, std::vector<neighbors>> const choices{
      {"faces", {neighbors::faces}}, {"moore", {neighbors::moore}}, {"both", wanted.neighborhoods}};
  cli.add_option_function<std::string>(
         "--neighborhood",
         [&wanted, choices](std::string const& name) { wanted.neighborhoods = choices.at(name); },
         "whose ghosts are needed: faces, moore, or both, which is the default")
      ->check(CLI::IsMember({"faces", "moore", "both"}))
      ->type_name("NAME");
  bench::add_output(cli, wanted.repetitions, wanted.csv);
  cli.footer(examples);
}

struct contender {
  char const* name;
  std::unique_ptr<way> (*make)(block const&);
};

std::vector<contender> rivals() {
  std::vector<contender> all{{"packed isend/irecv", make_packed},
                             {"packed persistent", make_packed_persistent},
                             {"dimension sweep", make_dimension_sweep},
                             {"neighbor_alltoallw", make_neighbor_alltoallw}};
  if constexpr (bench::has_petsc)
    all.push_back({"petsc dmlocaltolocal", make_petsc});
  return all;
}

/// Fills the ghosts once and checks each of them.
void require_right_ghosts(block const& cells, seam::variant const& candidate) {
  number_cells(cells);
  candidate.run();
  bench::require_right(seam::mpi::comm_view(cells.comm), candidate.name,
                       [&] { return first_wrong_ghost(cells); });
}

std::vector<seam::timing> compare(seam::Runtime& runtime, std::int64_t n, neighbors which,
                                  int repetitions) {
  // 1. Declare a grid that gives each rank a cube.
  auto const processes = seam::dims_create(runtime.size(), std::array{0, 0, 0});
  bool const faces = which == neighbors::faces;
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
                    .which = which,
                    .n = n,
                    .data = u.storage().data()};
  auto halo = seam::make_halo(u);
  std::vector<seam::variant> variants{{.name = "seam", .run = [&] { halo.run(); }}};
  std::vector<std::unique_ptr<way>> ways;
  for (contender const& listed : rivals()) {
    ways.push_back(listed.make(cells));
    variants.push_back({listed.name, [rival = ways.back().get()] { rival->exchange(); },
                        seam::role::rival});
  }

  // 3. Check that all are right, then time them in turn, with a copy inside a process as the limit.
  for (seam::variant const& candidate : variants)
    require_right_ghosts(cells, candidate);
  auto const bare = make_bare_copy(cells);
  variants.push_back({"bare copy", [&] { bare->exchange(); }, seam::role::limit});
  return seam::time_in_turn(
      runtime,
      {.question = fmt::format("n={} {}", n, faces ? "faces" : "moore"),
       .bytes = seam::mpi::allreduce(grid.base().context(), halo.num_bytes(), MPI_MAX),
       .repetitions = repetitions},
      variants);
}

void run(seam::Runtime& runtime, options const& wanted) {
  seam::benchmark_output output(runtime, wanted.csv);
  seam::progress bar(runtime, "questions",
                     std::ssize(wanted.sizes) * std::ssize(wanted.neighborhoods));
  for (neighbors which : wanted.neighborhoods)
    for (std::int64_t n : wanted.sizes) {
      output.table.add(compare(runtime, n, which, wanted.repetitions));
      bar.advance();
    }
  output.finish();
}

} // namespace
} // namespace halo_bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, halo_bench::add_options, halo_bench::run);
}

// seam-bench-checkpoint times checkpoints of a field, with checksums, flushed to the disk and renamed,
// beside a plain write of the same bytes by parallel HDF5, flushed as well; and reading one back. It
// leaves no files.
//
// Sample runs:
//   mpiexec -n 2 seam-bench-checkpoint --cells 384
//   mpiexec -n 2 seam-bench-checkpoint --cells 832 --repetitions 3      2 GiB and more for each rank
#include "plain_hdf5.hpp"

#include <kit/benchmark.hpp>
#include <seam/checkpoint.hpp>
#include <seam/files.hpp>
#include <seam/program.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <cmath>

namespace bench {
namespace {

struct options {
  std::int64_t cells = 256;
  int repetitions = 7;
};

void add_options(CLI::App& cli, options& wanted) {
  cli.description("Times checkpoints beside plain writes by parallel HDF5.");
  add_number(cli, "--cells", wanted.cells, {8, 4096, "N"}, "cells on each of three axes");
  add_repetitions(cli, wanted.repetitions);
}

/// The most memory that this process has had. [MiB]
double most_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void remove_files(seam::Runtime& runtime) {
  if (runtime.rank() == 0)
    for (std::string const& path : {std::string("plain.h5"), seam::numbered_path("bench.h5", 1)})
      ::unlink(path.c_str());
}

void run(seam::Runtime& runtime, options const& wanted) {
  std::int64_t const n = wanted.cells, bytes = 8 * n * n * n;
  seam::Grid<3> const grid(runtime, {.cells = {n, n, n}});
  auto u = grid.field<double>("u");
  u.fill([](auto const& x) { return std::sin(x[0] + 2 * x[1]) * x[2]; });
  double const before = most_memory();
  seam::checkpoint_place const place("bench.h5", 1);
  seam::benchmark_table table;
  auto const start_anew = [&] { remove_files(runtime); };
  seam::measurement const asked{
      .question = "write", .bytes = bytes, .repetitions = wanted.repetitions};
  auto const written = seam::time_in_turn(runtime, asked,
                                          {{.name = "checkpoint",
                                            .run =
                                                [&] {
                                                  start_anew();
                                                  seam::save(grid.base(), place, u);
                                                }},
                                           {.name = "plain HDF5",
                                            .run =
                                                [&] {
                                                  start_anew();
                                                  write_plainly(u, "plain.h5");
                                                },
                                            .is = seam::role::rival}});
  table.add(written);
  start_anew();
  seam::save(grid.base(), place, u);
  double const memory = seam::maximum(runtime, most_memory() - before);
  table.add(seam::time_in_turn(
      runtime, {.question = "read", .bytes = bytes, .repetitions = wanted.repetitions},
      {{.name = "checkpoint", .run = [&] { seam::load(grid.base(), place, u); }}}));
  remove_files(runtime);
  seam::print(runtime,
              "{}\n{} MB for each rank, at most {:.0f} MB more memory\nof the speed of plain HDF5: "
              "{:.2f}\n",
              table.text(), bytes / runtime.size() / 1000000, memory * 1.048576,
              written[1].median / written[0].median);
}

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, bench::add_options, bench::run);
}

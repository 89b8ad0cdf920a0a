// seam-bench-checkpoint times checkpoints of a field, with checksums, flushed to the disk and renamed,
// beside a plain write of the same bytes by parallel HDF5, flushed as well; and reading one back. It
// leaves no files.
//
// Sample runs:
//   mpiexec -n 2 seam-bench-checkpoint --cells 384
//   mpiexec -n 2 seam-bench-checkpoint --cells 832 --repetitions 3      2 GiB and more for each rank
#include <kit/benchmark.hpp>
#include <seam/checkpoint.hpp>
#include <seam/exchange.hpp>
#include <seam/files.hpp>
#include <seam/grid.hpp>
#include <seam/program.hpp>

#include <fcntl.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace bench {
namespace {

using sizes = std::array<hsize_t, 3>;

sizes as_sizes(seam::cell_index<3> const& given) {
  sizes all{};
  std::ranges::copy(given, all.begin());
  return all;
}

hid_t require(hid_t id, char const* call) {
  if (id < 0)
    throw seam::error(std::string(call) + " fails");
  return id;
}

hid_t box_in(seam::cell_index<3> const& extents, seam::cell_index<3> const& start,
             seam::cell_index<3> const& count) {
  sizes const all = as_sizes(extents), from = as_sizes(start), some = as_sizes(count);
  hid_t const space = require(H5Screate_simple(3, all.data(), nullptr), "H5Screate_simple");
  require(H5Sselect_hyperslab(space, H5S_SELECT_SET, from.data(), nullptr, some.data(), nullptr),
          "H5Sselect_hyperslab");
  return space;
}

void flush(std::string const& path) {
  int const file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0 || ::fsync(file) != 0)
    throw seam::error("fsync fails");
  ::close(file);
}

/// HDF5 cuts no transfer, and Open MPI fails beyond 2 GiB: so the box goes in slabs.
void write_slabs(hid_t dataset, seam::Field<double, 3> const& field, hid_t transfer) {
  constexpr std::int64_t most = 1 << 26; // doubles
  auto const& grid = field.grid();
  auto const owned = grid.owned();
  auto const local = field.shared()->local().extents();
  std::int64_t const row = std::max<std::int64_t>(1, owned.extent(1) * owned.extent(2));
  std::int64_t const rows = std::max<std::int64_t>(1, most / row);
  std::int64_t const longest = (grid.cells()[0] + grid.processes()[0] - 1) / grid.processes()[0];
  for (std::int64_t first = 0; first < longest; first += rows) {
    std::int64_t const from = std::min(first, owned.extent(0));
    std::int64_t const count = std::min(rows, owned.extent(0) - from);
    seam::cell_index<3> const extents{count, owned.extent(1), owned.extent(2)};
    auto const& below = field.ghosts().below;
    hid_t const memory = box_in(local, {below[0] + from, below[1], below[2]}, extents);
    hid_t const file =
        box_in(grid.cells(), {owned.lo[0] + from, owned.lo[1], owned.lo[2]}, extents);
    require(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, file, transfer,
                     field.shared()->buffers.front().get()),
            "H5Dwrite");
    H5Sclose(memory);
    H5Sclose(file);
  }
}

/// Writes the owned values of a field, closes the file and flushes it to the disk on every rank.
/// Collective: over the grid.
void write_plainly(seam::Field<double, 3> const& field, std::string const& path) {
  hid_t const access = require(H5Pcreate(H5P_FILE_ACCESS), "H5Pcreate");
  require(H5Pset_fapl_mpio(access, field.grid().base().context().native(), MPI_INFO_NULL),
          "H5Pset_fapl_mpio");
  hid_t const file =
      require(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), "H5Fcreate");
  sizes const all = as_sizes(field.grid().cells());
  hid_t const space = require(H5Screate_simple(3, all.data(), nullptr), "H5Screate_simple");
  hid_t const creation = require(H5Pcreate(H5P_DATASET_CREATE), "H5Pcreate");
  require(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), "H5Pset_fill_time");
  hid_t const dataset =
      require(H5Dcreate2(file, "u", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT),
              "H5Dcreate2");
  hid_t const transfer = require(H5Pcreate(H5P_DATASET_XFER), "H5Pcreate");
  require(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE), "H5Pset_dxpl_mpio");
  write_slabs(dataset, field, transfer);
  H5Pclose(transfer);
  H5Dclose(dataset);
  H5Pclose(creation);
  H5Sclose(space);
  require(H5Fclose(file), "H5Fclose");
  H5Pclose(access);
  flush(path);
  seam::mpi::barrier(field.grid().base()); // the file may be removed after the return
}

struct options {
  std::int64_t cells = 256;
  int repetitions = 7;
};

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Times checkpoints beside plain writes by parallel HDF5.");
  cli.add("--cells", wanted.cells, "cells on each of three axes").between(8, 4096, "N");
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

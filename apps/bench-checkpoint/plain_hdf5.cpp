#include "plain_hdf5.hpp"

#include <seam/exchange.hpp>

#include <hdf5.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

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

} // namespace

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

} // namespace bench

// Series in time are read back serially through HDF5's own C interface after each step, and at each
// moment at which a killed run could leave them; values follow from the step and the place alone.
#include <support/catch.hpp>
#include <support/files.hpp>
#include <support/full_disk.hpp>
#include <support/hdf5_reader.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/files/vtkhdf_series.hpp>
#include <seam/framework/meshes/mesh_series.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>
#include <seam/mesh/graphs/partition_mesh.hpp>
#include <seam/mesh/input/box_mesh.hpp>

#include <sys/syscall.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>

namespace seam::testing {
namespace {

using Catch::Contains;
namespace fs = std::filesystem;

/// Is called after each write of this process to a file by its place.
std::function<void()> after_write; // NOLINT

double value_at(std::int64_t row, std::int64_t column, int step) {
  return std::sin(static_cast<double>(100 * step + 7 * row + column));
}

void set(Field<double, 2>& u, int step) {
  auto const cells = u.view();
  auto const first = u.grid().owned().lo;
  for_each_cell(u.owned(), [&](cell_index<2> const& at) {
    cells[at] = value_at(first[0] + at[0], first[1] + at[1], step);
  });
}

/// The values of a step as they lie in the file: both layers of points of a flat image.
std::vector<double> image_of_step(Grid<2> const& grid, int step) {
  std::vector<double> values;
  for (int layer = 0; layer < 2; ++layer)
    for (std::int64_t row = 0; row < grid.cells()[0]; ++row)
      for (std::int64_t column = 0; column < grid.cells()[1]; ++column)
        values.push_back(value_at(row, column, step));
  return values;
}

/// Checks that the file has the steps with these numbers, and their numbers as times.
void check_steps(std::string const& path, Grid<2> const& grid, std::vector<double> const& steps) {
  hdf5_reader const file(path);
  auto const count = static_cast<double>(steps.size());
  REQUIRE(file.attribute("Steps", "NSteps") == std::vector{count});
  REQUIRE(file.numbers("Steps/Values") == steps);
  auto const size = static_cast<std::size_t>(2 * grid.cells()[0] * grid.cells()[1]);
  auto const places = file.numbers("Steps/PointDataOffsets/u");
  REQUIRE(places.size() >= steps.size());
  for (std::size_t k = 0; k < steps.size(); ++k) {
    REQUIRE(places[k] == static_cast<double>(k));
    REQUIRE(file.numbers("PointData/u", k * size, size) ==
            image_of_step(grid, static_cast<int>(steps[k])));
  }
}

void write_steps(Communicator const& over, std::string const& path, int num_steps) {
  Grid<2> const grid(over, {.cells = {13, 17}});
  auto u = grid.field<double>("u");
  vtkhdf_series series(grid, std::tie(u), path, {.expected_steps = 2});
  for (int step = 0; step < num_steps; ++step) {
    set(u, step);
    series.append(step);
  }
  series.finish();
}

} // namespace
} // namespace seam::testing

// HDF5 writes by one of these, which take the C library's place.
extern "C" ssize_t pwrite(int file, void const* bytes, size_t count, off_t place) {
  auto const written = static_cast<ssize_t>(::syscall(SYS_pwrite64, file, bytes, count, place));
  if (seam::testing::after_write)
    seam::testing::after_write();
  return written;
}
extern "C" ssize_t pwrite64(int file, void const* bytes, size_t count, off64_t place) {
  return pwrite(file, bytes, count, place);
}

namespace seam::testing {

TEST_CASE("after each step the file has all steps until then") {
  auto const all = world();
  Grid<2> const grid(all, {.cells = {13, 17}});
  auto u = grid.field<double>("u");
  auto const folder = fresh_folder(all, "steps");
  std::string const path = folder / "u.vtkhdf";
  vtkhdf_series series(grid, std::tie(u), path, {.expected_steps = 2});
  CHECK(!fs::exists(path));
  std::vector<double> steps;
  for (int step = 0; step < 5; ++step) { // grows twice
    set(u, step);
    series.append(step);
    steps.push_back(step);
    CHECK(series.num_steps() == step + 1);
    if (grid.rank() == 0)
      check_steps(path, grid, steps);
    mpi::barrier(all);
  }
  series.finish();
  if (grid.rank() != 0)
    return;
  check_steps(path, grid, steps);
  hdf5_reader const file(path);
  CHECK(file.attribute("", "Version") == std::vector{2.0, 0.0});
  CHECK(file.attribute("", "WholeExtent") == std::vector{0.0, 16.0, 0.0, 12.0, 0.0, 1.0});
  CHECK(file.extents("PointData/u") == std::vector<hsize_t>{5, 2, 13, 17});
  CHECK(file.extents("Steps/PointDataOffsets/u") == std::vector<hsize_t>{5});
}

TEST_CASE("the bytes of the file are those that one rank writes") {
  auto const all = world();
  auto const folder = fresh_folder(all, "bytes");
  write_steps(all, folder / "all.vtkhdf", 5);
  auto const alone = all.split(all.rank() == 0 ? 0 : MPI_UNDEFINED, 0);
  if (alone) {
    write_steps(*alone, folder / "alone.vtkhdf", 5);
    CHECK(content_of(folder / "all.vtkhdf") == content_of(folder / "alone.vtkhdf"));
  }
  mpi::barrier(all);
}

TEST_CASE("a run that is killed leaves all steps but the last one") {
  auto const all = world();
  Grid<2> const grid(all, {.cells = {13, 17}});
  auto u = grid.field<double>("u");
  auto const folder = fresh_folder(all, "killed");
  std::string const path = folder / "u.vtkhdf";
  vtkhdf_series series(grid, std::tie(u), path, {.expected_steps = 8});
  int num_snapshots = 0;
  after_write = [&] {
    if (grid.rank() == 0 && fs::exists(path)) // as it would be left here
      fs::copy_file(path, folder / ("left-" + std::to_string(num_snapshots++) + ".vtkhdf"));
  };
  std::vector<int> snapshots_after;
  for (int step = 0; step < 4; ++step) {
    set(u, step);
    series.append(step);
    snapshots_after.push_back(num_snapshots);
  }
  after_write = nullptr;
  if (grid.rank() != 0)
    return;
  CHECK(snapshots_after[0] == 0); // the first step is written beside the place
  CHECK(snapshots_after[3] - snapshots_after[2] >= 4);
  int most = 0;
  for (int k = 0; k < num_snapshots; ++k) {
    int const whole = k < snapshots_after[1] ? 1 : k < snapshots_after[2] ? 2 : 3;
    std::string const left = folder / ("left-" + std::to_string(k) + ".vtkhdf");
    auto const found = hdf5_reader(left).attribute("Steps", "NSteps").front();
    CHECK((found == whole || found == whole + 1));
    most = std::max(most, static_cast<int>(found));
    std::vector<double> steps;
    for (int step = 0; step < static_cast<int>(found); ++step)
      steps.push_back(step);
    check_steps(left, grid, steps);
  }
  CHECK(most == 4);
}

TEST_CASE("a series is continued where a checkpoint was made") {
  auto const all = world();
  auto const folder = fresh_folder(all, "continued");
  Grid<2> const grid(all, {.cells = {13, 17}});
  auto u = grid.field<double>("u");
  std::string const path = folder / "u.vtkhdf";
  write_steps(all, path, 5);
  {
    vtkhdf_series series(grid, std::tie(u), path, {.continue_at = 3.0});
    CHECK(series.num_steps() == 3);
    if (grid.rank() == 0)
      check_steps(path, grid, {0, 1, 2});
    for (int step : {7, 8, 9}) {
      set(u, step);
      series.append(step);
    }
    series.finish();
  }
  if (grid.rank() == 0)
    check_steps(path, grid, {0, 1, 2, 7, 8, 9});
  vtkhdf_series fresh(grid, std::tie(u), path, {.continue_at = -1.0});
  set(u, 4);
  fresh.append(4);
  if (grid.rank() == 0)
    check_steps(path, grid, {4});
  mpi::barrier(all);
}

TEST_CASE("the steps of a mesh have values of their own and one geometry") {
  auto const all = world();
  Mesh mesh(all, box_mesh(all, shape::triangle, {5, 4, 1}));
  mesh = mesh.migrated(partition(mesh, all.size(), partition_method::hilbert));
  MeshField<double> u(mesh, "u", 0);
  MeshField<std::int32_t> marks(mesh, "marks", 2, 2);
  auto const folder = fresh_folder(all, "mesh");
  std::string const path = folder / "u.vtkhdf";
  vtkhdf_series series(mesh, std::tie(u, marks), path, {.expected_steps = 1});
  for (int step = 0; step < 3; ++step) {
    for (local_id v = 0; v < mesh.vertices().num_owned; ++v)
      u(v) = value_at(0, mesh.vertices().ids[std::size_t(v)], step);
    make_halo(u).run();
    for (local_id c = 0; c < mesh.cells().num_owned; ++c)
      for (int k = 0; k < 2; ++k)
        marks(c, k) = static_cast<int>(mesh.cells().ids[std::size_t(c)]) + 1000 * step + k;
    series.append(0.5 * step);
  }
  series.finish();
  if (all.rank() != 0)
    return;
  hdf5_reader const file(path);
  CHECK(file.attribute("", "Version") == std::vector{2.0, 0.0});
  CHECK(file.attribute("Steps", "NSteps") == std::vector{3.0});
  CHECK(file.numbers("Steps/Values") == std::vector{0.0, 0.5, 1.0});
  auto const parts = static_cast<double>(all.size());
  CHECK(file.numbers("Steps/NumberOfParts") == std::vector{parts, parts, parts});
  for (char const* const name :
       {"PartOffsets", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets",
        "PointDataOffsets/vertex_ids", "CellDataOffsets/cell_ids", "CellDataOffsets/rank"})
    CHECK(file.numbers("Steps/" + std::string(name)) == std::vector{0.0, 0.0, 0.0});
  CHECK(file.extents("Steps/CellOffsets") == std::vector<hsize_t>{3, 1});
  auto const vertex_ids = file.numbers("PointData/vertex_ids");
  auto const cell_ids = file.numbers("CellData/cell_ids");
  auto const num_points = file.extents("Points").front();
  CHECK(vertex_ids.size() == num_points);
  CHECK(file.extents("PointData/u") == std::vector<hsize_t>{3 * num_points});
  CHECK(file.extents("CellData/marks") == std::vector<hsize_t>{3 * cell_ids.size(), 2});
  auto const u_begins = file.numbers("Steps/PointDataOffsets/u");
  auto const marks_begin = file.numbers("Steps/CellDataOffsets/marks");
  auto const values = file.numbers("PointData/u"), found = file.numbers("CellData/marks");
  auto const num_cells = static_cast<std::size_t>(mesh.cells().num_global);
  for (std::size_t step = 0; step < 3; ++step) {
    CHECK(u_begins[step] == static_cast<double>(step * num_points));
    CHECK(marks_begin[step] == static_cast<double>(step * cell_ids.size()));
    for (std::size_t v = 0; v < vertex_ids.size(); ++v)
      REQUIRE(values[step * num_points + v] ==
              value_at(0, static_cast<std::int64_t>(vertex_ids[v]), static_cast<int>(step)));
    for (std::size_t c = 0, seen = 0; c < cell_ids.size() && seen < num_cells; ++c) {
      if (cell_ids[c] >= static_cast<double>(num_cells))
        continue; // a tagged side
      ++seen;
      for (std::size_t k = 0; k < 2; ++k)
        REQUIRE(found[2 * (step * cell_ids.size() + c) + k] ==
                cell_ids[c] + 1000.0 * static_cast<double>(step) + static_cast<double>(k));
    }
  }
}

TEST_CASE("what no series can be is refused on all ranks and leaves the steps before") {
  auto const all = world();
  auto const folder = fresh_folder(all, "refused");
  Grid<2> const grid(all, {.cells = {13, 17}}), other(all, {.cells = {14, 17}});
  auto u = grid.field<double>("u"), wide = other.field<double>("u");
  auto real = grid.field<float>("u");
  std::string const path = folder / "u.vtkhdf";
  CHECK_THAT(refusal_of(all,
                        [&] { vtkhdf_series(grid, std::tie(u), path, {.expected_steps = 0}); }),
             Contains("0 expected steps (expected at least 1)"));
  CHECK_THAT(refusal_of(all, [&] { vtkhdf_series(grid, std::tie(wide), path); }),
             Contains("another grid"));
  CHECK_THAT(refusal_of(all, [&] { vtkhdf_series(grid, std::tie(u), folder / "no" / "u.vtkhdf"); }),
             Contains("No such file or directory"));
  CHECK_THAT(
      refusal_of(all,
                 [&] { vtkhdf_series(grid, std::tie(u), path, {.expected_steps = 1LL << 60}); }),
      Contains("expected at most"));
  {
    vtkhdf_series series(grid, std::tie(u), path);
    set(u, 5);
    series.append(5);
    for (double const time : {5.0, 4.0})
      CHECK_THAT(refusal_of(all, [&] { series.append(time); }),
                 Contains("expected a finite number above 5"));
    CHECK_THAT(refusal_of(all, [&] { series.append(std::numeric_limits<double>::infinity()); }),
               Contains("time inf"));
    CHECK(series.num_steps() == 1);
  }
  for (auto const& call : std::vector<std::function<void()>>{
           [&] { vtkhdf_series(other, std::tie(wide), path, {.continue_at = 9.0}); },
           [&] { vtkhdf_series(grid, std::tie(real), path, {.continue_at = 9.0}); }})
    CHECK_THAT(refusal_of(all, call), Contains("it has no steps of PointData/u"));
  Mesh const mesh(all, box_mesh(all, shape::triangle, {5, 4, 1}));
  MeshField<double> on_mesh(mesh, "u", 0);
  CHECK_THAT(
      refusal_of(all, [&] { vtkhdf_series(mesh, std::tie(on_mesh), path, {.continue_at = 9.0}); }),
      Contains("continues an older file"));
  if (grid.rank() == 0)
    check_steps(path, grid, {5});
  mpi::barrier(all);
}

TEST_CASE("a full disk is found before the first step, and leaves the steps before") {
  auto const all = world();
  auto const folder = fresh_folder(all, "full");
  Grid<2> const grid(all, {.cells = {64, 64}});
  auto u = grid.field<double>("u");
  std::string const path = folder / "u.vtkhdf";
  {
    file_size_limit const limit(100'000);
    CHECK_THAT(refusal_of(all,
                          [&] { vtkhdf_series(grid, std::tie(u), path, {.expected_steps = 2}); }),
               Contains("u.vtkhdf'") && Contains("bytes are needed: File too large"));
  }
  vtkhdf_series series(grid, std::tie(u), path, {.expected_steps = 1});
  set(u, 0);
  series.append(0);
  {
    file_size_limit const limit(100'000);
    CHECK_THAT(refusal_of(all, [&] { series.append(1); }), Contains("too large"));
  }
  if (grid.rank() == 0)
    check_steps(path, grid, {0});
  mpi::barrier(all);
  set(u, 1);
  series.append(1);
  if (grid.rank() == 0)
    check_steps(path, grid, {0, 1});
  mpi::barrier(all);
}

} // namespace seam::testing

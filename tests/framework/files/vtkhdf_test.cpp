// What write() stores is read back serially through HDF5's own C interface by rank 0, and compared
// with the values that the cells were filled with, so the file is the same at every rank count.
#include <support/catch.hpp>
#include <support/files.hpp>
#include <support/full_disk.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/files/vtkhdf.hpp>

#include <hdf5.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>

using namespace seam;
using namespace seam::testing;

namespace {

using Catch::Contains;
namespace fs = std::filesystem;

/// A number for every cell, exact in all types that are tested.
template <int D>
int number_of(cell_index<D> const& cell) {
  std::int64_t number = 0;
  for (auto i : cell)
    number = 5 * number + i;
  return static_cast<int>(number % 113);
}

template <class T, int D>
Field<T, D> numbered(Grid<D> const& grid, std::string const& name) {
  auto field = grid.template field<T>(name);
  auto const cells = field.view();
  for_each_cell(field.owned(), [&](cell_index<D> const& at) {
    cell_index<D> global = at;
    for (std::size_t a = 0; a < at.size(); ++a)
      global[a] += grid.owned().lo[a];
    cells[at] = static_cast<T>(number_of<D>(global));
  });
  return field;
}

/// An image as it lies in a file. Slowest axis first.
struct stored_image {
  std::vector<hsize_t> extents;
  std::vector<double> values;
};

stored_image read_image(std::string const& path, std::string const& name) {
  stored_image image;
  hid_t const file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t const data = H5Dopen2(file, ("/VTKHDF/PointData/" + name).c_str(), H5P_DEFAULT);
  REQUIRE(data >= 0);
  hid_t const space = H5Dget_space(data);
  image.extents.resize(H5Sget_simple_extent_ndims(space));
  H5Sget_simple_extent_dims(space, image.extents.data(), nullptr);
  image.values.resize(H5Sget_simple_extent_npoints(space));
  H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, image.values.data());
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
  return image;
}

template <class T>
std::vector<T> read_attribute(std::string const& path, char const* name, hid_t type) {
  hid_t const file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t const attribute = H5Aopen_by_name(file, "/VTKHDF", name, H5P_DEFAULT, H5P_DEFAULT);
  REQUIRE(attribute >= 0);
  hid_t const space = H5Aget_space(attribute);
  std::vector<T> values(H5Sget_simple_extent_npoints(space));
  H5Aread(attribute, type, values.data());
  H5Sclose(space);
  H5Aclose(attribute);
  H5Fclose(file);
  return values;
}

std::string read_type(std::string const& path) {
  hid_t const file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t const attribute = H5Aopen_by_name(file, "/VTKHDF", "Type", H5P_DEFAULT, H5P_DEFAULT);
  hid_t const type = H5Aget_type(attribute);
  CHECK(H5Tget_class(type) == H5T_STRING);
  CHECK(H5Tis_variable_str(type) == 0);
  CHECK(H5Tget_cset(type) == H5T_CSET_ASCII);
  std::string text(H5Tget_size(type), '?');
  H5Aread(attribute, type, text.data());
  H5Tclose(type);
  H5Aclose(attribute);
  H5Fclose(file);
  return text;
}

/// The number of the cell that each point of the image shows.
template <int D>
std::vector<double> expected_values(cell_index<D> const& cells) {
  std::vector<double> values;
  cell_index<3> all{1, 1, 1}, points{};
  std::copy(cells.begin(), cells.end(), all.end() - D);
  for (std::size_t a = 0; a < 3; ++a)
    points[a] = all[a] == 1 ? 2 : all[a];
  for_each_cell(box<3>{{}, points}, [&](cell_index<3> point) {
    cell_index<D> cell{};
    for (std::size_t a = 0; a < cell.size(); ++a)
      cell[a] = cells[a] == 1 ? 0 : point[a + 3 - cell.size()];
    values.push_back(number_of<D>(cell));
  });
  return values;
}

template <int D>
void check_roundtrip(cell_index<D> const& cells, std::vector<hsize_t> const& extents,
                     neighborhood const& around) {
  Grid<D> const grid(world(), {.cells = cells, .neighborhood = around});
  auto const u = numbered<double>(grid, "u");
  write(grid, u, "roundtrip.vtkhdf");
  if (grid.rank() == 0) {
    auto const image = read_image("roundtrip.vtkhdf", "u");
    CHECK(image.extents == extents);
    CHECK(image.values == expected_values<D>(cells));
  }
  mpi::barrier(grid.base());
}

template <class T>
void check_type(Grid<2> const& grid) {
  auto const u = numbered<T>(grid, "u");
  write(grid, u, "type.vtkhdf");
  if (grid.rank() == 0)
    CHECK(read_image("type.vtkhdf", "u").values == expected_values<2>(grid.cells()));
  mpi::barrier(grid.base());
}

std::vector<std::string> names_in(fs::path const& folder) {
  std::vector<std::string> names;
  for (auto const& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename());
  return names;
}

} // namespace

TEST_CASE("paths may be as long as the file system takes") {
  auto const all = world();
  fs::path const folder = fs::path(std::string(200, 'd')) / std::string(200, 'e');
  if (all.rank() == 0)
    fs::create_directories(folder);
  mpi::barrier(all);
  Grid<2> const grid(all, {.cells = {9, 10}});
  auto const u = numbered<double>(grid, "u");
  auto const path = folder / (std::string(248, 'u') + ".vtkhdf");
  write(grid, u, path);
  if (all.rank() == 0)
    CHECK(read_image(path, "u").values == expected_values<2>({9, 10}));
  mpi::barrier(all);
}

TEST_CASE("a field's cells are the points of a three-dimensional image") {
  check_roundtrip<3>({9, 7, 11}, {9, 7, 11}, von_neumann(1));
  check_roundtrip<3>({16, 5, 8}, {16, 5, 8}, offsets({{0, 0, 2}, {-1, 0, 0}}));
  check_roundtrip<2>({13, 17}, {2, 13, 17}, moore(1));
  check_roundtrip<1>({29}, {2, 2, 29}, von_neumann(2));
}

TEST_CASE("an axis of one cell becomes two points") {
  check_roundtrip<3>({11, 1, 13}, {11, 2, 13}, von_neumann(1));
  check_roundtrip<3>({1, 12, 10}, {2, 12, 10}, von_neumann(1));
  check_roundtrip<2>({12, 1}, {2, 12, 2}, von_neumann(1));
}

TEST_CASE("every numeric type is stored as it is") {
  Grid<2> const grid(world(), {.cells = {9, 10}});
  check_type<float>(grid);
  check_type<char>(grid);
  check_type<signed char>(grid);
  check_type<unsigned char>(grid);
  check_type<short>(grid);
  check_type<unsigned short>(grid);
  check_type<int>(grid);
  check_type<unsigned>(grid);
  check_type<long>(grid);
  check_type<unsigned long long>(grid);
}

TEST_CASE("the attributes are those of VTKHDF 1.0, VTK's x being the last axis") {
  Grid<3> const grid(world(), {.cells = {8, 6, 4}, .lower = {-1, 0, 2}, .upper = {1, 3, 4}});
  write(grid, grid.field<float>("u"), "attributes.vtkhdf");
  if (grid.rank() != 0)
    return;
  std::string const path = "attributes.vtkhdf";
  CHECK(read_attribute<int>(path, "Version", H5T_NATIVE_INT) == std::vector{1, 0});
  CHECK(read_type(path) == "ImageData");
  CHECK(read_attribute<int>(path, "WholeExtent", H5T_NATIVE_INT) == std::vector{0, 3, 0, 5, 0, 7});
  CHECK(read_attribute<double>(path, "Spacing", H5T_NATIVE_DOUBLE) == std::vector{0.5, 0.5, 0.25});
  CHECK(read_attribute<double>(path, "Origin", H5T_NATIVE_DOUBLE) ==
        std::vector{2.25, 0.25, -0.875});
  CHECK(read_attribute<double>(path, "Direction", H5T_NATIVE_DOUBLE) ==
        std::vector{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0});
}

TEST_CASE("several fields share a file, which replaces an older one") {
  Grid<2> const grid(world(), {.cells = {10, 12}});
  auto const u = numbered<double>(grid, "u"), v = numbered<double>(grid, "v-2.old_");
  auto const bytes = numbered<unsigned char>(grid, "_bytes");
  write(grid, v, "several.vtkhdf");
  write(grid, std::tie(u, v, bytes), "several.vtkhdf");
  if (grid.rank() == 0)
    for (std::string const& name : {u.name(), v.name(), bytes.name()})
      CHECK(read_image("several.vtkhdf", name).values == expected_values<2>(grid.cells()));
}

TEST_CASE("what cannot be written is refused on all ranks and leaves the old file") {
  auto const all = world();
  auto const folder = fresh_folder(all, "refused");
  Grid<2> const grid(all, {.cells = {64, 64}});
  auto const u = numbered<double>(grid, "u");
  auto const odd = grid.field<double>("u/v"), empty = grid.field<double>("");
  Grid<2> const other(all, {.cells = {64, 64}});
  auto const foreign = other.field<double>("w");
  std::string const path = folder / "u.vtkhdf";

  CHECK_THAT(refusal_of(all, [&] { write(grid, odd, path); }), Contains("field 'u/v'"));
  CHECK_THAT(refusal_of(all, [&] { write(grid, empty, path); }), Contains("field ''"));
  CHECK_THAT(refusal_of(all, [&] { write(grid, std::tie(u, u), path); }), Contains("two fields"));
  CHECK_THAT(refusal_of(all, [&] { write(grid, foreign, path); }), Contains("another grid"));
  CHECK_THAT(refusal_of(all, [&] { write(grid, u, folder / "no" / "u.vtkhdf"); }),
             Contains("refused/no/u.vtkhdf") && Contains("No such file or directory"));
  CHECK_THAT(refusal_of(all, [&] { write(grid, u, folder); }), Contains("directory"));
  CHECK_THAT(refusal_of(all, [&] { write(grid, u, "/dev/null"); }), Contains("regular file"));
  CHECK_THAT(refusal_of(all, [&] { write(grid, u, ""); }), Contains("names no file"));
  if (grid.rank() == 0)
    CHECK(names_in(folder).empty());
}

TEST_CASE("a full disk is found on all ranks and leaves the old file") {
  auto const all = world();
  auto const folder = fresh_folder(all, "full");
  Grid<2> const grid(all, {.cells = {64, 64}});
  auto const u = numbered<double>(grid, "u"), more = numbered<double>(grid, "more");
  std::string const path = folder / "u.vtkhdf";
  write(grid, u, path);

  std::string line;
  {
    file_size_limit const limit(8192);
    line = refusal_of(all, [&] { write(grid, std::tie(u, more), path); });
    CHECK_THAT(refusal_of(all, [&] { require_room(grid, std::tie(u, more), path); }),
               Contains("u.vtkhdf': 137216 bytes are needed: File too large"));
  }
  CHECK_THAT(line, Contains("u.vtkhdf'") && Contains("too large"));
  CHECK(refusal_of(all, [&] { require_room(grid, std::tie(u, more), path); }) ==
        "nothing was thrown");
  CHECK(refusal_of(all, [&] { require_room(grid, std::tie(u), ""); }) == "nothing was thrown");
  if (grid.rank() == 0) {
    CHECK(names_in(folder) == std::vector<std::string>{"u.vtkhdf"});
    CHECK(read_image(path, "u").values == expected_values<2>(grid.cells()));
  }
}

TEST_CASE("a rank that cannot write while others can leaves the old file or a whole new one") {
  auto const all = world();
  auto const folder = fresh_folder(all, "partly_full");
  Grid<2> const grid(all, {.cells = {64, 64}});
  auto const u = numbered<double>(grid, "u"), more = numbered<double>(grid, "more");
  std::string const path = folder / "u.vtkhdf";
  write(grid, u, path);

  std::string line;
  {
    file_size_limit const limit(grid.rank() == 0 ? RLIM_INFINITY : 8192);
    line = refusal_of(all, [&] { write(grid, std::tie(u, more), path); });
  }
  if (grid.rank() == 0) {
    CHECK(names_in(folder) == std::vector<std::string>{"u.vtkhdf"});
    CHECK(read_image(path, "u").values == expected_values<2>(grid.cells()));
    if (line == "nothing was thrown")
      CHECK(read_image(path, "more").values == expected_values<2>(grid.cells()));
  }
}

#include <support/catch.hpp>
#include <support/files.hpp>
#include <support/world.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/framework/checkpoint/checkpoint.hpp>
#include <seam/framework/files/output_file.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::testing;

namespace {

namespace fs = std::filesystem;

/// Without bytes between its members, which have any values.
struct particle {
  std::int64_t id;
  double place;
  friend bool operator==(particle const&, particle const&) = default;
};

/// A value that depends on the field, the level, the component and the place alone.
template <class T, int D>
T value_of(int of, int level, int component, cell_index<D> const& at) {
  std::uint64_t mixed = 1 + static_cast<std::uint64_t>(of + 7 * level + 31 * component);
  for (std::int64_t const index : at)
    mixed = (mixed ^ static_cast<std::uint64_t>(index)) * 0x9e3779b97f4a7c15U + (mixed >> 29);
  if constexpr (std::is_same_v<T, particle>)
    return {static_cast<std::int64_t>(mixed >> 33), static_cast<double>(mixed >> 11)};
  else
    return static_cast<T>(mixed >> 40);
}

template <class T, int D, class Act>
void for_each_value(Field<T, D>& field, Act const& act) {
  cell_index<D> const first = field.grid().owned(field.on()).lo;
  for (int level = 0; level < field.num_levels(); ++level)
    for (int c = 0; c < field.num_components(); ++c)
      for_each_cell(field.owned(), [&, view = field.view(c, -level)](cell_index<D> const& at) {
        cell_index<D> global = at;
        for (std::size_t a = 0; a < at.size(); ++a)
          global[a] += first[a];
        act(view[at], level, c, global);
      });
}

template <class T, int D>
void set_values(Field<T, D>& field, int of) {
  for_each_value(field, [&](T& value, int level, int c, cell_index<D> const& at) {
    value = value_of<T, D>(of, level, c, at);
  });
}

template <class T, int D>
int num_wrong(Field<T, D>& field, int of) {
  int wrong = 0;
  for_each_value(field, [&](T const& value, int level, int c, cell_index<D> const& at) {
    wrong += value == value_of<T, D>(of, level, c, at) ? 0 : 1;
  });
  return wrong;
}

/// Fields of all kinds on a grid over some ranks.
template <int D>
struct fields {
  explicit fields(Communicator const& over, grid_options<D> const& options)
      : grid(over, options),
        cells(grid.template field<double>("cells", {.components = 3, .levels = 2})),
        faces(grid.template field<float>("faces", {.on = on_faces(D - 1)})),
        corners(grid.template field<std::uint8_t>("corners", {.on = on_corners})),
        particles(grid.template field<particle>("particles", {.components = 2})) {}

  template <class Act>
  void for_each(Act const& act) {
    act(cells, 1), act(faces, 2), act(corners, 3), act(particles, 4);
  }

  Grid<D> grid;
  Field<double, D> cells;
  Field<float, D> faces;
  Field<std::uint8_t, D> corners;
  Field<particle, D> particles;
};

template <int D>
void write_fields(int num_ranks, grid_options<D> const& options, std::string const& path) {
  auto const some = first_ranks(num_ranks);
  if (some.native() == MPI_COMM_NULL)
    return;
  auto const over = Communicator::dup(some);
  fields<D> all(over, options);
  all.for_each([](auto& field, int of) { set_values(field, of); });
  std::int64_t step = 1234567890123;
  double time = 0.1;
  std::mt19937_64 random(5);
  save(over, path, all.cells, all.faces, all.corners, all.particles, value("step", step),
       value("time", time), value("random", random));
}

template <int D>
void read_fields(int num_ranks, grid_options<D> const& options, std::string const& path) {
  auto const some = first_ranks(num_ranks);
  if (some.native() == MPI_COMM_NULL)
    return;
  auto const over = Communicator::dup(some);
  fields<D> all(over, options);
  std::int64_t step = 0;
  double time = 0;
  std::mt19937_64 random;
  load(over, path, all.cells, all.faces, all.corners, all.particles, value("step", step),
       value("time", time), value("random", random));
  all.for_each([](auto& field, int of) {
    CAPTURE(field.name());
    CHECK(num_wrong(field, of) == 0);
  });
  CHECK(step == 1234567890123);
  CHECK(time == 0.1);
  CHECK(random == std::mt19937_64(5));
}

/// Writes on each number of ranks, reads on each, and compares the files.
template <int D>
void write_and_read_on_all(grid_options<D> const& options) {
  auto const all = world();
  fs::path const folder = fresh_folder(all, "fields");
  for (int writers = 1; writers <= all.size(); ++writers) {
    std::string const path = folder / (std::to_string(writers) + ".h5");
    write_fields<D>(writers, options, path);
    mpi::barrier(all);
    for (int readers = 1; readers <= all.size(); ++readers) {
      CAPTURE(writers, readers, D);
      read_fields<D>(readers, options, path);
      mpi::barrier(all);
    }
    if (all.rank() == 0) {
      bool const is_same = content_of(numbered_path(path, 1)) == content_of(folder / "1-0001.h5");
      CHECK(is_same);
    }
  }
}

} // namespace

TEST_CASE("fields and values that some ranks write are the same on any other ranks") {
  write_and_read_on_all<1>({.cells = {37}});
  write_and_read_on_all<2>({.cells = {13, 17}, .periodic = {true, false}});
  write_and_read_on_all<3>({.cells = {9, 8, 11}, .periodic = {false, true, false}});
}

TEST_CASE("arrays of several pieces and slices arrive whole") {
  auto const all = world();
  fs::path const folder = fresh_folder(all, "large");
  Grid<2> const grid(all, {.cells = {2111, 1013}});
  auto u = grid.field<double>("u"), back = grid.field<double>("u");
  set_values(u, 1);
  save(all, folder / "u.h5", u);
  load(all, folder / "u.h5", back);
  CHECK(num_wrong(back, 1) == 0);
}

TEST_CASE("the last files are kept, and the newest is loaded") {
  auto const all = world();
  fs::path const folder = fresh_folder(all, "kept");
  int const keep = GENERATE(1, 3);
  for (int step = 1; step <= 5; ++step)
    save(all, {(folder / "run.h5").string(), keep}, value("step", step));
  int step = 0;
  load(all, folder / "run.h5", value("step", step));
  CHECK(step == 5);
  mpi::barrier(all);
  CHECK(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == keep);
}

TEST_CASE("save() names its file, and load() takes a file or a run") {
  auto const all = world();
  fs::path const path = fresh_folder(all, "named") / "run.h5";
  std::vector<std::string> files;
  for (int step = 1; step <= 2; ++step)
    files.push_back(save(all, path, value("step", step)));
  CHECK((files == std::vector{numbered_path(path, 1), numbered_path(path, 2)}));
  int step = 0;
  load(all, files.front(), value("step", step));
  CHECK(step == 1);
  load(all, path, value("step", step));
  CHECK(step == 2);
}

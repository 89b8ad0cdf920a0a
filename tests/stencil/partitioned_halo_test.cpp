// Partitioned halos: cells made ready in any order by any thread bring the ghosts that a plain halo
// brings, and what is ready alone arrives alone.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/stall.hpp>
#include <seam/stencil/ghosts/halo.hpp>
#include <seam/stencil/ghosts/partitioned_halo.hpp>
#include <seam/stencil/roles/iterate.hpp>

#include <support/catch.hpp>
#include <support/stderr_of.hpp>
#include <support/tiles.hpp>
#include <support/world.hpp>

#include <cmath>
#include <random>
#include <thread>

using namespace seam;
using namespace seam::detail;

namespace {

template <int D>
void number_cells(Field<double, D>& u, double first) {
  auto const cells = u.view();
  double number = first + 1e6 * u.grid().rank();
  for_each_cell(cells.local(), [&](cell_index<D> const& at) { cells[at] = ++number; });
}

/// Values that differ, among them those of ghosts that are out of date.
template <int D>
std::int64_t num_different(Field<double, D> const& u, Field<double, D> const& v) {
  auto const one = u.storage(), other = v.storage();
  std::int64_t different = 0;
  for (std::size_t k = 0; k < one.size(); ++k)
    different += one.data()[k] != other.data()[k];
  return different;
}

template <int D>
neighborhood random_neighborhood(std::mt19937& random) {
  std::uniform_int_distribution entry(-2, 2);
  std::vector<std::vector<int>> list(1 + random() % 4, std::vector<int>(D));
  for (auto& offset : list)
    for (int& step : offset)
      step = entry(random);
  return offsets(list);
}

/// Boxes that together are `all`, by a few threads in a random order.
template <int D>
void make_ready(PartitionedHalo<D>& halo, box<D> const& all, std::mt19937 random) {
  auto tiles = testing::tiles_of(all, 7);
  std::ranges::shuffle(tiles, random);
  std::vector<std::thread> threads;
  constexpr int num_threads = 3;
  for (int t = 0; t < num_threads; ++t)
    threads.emplace_back([&, t] {
      for (int k = t; k < std::ssize(tiles); k += num_threads)
        halo.ready(tiles[k]);
    });
  for (std::thread& thread : threads)
    thread.join();
}

template <int D>
void compare_with_plain_halos(cell_index<D> const& cells, int trials) {
  std::mt19937 random(static_cast<unsigned>(D));
  for (int trial = 0; trial < trials; ++trial) {
    grid_options<D> options{.cells = cells, .neighborhood = random_neighborhood<D>(random)};
    for (bool& periodic : options.periodic)
      periodic = random() % 2 == 0;
    Grid<D> grid(testing::world(), options);
    auto u = grid.template field<double>("u"), v = grid.template field<double>("v"),
         expected = grid.template field<double>("expected");
    auto plain = make_halo(expected);
    auto back = make_reverse_halo(reduction::sum, expected);
    auto parts = make_partitioned_halo(u, v);
    auto parts_back = make_partitioned_reverse_halo(reduction::sum, u, v);
    for (int round = 0; round < 2; ++round) {
      number_cells(expected, round), number_cells(u, round), number_cells(v, round);
      plain.run();
      parts.start();
      make_ready(parts, u.owned(), random);
      parts.wait();
      CHECK(parts.arrived(u.view().local()));
      CHECK(num_different(u, expected) == 0);
      back.run();
      parts_back.start();
      make_ready(parts_back, u.view().local(), random);
      parts_back.wait();
      CHECK(num_different(u, expected) == 0);
      CHECK(num_different(v, expected) == 0);
    }
  }
}

} // namespace

TEST_CASE("cells made ready in any order bring the ghosts of a plain halo, there and back") {
  compare_with_plain_halos<1>({41}, 8);
  compare_with_plain_halos<2>({17, 22}, 10);
  compare_with_plain_halos<3>({9, 11, 10}, 10);
}

TEST_CASE("tile by tile as the header shows, borders included") {
  Grid<2> grid(testing::world(),
               {.cells = {26, 9}, .periodic = {false, true}, .neighborhood = moore(1)});
  auto u = grid.field<double>("u"), expected = grid.field<double>("expected");
  for (auto* field : {&u, &expected})
    field->boundary(neumann([](position<2> const& x) { return x[1]; }));
  auto plain = make_halo(expected);
  auto const tiles = testing::tiles_of(u.owned(), 5);
  auto const value = [&](cell_index<2> const& at) {
    return std::sin(static_cast<double>(7 * (at[0] + grid.owned().lo[0]) + 3 * at[1]));
  };
  for_each_cell(u.owned(), [&](cell_index<2> const& at) { expected.view()[at] = value(at); });
  plain.run();
  expected.fill_borders();
  std::int64_t wrong = 0;
  auto const compute = [&](box<2> const& tile) {
    for_each_cell(tile, [&](cell_index<2> const& at) { u.view()[at] = value(at); });
  };
  auto const use = [&](box<2> const& tile) {
    for_each_cell(grow(tile, {1, 1}, {1, 1}),
                  [&](cell_index<2> const& at) { wrong += u.view()[at] != expected.view()[at]; });
  };

  auto halo = make_partitioned_halo(u);
  halo.start();
  for (box<2> const& tile : tiles) { // each owned cell once; several threads may share them
    compute(tile);
    halo.ready(tile);
  }
  for (box<2> const& tile : tiles) {
    halo.wait(grid.read_by(tile)); // or arrived(), and another tile first
    u.fill_borders(tile);          // ghosts beyond the domain
    use(tile);
  }
  halo.wait();
  CHECK(wrong == 0);
}

TEST_CASE("waiting for a box does not wait for other ghosts, nor for those beyond borders") {
  auto const world = testing::world();
  Grid<1> grid(world, {.cells = {64}});
  auto u = grid.field<double>("u");
  std::int64_t const n = u.owned().hi[0];
  u.fill(1.0 + grid.rank());
  u.boundary(outside(-5.0));
  auto halo = make_partitioned_halo(u);
  CHECK_THROWS_WITH(halo.wait({{-1}, {0}}), Catch::Contains("wait before the first start"));
  halo.start();
  halo.ready({{n - 1}, {n}}); // what the next rank needs
  box<1> const first{{0}, {1}};
  halo.wait(grid.read_by(first));
  u.fill_borders(first);
  CHECK(u.view()[{-1}] == (grid.owned().lo[0] == 0 ? -5.0 : grid.rank()));
  mpi::barrier(world);
  if (grid.rank() + 1 < grid.size())
    CHECK_FALSE(halo.arrived({{n}, {n + 1}}));
  CHECK(u.storage()(n + 1) != 2.0 + grid.rank()); // the memory of a ghost on its way
  mpi::barrier(world);
  halo.ready({{0}, {n - 1}});
  halo.wait();
}

TEST_CASE("the ghosts on one side arrive while the other side is not ready") {
  auto const world = testing::world();
  Grid<1> grid(world, {.cells = {64}, .periodic = {true}});
  auto u = grid.field<double>("u");
  std::int64_t const n = u.owned().hi[0];
  auto const cells = u.view();
  box<1> const below{{-1}, {0}}, above{{n}, {n + 1}};
  auto halo = make_partitioned_halo(u);
  CHECK_THROWS_WITH(halo.ready(u.owned()), Catch::Contains("ready before the first start"));
  for (int round = 0; round < 5; ++round) {
    u.fill(100.0 * round + grid.rank());
    halo.start();
    halo.ready({{n - 1}, {n}}); // what the next rank needs
    if (grid.size() > 2) {
      while (!halo.arrived(below)) {
      }
      CHECK(cells[{-1}] == 100.0 * round + (grid.rank() + grid.size() - 1) % grid.size());
      mpi::barrier(world);
      CHECK_FALSE(halo.arrived(above));
      CHECK_FALSE(halo.test());
      CHECK_THROWS_WITH(halo.start(), Catch::Contains("in flight already"));
      mpi::barrier(world);
    }
    halo.ready({{0}, {n - 1}});
    halo.wait();
    CHECK(cells[{n}] == 100.0 * round + (grid.rank() + 1) % grid.size());
  }
}

TEST_CASE("cells are ready once") {
  Grid<2> grid(testing::world(), {.cells = {20, 20}, .periodic = {true, true}});
  auto u = grid.field<double>("u");
  auto halo = make_partitioned_halo(u);
  halo.start();
  halo.ready(u.owned());
  CHECK_THROWS_WITH(halo.ready(u.owned()), Catch::Contains("are ready twice"));
  halo.wait();
}

TEST_CASE("a partitioned halo notices that a loop has swapped its field's storage") {
  Grid<1> grid(testing::world(), {.cells = {40}, .periodic = {true}});
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  auto halo = make_partitioned_halo(u);
  Iterate loop(grid, u, next);
  loop.sweep([](auto v, int i) { return v(i - 1); });
  CHECK_THROWS_WITH(halo.start(), Catch::Contains("the storage of field 'u' has been swapped"));
  CHECK(halo.test());
}

TEST_CASE("in checked mode a cell that is ready twice does not stand for one that is not") {
  Grid<2> grid(testing::world(), {.cells = {24, 24}, .periodic = {true, true}});
  auto u = grid.field<double>("u"), expected = grid.field<double>("expected");
  auto plain = make_halo(expected);
  for (bool const checked : {true, false}) {
    checks_in_scope const mode(checked);
    auto halo = make_partitioned_halo(u);
    for (int round = 0; round < 2; ++round) {
      number_cells(u, round), number_cells(expected, round);
      plain.run();
      halo.start();
      for (box<2> const& tile : testing::tiles_of(u.owned(), 7)) {
        halo.ready(tile);
        if (checked && tile.lo == u.owned().lo)
          CHECK_THROWS_WITH(halo.ready(tile), Catch::Contains("are ready twice"));
      }
      halo.wait();
      CHECK(num_different(u, expected) == 0);
    }
  }
}

TEST_CASE("who waits for a cell that is never ready says so after a while") {
  auto const world = testing::world();
  if (world.size() == 1)
    return;
  Grid<1> grid(world, {.cells = {4 * world.size()}, .periodic = {true}});
  auto u = grid.field<double>("u");
  auto halo = make_partitioned_halo(u);
  halo.start();
  set_time_before_report(stall_time(0.1));
  auto const all = u.owned();
  halo.ready({all.lo, {all.lo[0] + 1}});
  std::string const said = testing::stderr_of([&] {
    std::jthread const late([&] {
      testing::wait_for_stderr();
      halo.ready({{all.lo[0] + 1}, all.hi});
    });
    halo.wait();
  });
  set_time_before_report(std::nullopt);
  CHECK_THAT(said, Catch::Contains("s in the halo of u: an exchange in round 1 of") &&
                       Catch::Contains("; the message to rank") &&
                       Catch::Contains("waits for gate"));
}

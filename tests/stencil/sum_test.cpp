// Sums, extremes and norms of grids against exact integers and expansions: the same bits on any
// ranks, threads and shapes of blocks.
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/fields/sum.hpp>

#include <support/catch.hpp>
#include <support/exact_oracle.hpp>
#include <support/field_types.hpp>
#include <support/world.hpp>

#include <set>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

template <int D>
std::int64_t number_of(Grid<D> const& grid, cell_index<D> const& at) {
  std::int64_t number = 0;
  for (int a = 0; a < std::ssize(at); ++a)
    number = number * grid.cells()[a] + at[a] + grid.owned().lo[a];
  return number;
}

/// u = values[number of the cell]; ghosts hold what must not be counted.
template <class T, int D>
void set(Field<T, D>& u, std::vector<T> const& values) {
  for_each_cell(u.view().local(), [&](cell_index<D> const& at) {
    u.view()[at] = u.owned().contains(at) ? values[number_of(u.grid(), at)] : static_cast<T>(99);
  });
}

/// Grids of the same cells on which blocks have different shapes.
std::vector<Grid<2>> grids_of_all_shapes(cell_index<2> const& cells) {
  Communicator const all = world();
  std::vector<Grid<2>> grids{Grid<2>(all, {.cells = cells, .neighborhood = moore(1)})};
  if (cells[0] >= all.size())
    grids.emplace_back(all, grid_options<2>{.cells = cells, .processes = {all.size(), 1}});
  if (cells[1] >= all.size())
    grids.emplace_back(all, grid_options<2>{.cells = cells, .processes = {1, all.size()}});
  return grids;
}

} // namespace

TEST_CASE("sums and products of fields are exact, on blocks of any shape") {
  for (unsigned seed = 0; seed < 4; ++seed) {
    INFO("seed " << seed);
    auto const values = cancelling_values(seed, 37 * 41);
    for (auto const& grid : grids_of_all_shapes({37, 41})) {
      auto u = grid.field<double>("u");
      set(u, values);
      CHECK(sum(u) == expansion_sum(values));
      CHECK(sum(grid, [u = u.view()](int i, int j) { return -u(i, j); }) == -expansion_sum(values));
    }
    std::mt19937_64 random(seed);
    std::vector<double> a, b;
    int128 products = 0, squares = 0;
    for (int k = 0; k < 37 * 41; ++k) {
      auto const x = static_cast<std::int64_t>(random()) >> 20;
      auto const y = static_cast<std::int64_t>(random()) >> (13 + k % 40);
      a.push_back(std::ldexp(double(x), -30));
      b.push_back(std::ldexp(double(y), -44));
      products += int128{x} * y;
      squares += int128{x} * x;
    }
    for (auto const& grid : grids_of_all_shapes({37, 41})) {
      auto u = grid.field<double>("u"), v = grid.field<double>("v");
      set(u, a), set(v, b);
      CHECK(dot(u, v) == scaled(products, 74));
      CHECK(dot(u, u) == scaled(squares, 60));
      CHECK(norm(u) == Approx(std::sqrt(scaled(squares, 60))).epsilon(1e-15));
      CHECK(norm(grid, [u = u.view()](int i, int j) { return u(i, j); }) == norm(u));
    }
  }
}

TEST_CASE("functions are called once for each cell, with its indices in the block") {
  Communicator const all = world();
  Grid<1> const line(all, {.cells = {50}});
  Grid<3> const cube(all, {.cells = {6, 7, 8}});
  std::int64_t const first = line.owned().lo[0];
  CHECK(sum(line, [=](int i) { return i + first; }) == 49 * 50 / 2);
  CHECK(sum(line, [=](cell_index<1> const& at) { return at[0] + first; }) == 49 * 50 / 2);
  auto const owned = cube.owned();
  CHECK(sum(cube, [=](auto i, auto j, auto k) {
          return (i + owned.lo[0]) * 10'000 + (j + owned.lo[1]) * 100 + (k + owned.lo[2]);
        }) == 8 * 7 * 15 * 10'000 + 8 * 6 * 21 * 100 + 7 * 6 * 28);
  CHECK(sum(cube, [](auto... at) { return sizeof...(at) == 3; }) == 6 * 7 * 8);
  CHECK(maximum(cube, [=](cell_index<3> const& at) { return number_of(cube, at); }) ==
        6 * 7 * 8 - 1);
}

TEST_CASE("extremes and norms of fields of all types") {
  for (auto const& grid : grids_of_all_shapes({12, 10})) {
    auto bytes = grid.field<std::uint8_t>("bytes");
    auto flags = grid.field<bool>("flags");
    auto shorts = grid.field<std::int16_t>("shorts");
    auto floats = grid.field<float>("floats");
    for_each_cell(bytes.owned(), [&](auto const& at) {
      auto const number = number_of(grid, at);
      bytes.view()[at] = static_cast<std::uint8_t>(number + 100);
      flags.view()[at] = number % 3 == 0;
      shorts.view()[at] = static_cast<std::int16_t>(10 * number - 1000);
      floats.view()[at] = static_cast<float>(number) / 4 - 20;
    });
    CHECK(sum(bytes) == 119 * 120 / 2 + 120 * 100);
    CHECK(sum(flags) == 40);
    CHECK(sum(shorts) == 10 * (119 * 120 / 2) - 120'000);
    CHECK(sum(floats) == 119 * 120 / 8.0 - 2400);
    CHECK(sum(floats, [](float value) { return value > 0; }) == 39);
    CHECK(minimum(shorts) == -1000);
    CHECK(maximum(bytes) == 219);
    CHECK(maximum_norm(shorts) == 1000);
    CHECK(minimum(floats) == -20);
    CHECK(maximum(floats, [](float value) { return -value; }) == 20);
    CHECK(maximum_norm(grid, [v = floats.view()](auto... at) { return v(at...) - 1; }) == 21);
    CHECK(norm(flags) == std::sqrt(40.0));
  }
}

TEST_CASE("a single value that is no number is not lost") {
  Grid<2> const grid(world(), {.cells = {24, 20}});
  for (std::int64_t where : {0, 7, 479}) {
    auto u = grid.field<double>("u");
    std::vector<double> values(480, 1.5);
    values[where] = std::nan("");
    set(u, values);
    CHECK(std::isnan(sum(u)));
    CHECK(std::isnan(norm(u)));
    CHECK(std::isnan(dot(u, u)));
    CHECK(std::isnan(minimum(u)));
    CHECK(std::isnan(maximum(u)));
    CHECK(std::isnan(maximum_norm(u)));
  }
}

TEST_CASE("fields of structures are reduced by functions of their values") {
  Grid<2> const grid(world(), {.cells = {12, 10}});
  auto u = grid.field<particle>("u");
  for_each_cell(u.owned(), [&](auto const& at) {
    u.view()[at] = {.mass = 0.5, .charge = 1, .id = number_of(grid, at)};
  });
  CHECK(sum(u, [](particle const& each) { return each.mass; }) == 60);
  CHECK(maximum(u, [](particle const& each) { return each.id; }) == 119);
  CHECK(minimum(u, [](particle const& each) { return each.charge; }) == 1);
}

TEST_CASE("values on faces and corners count once each, those on the domain's borders included") {
  for (auto const& grid : grids_of_all_shapes({13, 11})) {
    for (centering const on : {on_faces(0), on_faces(1), on_corners}) {
      auto u = grid.field<double>("u", {.on = on, .components = 2});
      box<2> const domain = grid.domain(on);
      u.fill(0, 1.0);
      u.fill(1, [&](position<2> const& x) { return x[0] > 0.99 ? 100.0 : 2.0; });
      auto const places = static_cast<double>(domain.num_cells());
      bool const has_last = domain.hi[0] > grid.cells()[0]; // a layer at x = 1
      double const beyond = has_last ? 98.0 * static_cast<double>(domain.extent(1)) : 0.0;
      CHECK(sum(u) == 3 * places + beyond);
      CHECK(sum(u, [](double) { return true; }) == 2 * domain.num_cells());
      CHECK(minimum(u) == 1);
      CHECK(maximum(u) == (has_last ? 100 : 2));
      CHECK(maximum_norm(u) == maximum(u));
      double const squares = 5 * places + beyond * (98 + 4);
      CHECK(norm(u) == Approx(std::sqrt(squares)).epsilon(1e-15));
      CHECK(dot(u, u) == squares);
    }
  }
}

TEST_CASE("products need fields of one grid") {
  Communicator const all = world();
  Grid<1> const first(all, {.cells = {40}}), other(all, {.cells = {40}});
  auto const u = first.field<double>("u"), v = other.field<double>("v");
  CHECK_THROWS_WITH(dot(u, v), Catch::Contains("fields 'u' and 'v' of different grids"));
  auto const across = first.field<double>("across", {.on = on_faces(0)});
  auto const pair = first.field<double>("pair", {.components = 2});
  CHECK_THROWS_WITH(dot(u, across), Catch::Contains("differ in their places on cells"));
  CHECK_THROWS_WITH(dot(u, pair), Catch::Contains("differ in their places on cells"));
}

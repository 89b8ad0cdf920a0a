// Fields hold the number of their last write and their own global indices, so that a ghost's value
// tells whether it is out of date. Checked views have to say the same.
#include <seam/exchange/ground/checks.hpp>
#include <seam/stencil/ghosts/halo.hpp>
#include <seam/stencil/ghosts/partitioned_halo.hpp>
#include <seam/stencil/roles/iterate.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/catch.hpp>
#include <support/stale_ghost_lines.hpp>
#include <support/world.hpp>

#include <random>
#include <utility>

using namespace seam;
using namespace seam::detail;
using Catch::Contains;

namespace {

Grid<2> torus(seam::neighborhood const& reach = von_neumann(1)) {
  grid_options<2> options;
  options.cells = {24, 36};
  options.periodic = {true, true};
  options.neighborhood = reach;
  return Grid<2>(testing::world(), options);
}

/// What write number `version` puts into a cell of the torus.
double value_in(Grid<2> const& grid, cell_index<2> at, int version) {
  std::int64_t number = version;
  for (int a = 0; a < 2; ++a) {
    std::int64_t const cells = grid.cells()[a];
    number = 100 * number + (at[a] + grid.owned().lo[a] + cells) % cells;
  }
  return static_cast<double>(number);
}

void write(Field<double, 2>& u, int version) {
  for_each_cell(u.owned(), [&, cells = u.view()](cell_index<2> const& at) {
    cells[at] = value_in(u.grid(), at, version);
  });
}

double read(Field<double, 2> const& u, cell_index<2> const& at) { return u.view()[at]; }

/// Reads a ghost by a view that might write, and a cell that makes the view look at what came of it.
double read_mutable(Field<double, 2>& u, cell_index<2> const& at) {
  double const value = u.view()[at];
  static_cast<void>(read(u, {0, 0}));
  u.shared()->stamps(u.shared()->buffers.front())->settle();
  return value;
}

} // namespace

/// A test of what reads `found` lists; passes where views are not checked.
#define CHECKED_TEST_CASE(name) CHECKED_TEST_CASE_BY(INTERNAL_CATCH_UNIQUE_NAME(look), name)
#define CHECKED_TEST_CASE_BY(look, name)                                                           \
  static void look(testing::stale_ghost_lines& found);                                             \
  TEST_CASE(name) {                                                                                \
    if (!testing::views_are_checked())                                                             \
      return;                                                                                      \
    testing::stale_ghost_lines found;                                                              \
    look(found);                                                                                   \
  }                                                                                                \
  static void look(testing::stale_ghost_lines& found)

CHECKED_TEST_CASE("a ghost may be read from a halo to the next write") {
  auto const grid = torus();
  auto u = grid.field<double>("u");
  CHECK(read(u, {-1, 0}) == 0); // as documented
  write(u, 1);
  read(u, {-1, 0});
  CHECK(found.count() == 1);
  auto halo = make_halo(u);
  halo.run();
  CHECK(read(u, {-1, 0}) == value_in(grid, {-1, 0}, 1));
  CHECK(found.count() == 1);
  write(u, 2);
  std::int64_t const n = u.owned().hi[1];
  read(u, {3, n});
  REQUIRE(found.count() == 2);
  auto const text = found.take().back();
  CHECK_THAT(text, Contains("rank " + std::to_string(grid.rank()) + " of"));
  CHECK_THAT(text, Contains("(3, " + std::to_string(n) + ") of 'u', on the high side of axis 1"));
  CHECK_THAT(text, Contains("make_halo(u).run()"));
  CHECK(text.find('\n') == std::string::npos);
  halo.run();
  CHECK(read(u, {3, n}) == value_in(grid, {3, n}, 2));
  CHECK(found.count() == 0);
}

CHECKED_TEST_CASE("views that may write see reads, and ghosts that the program fills") {
  auto const grid = torus();
  auto u = grid.field<double>("u");
  auto halo = make_halo(u);
  write(u, 1);
  halo.run();
  CHECK(read_mutable(u, {0, -1}) == value_in(grid, {0, -1}, 1));
  CHECK(found.count() == 0);
  write(u, 2);
  read_mutable(u, {0, -1});
  CHECK(found.take().size() == 1);
  u.view()(1, -1) = 5;
  CHECK(read_mutable(u, {1, -1}) == 5);
  CHECK(read(u, {1, -1}) == 5);
  CHECK(found.count() == 0);
  read(u, {2, -1});
  CHECK(found.take().size() == 1);
  write(u, 3);
  read(u, {1, -1});
  CHECK(found.take().size() == 1);
}

CHECKED_TEST_CASE("a loop over all cells fills ghosts for what it writes itself") {
  auto const grid = torus();
  auto u = grid.field<double>("u");
  for (int version = 1; version < 4; ++version) {
    for_each_cell(u.view().local(), [&, cells = u.view()](cell_index<2> const& at) {
      cells[at] = 1; // once to begin with, and then the value
      cells[at] = value_in(grid, at, version);
    });
    for_each_cell(u.view().local(), [&, cells = std::as_const(u).view()](cell_index<2> const& at) {
      REQUIRE_IN_LOOP(cells[at] == value_in(grid, at, version));
    });
  }
  CHECK(found.count() == 0);
}

CHECKED_TEST_CASE("nothing is out of date where no value at the rim has changed") {
  auto const grid = torus();
  auto u = grid.field<double>("u");
  write(u, 1);
  make_halo(u).run();
  write(u, 1);
  if (u.owned().extent(0) > 2 && u.owned().extent(1) > 2)
    u.view()(1, 1) = -3;
  read(u, {-1, 0});
  CHECK(found.count() == 0);
}

CHECKED_TEST_CASE("ghosts that are on their way may not be read") {
  auto const grid = torus();
  auto u = grid.field<double>("u");
  write(u, 1);
  auto halo = make_halo(u);
  {
    in_flight flying = halo.start();
    read(u, {-1, 0});
    CHECK(found.count() == 1);
    CHECK_THAT(found.take().back(), Contains("is on its way (expected wait()"));
    flying.wait();
    CHECK(read(u, {-1, 0}) == value_in(grid, {-1, 0}, 1));
  }
  CHECK(found.count() == 0);
}

CHECKED_TEST_CASE("partitioned halos bring ghosts part by part") {
  auto const grid = torus();
  auto u = grid.field<double>("u");
  auto halo = make_partitioned_halo(u);
  box<2> upper = u.owned(), lower = u.owned();
  upper.hi[0] = lower.lo[0] = 1;
  for (int version = 1; version < 4; ++version) {
    write(u, version);
    read(u, {-1, 0});
    CHECK(found.take().size() == 1);
    halo.start();
    halo.ready(upper);
    halo.ready(lower);
    halo.wait(box<2>{{-1, 0}, {0, 1}});
    CHECK(read(u, {-1, 0}) == value_in(grid, {-1, 0}, version));
    halo.wait();
    CHECK(read(u, {0, -1}) == value_in(grid, {0, -1}, version));
    CHECK(found.count() == 0);
  }
}

CHECKED_TEST_CASE("stamps go with the memory of fields that are swapped") {
  auto const grid = torus();
  auto u = grid.field<double>("u"), v = grid.field<double>("v");
  write(u, 1);
  write(v, 2);
  make_halo(u).run();
  std::swap(u, v);
  CHECK(read(v, {-1, 0}) == value_in(grid, {-1, 0}, 1));
  CHECK(found.count() == 0);
  read(u, {-1, 0});
  CHECK(found.take().size() == 1);
}

CHECKED_TEST_CASE("steps and sweeps leave ghosts out of date") {
  auto const grid = torus();
  auto u = grid.field<double>("u"), v = grid.field<double>("v"), w = grid.field<double>("w");
  for (auto* const field : {&u, &v, &w}) {
    write(*field, 1);
    make_halo(*field).run();
  }
  Steps step(grid);
  step.each("sum", updates(u, star(1)), reads(w, star(1)),
            [](auto a, auto b) { a = a(1, 0) + b(0, -1); });
  step.run(3);
  Iterate loop(grid, v, w);
  read(w, {-1, 0});
  CHECK(found.count() == 0);
  read(u, {-1, 0});
  CHECK(found.take().size() == 1);
  loop.sweep([](auto a, int i, int j) { return a(i - 1, j); });
  read(v, {-1, 0});
  read(w, {-1, 0});
  auto const both = found.take();
  REQUIRE(both.size() == 2);
  CHECK_THAT(both.front(), Contains("of 'v'"));
  CHECK_THAT(both.back(), Contains("of 'w'"));
  make_halo(u, v).run();
  read(u, {-1, 0});
  read(v, {-1, 0});
  CHECK(found.count() == 0);
}

CHECKED_TEST_CASE("wider ghosts keep the stamps of those before") {
  auto const grid = torus();
  auto u = grid.field<double>("u"), v = grid.field<double>("v");
  write(u, 1);
  make_halo(u).run();
  Steps step(grid);
  step.each("far", writes(v), reads(u, star(2)), [](auto to, auto from) { to = from(-2, 0); });
  step.run();
  REQUIRE(u.ghosts().below[0] == 2);
  CHECK(read(u, {-1, 0}) == value_in(grid, {-1, 0}, 1));
  CHECK(found.count() == 0);
  read(u, {-2, 0});
  CHECK(found.take().size() == 1);
}

CHECKED_TEST_CASE("no halo brings ghosts that the neighborhood does not reach") {
  auto const grid = torus();
  auto u = grid.field<double>("u");
  write(u, 1);
  make_halo(u).run();
  read(u, {-1, -1});
  REQUIRE(found.count() == 1);
  CHECK_THAT(found.take().back(),
             Contains("on the low side of axis 0 and the low side of axis 1") &&
                 Contains("a neighborhood of the grid with an offset that reaches there"));
  auto const all = torus(moore(1));
  auto v = all.field<double>("v");
  write(v, 1);
  make_halo(v).run();
  CHECK(read(v, {-1, -1}) == value_in(all, {-1, -1}, 1));
  CHECK(found.count() == 0);
}

CHECKED_TEST_CASE("ghosts beyond borders are filled by conditions or by hand") {
  Grid<2> const grid(testing::world(), {.cells = {24, 36}, .neighborhood = moore(1)});
  auto u = grid.field<double>("u"), fixed = grid.field<double>("fixed");
  u.boundary(neumann(0.0));
  fixed.boundary(outside(7.0));
  write(u, 1);
  write(fixed, 1);
  fixed.fill_borders();
  auto halo = make_halo(u, fixed);
  bool const is_first = grid.owned().lo[0] == 0;
  for (int version = 2; version < 4; ++version) {
    write(u, version);
    write(fixed, version);
    halo.run();
    read(u, {-1, 0});
    auto const before = found.take();
    REQUIRE(before.size() == (is_first ? 1 : 0));
    if (is_first)
      CHECK_THAT(before.front(), Contains("fill_borders() of 'u'"));
    u.fill_borders();
    CHECK(read(u, {-1, 0}) == (is_first ? read(u, {0, 0}) : value_in(grid, {-1, 0}, version)));
    if (is_first)
      CHECK(read(fixed, {-1, 0}) == 7);
    for_each_cell(u.view().local(), [&](cell_index<2> const& at) { read(u, at), read(fixed, at); });
    CHECK(found.count() == 0);
  }
}

CHECKED_TEST_CASE("conditions that read ghosts are filled behind the halo") {
  Grid<2> const grid(testing::world(),
                     {.cells = {24, 36}, .periodic = {false, true}, .neighborhood = moore(1)});
  auto u = grid.field<double>("u");
  u.boundary(neumann(0.0));
  write(u, 1);
  u.fill_borders();
  make_halo(u).run();
  bool const is_first = grid.owned().lo[0] == 0;
  read(u, {-1, 0});
  CHECK(found.count() == 0);
  read(u, {-1, -1});
  CHECK(found.take().size() == (is_first ? 1 : 0));
  u.fill_borders();
  read(u, {-1, -1});
  CHECK(found.count() == 0);
}

CHECKED_TEST_CASE("loops in place read ghosts that were up to date before") {
  auto const grid = torus();
  auto u = grid.field<double>("u");
  auto halo = make_halo(u);
  write(u, 1);
  for (int color = 0; color < 4; ++color) {
    halo.run();
    auto const sweep = u.in_place();
    for_each_cell(u.owned(), [&, cells = u.view()](cell_index<2> const& at) {
      if ((at[0] + at[1] + grid.owned().lo[0] + grid.owned().lo[1] + color) % 2 == 0)
        cells[at] = 0.5 + cells(at[0] - 1, at[1]) + cells(at[0], at[1] + 1);
    });
  }
  CHECK(found.count() == 0);
  read(u, {-1, 0});
  CHECK(found.take().size() == 1);
}

CHECKED_TEST_CASE("exchanges to owners, and own plans") {
  auto const grid = torus();
  auto u = grid.field<double>("u");
  write(u, 1);
  std::array const arrays{u.exchanged()};
  operation own = make_exchange(grid.graph(), grid.halo_plan(), arrays);
  own.run();
  CHECK(read(u, {-1, 0}) == value_in(grid, {-1, 0}, 1));
  CHECK(found.count() == 0);
  make_reverse_halo(reduction::sum, u).run();
  read(u, {-1, 0});
  CHECK(found.take().size() == 1);
}

CHECKED_TEST_CASE("memory that is handed out is the caller's") {
  auto const grid = torus();
  auto u = grid.field<double>("u");
  write(u, 1);
  Kokkos::deep_copy(u.storage(), 4.0);
  CHECK(read(u, {-1, -1}) == 4);
  write(u, 2);
  make_halo(u).run();
  CHECK(read(u, {-1, 0}) == value_in(grid, {-1, 0}, 2));
  CHECK(found.count() == 0);
}

CHECKED_TEST_CASE("components have stamps of their own") {
  auto const grid = torus();
  auto f = grid.field<double>("f", {.components = 3});
  f.fill([](position<2> const& x) { return x[0] + 1; });
  auto halo = make_halo(f);
  halo.run();
  CHECK(std::as_const(f).view(2)(-1, 0) > 0);
  CHECK(found.count() == 0);
  f.fill(1, 7.0);
  CHECK(std::as_const(f).view(2)(-1, 0) > 0);
  REQUIRE(found.count() == 1);
  CHECK_THAT(found.take().back(), Contains("of 'f', component 2, on"));
}

CHECKED_TEST_CASE("without checks no ghost is looked at") {
  checks_in_scope const off(false);
  auto const grid = torus();
  auto u = grid.field<double>("u");
  write(u, 1);
  CHECK(read(u, {-1, 0}) == 0);
  CHECK(found.count() == 0);
}

CHECKED_TEST_CASE("reads are found exactly where a ghost has not its owner's last value") {
  auto const grid = torus(moore(1));
  std::array fields{grid.field<double>("a"), grid.field<double>("b")};
  std::array halos{make_halo(fields[0]), make_halo(fields[1])};
  std::array<int, 2> versions{};
  std::array<int, 2> numbers{0, 1}; // of the halos of what are now fields 0 and 1
  int last = 0, num_stale = 0, num_current = 0;
  std::mt19937 random(71);
  for (int turn = 0; turn < 600; ++turn) {
    auto const which = random() % 2;
    Field<double, 2>& u = fields[which];
    switch (random() % 5) {
    case 0: write(u, versions[which] = ++last); break;
    case 1: halos[numbers[which]].run(); break;
    case 2:
      std::swap(fields[0], fields[1]);
      std::swap(versions[0], versions[1]);
      std::swap(numbers[0], numbers[1]);
      break;
    default: {
      auto const& extents = u.owned().hi;
      cell_index<2> const at{random() % 2 == 0 ? -1 : extents[0],
                             static_cast<std::int64_t>(random() % 4) - 1};
      bool const is_const = random() % 2 == 0;
      double const value = is_const ? read(u, at) : read_mutable(u, at);
      double const expected = versions[which] == 0 ? 0 : value_in(grid, at, versions[which]);
      bool const is_stale = value != expected;
      REQUIRE(found.take().size() == (is_stale ? 1 : 0));
      (is_stale ? num_stale : num_current) += 1;
    }
    }
  }
  CHECK(num_stale > 50);
  CHECK(num_current > 50);
}

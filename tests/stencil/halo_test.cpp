// Every field is filled with its own global indices; then what each ghost must hold is computed.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/fields/gather.hpp>
#include <seam/stencil/fields/sum.hpp>
#include <seam/stencil/ghosts/halo.hpp>
#include <seam/stencil/ghosts/partitioned_halo.hpp>
#include <seam/stencil/roles/iterate.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

using namespace seam;
using namespace seam::detail;

namespace {

/// The global cell that `at`, relative to this rank's block, is or is a copy of; periodic axes
/// wrap.
template <int D>
cell_index<D> owner_of(Grid<D> const& grid, cell_index<D> at) {
  for (int a = 0; a < std::ssize(at); ++a) {
    at[a] += grid.owned().lo[a];
    if (grid.is_periodic(a))
      at[a] = (at[a] % grid.cells()[a] + grid.cells()[a]) % grid.cells()[a];
  }
  return at;
}

/// Number of the cell in the whole grid, from 1 on.
template <int D>
double number_of(Grid<D> const& grid, cell_index<D> const& cell) {
  std::int64_t number = 0;
  for (int a = 0; a < std::ssize(cell); ++a)
    number = number * grid.cells()[a] + cell[a];
  return static_cast<double>(number + 1);
}

template <class T, int D>
void number_owned(Field<T, D>& u) {
  auto const cells = u.view();
  for_each_cell(cells.local(), [&](cell_index<D> const& at) { cells[at] = T{}; });
  for_each_cell(u.owned(), [&](cell_index<D> const& at) {
    cells[at] = static_cast<T>(number_of(u.grid(), owner_of(u.grid(), at)));
  });
}

/// Ghosts that the neighborhood needs and that lie in the domain, and do not hold their owner's
/// value.
template <class T, int D>
std::int64_t num_wrong(Field<T, D>& u) {
  std::int64_t wrong = 0;
  auto const cells = u.view();
  for (auto const& side : u.grid().space()->sides())
    for_each_cell(unpadded<D>(ghosts_at(padded(u.owned()), side)), [&](cell_index<D> const& at) {
      auto const owner = owner_of(u.grid(), at);
      if (u.grid().domain().contains(owner))
        wrong += cells[at] != static_cast<T>(number_of(u.grid(), owner));
    });
  return wrong;
}

/// @param always  bits of axes that are periodic in any case
template <int D>
void check_ghosts(grid_options<D> options, int always = 0) {
  for (int mask = 0; mask < (1 << D); ++mask) {
    if ((mask & always) != always)
      continue;
    for (int a = 0; a < D; ++a)
      options.periodic[a] = (mask >> a & 1) != 0;
    Grid<D> grid(testing::world(), options);
    auto u = grid.template field<double>("u");
    auto v = grid.template field<float>("v");
    auto w = grid.template field<short>("w");
    number_owned(u), number_owned(v), number_owned(w);
    auto halo = make_halo(u, w, v);
    halo.run();
    CHECK(num_wrong(u) == 0);
    CHECK(num_wrong(v) == 0);
    CHECK(num_wrong(w) == 0);
    CHECK(halo.num_messages() <= 2 * D);
  }
}

} // namespace

TEST_CASE("ghost cells hold their owner's value, whatever is periodic") {
  for (auto const& declared : {von_neumann(1), von_neumann(2), moore(1), moore(2)}) {
    check_ghosts<1>({.cells = {29}, .neighborhood = declared});
    check_ghosts<2>({.cells = {17, 19}, .neighborhood = declared});
    check_ghosts<3>({.cells = {9, 7, 11}, .neighborhood = declared});
  }
  check_ghosts<2>({.cells = {17, 19}, .neighborhood = offsets({{-2, 1}, {0, 3}, {1, 1}})});
}

TEST_CASE("a torus of one or two cells across is its own neighbor") {
  check_ghosts<2>({.cells = {1, 24}, .neighborhood = moore(1)});
  check_ghosts<2>({.cells = {24, 2}, .neighborhood = moore(1)});
}

TEST_CASE("ghosts go around a thin periodic axis as often as they are deep") {
  for (auto const& declared : {von_neumann(2), moore(2), offsets({{-3, 1}, {2, 0}, {5, -2}})}) {
    check_ghosts<2>({.cells = {1, 35}, .neighborhood = declared}, 1);
    check_ghosts<2>({.cells = {2, 35}, .neighborhood = declared}, 1);
  }
  check_ghosts<2>({.cells = {31, 2}, .neighborhood = moore(3)}, 2);
  check_ghosts<3>({.cells = {2, 29, 1}, .neighborhood = moore(3)}, 5);
  check_ghosts<3>({.cells = {26, 1, 1}, .neighborhood = von_neumann(3)}, 6);
}

TEST_CASE("thin periodic axes serve components, faces, sums of ghosts and halos by parts, too") {
  Grid<2> grid(testing::world(),
               {.cells = {2, 33}, .periodic = {true, true}, .neighborhood = moore(3)});
  auto faces = grid.field<double>("faces", {.on = on_faces(1), .components = 2});
  auto counts = grid.field<std::int64_t>("counts");
  auto parts = grid.field<double>("parts");
  auto const cells = faces.view(1);
  for_each_cell(faces.owned(),
                [&](cell_index<2> const& at) { cells[at] = number_of(grid, owner_of(grid, at)); });
  make_halo(faces).run();
  for_each_cell(cells.local(), [&](cell_index<2> const& at) {
    CHECK(cells[at] == number_of(grid, owner_of(grid, at)));
  });
  for_each_cell(counts.view().local(),
                [&, view = counts.view()](cell_index<2> const& at) { view[at] = 1; });
  make_reverse_halo(reduction::sum, counts).run();
  for_each_cell(counts.owned(), [&](cell_index<2> const& at) {
    std::int64_t copies = 0; // images of the cell among the cells and ghosts of all blocks
    for (int rank = 0; rank < grid.size(); ++rank) {
      auto const block = grid.owned_by(rank);
      for (std::int64_t i = block.lo[0] - 3; i < block.hi[0] + 3; ++i)
        for (std::int64_t j = block.lo[1] - 3; j < block.hi[1] + 3; ++j)
          copies += (i - at[0] - grid.owned().lo[0]) % 2 == 0 &&
                    (j - at[1] - grid.owned().lo[1]) % 33 == 0;
    }
    CHECK(counts.view()[at] == copies);
  });
  number_owned(parts);
  auto halo = make_partitioned_halo(parts);
  halo.start();
  halo.ready(parts.owned());
  halo.wait();
  CHECK(num_wrong(parts) == 0);
}

TEST_CASE("the reverse halo adds to every cell one for each of its ghosts") {
  Grid<2> grid(testing::world(),
               {.cells = {12, 15}, .periodic = {true, true}, .neighborhood = moore(2)});
  auto u = grid.field<std::int64_t>("u");
  auto const cells = u.view();
  for_each_cell(cells.local(), [&](cell_index<2> const& at) { cells[at] = 1; });
  for_each_cell(u.owned(), [&](cell_index<2> const& at) { cells[at] = 0; });
  std::int64_t const ghosts = cells.local().num_cells() - u.owned().num_cells();
  make_reverse_halo(reduction::sum, u).run();
  CHECK(sum(u) == sum(grid.base(), ghosts));
}

TEST_CASE("there and back with max changes nothing") {
  Grid<3> grid(testing::world(), {.cells = {8, 6, 10}, .periodic = {true, false, true}});
  auto u = grid.field<double>("u");
  number_owned(u);
  auto const before = gather(u);
  make_halo(u).run();
  make_reverse_halo(reduction::max, u).run();
  CHECK(gather(u) == before);
}

TEST_CASE("gathering puts every cell in its place") {
  Grid<2> grid(testing::world(), {.cells = {11, 13}});
  auto u = grid.field<double>("u");
  number_owned(u);
  int const root = grid.size() - 1;
  auto const whole = gather(u, root);
  CHECK(std::ssize(whole) == (grid.rank() == root ? 143 : 0));
  for (int n = 0; n < std::ssize(whole); ++n)
    CHECK(whole[n] == static_cast<double>(n + 1));
}

TEST_CASE("a halo notices that a loop has swapped its field's storage") {
  Grid<1> grid(testing::world(), {.cells = {40}, .periodic = {true}});
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  auto halo = make_halo(u);
  Iterate loop(grid, u, next);
  loop.sweep([](auto v, int i) { return v(i - 1); });
  CHECK_THROWS_WITH(halo.run(), Catch::Contains("the storage of field 'u' has been swapped"));
  CHECK_NOTHROW(make_halo(u).run());
}

TEST_CASE("in checked mode fields in another order on one rank are found on all ranks") {
  auto const world = testing::world();
  if (world.size() < 2)
    return;
  checks_in_scope const checked(true);
  Grid<2> grid(world, {.cells = {16, 16}, .periodic = {true, true}});
  auto u = grid.field<double>("u"), v = grid.field<double>("v");
  auto& first = world.rank() == 1 ? v : u;
  auto& second = world.rank() == 1 ? u : v;
  auto const found = [](char const* words) { return Catch::Contains(words); };
  auto const two = found("[8 (v: double), 8 (u: double)]");
  CHECK_THROWS_WITH(make_halo(first, second), two);
  CHECK_THROWS_WITH(make_reverse_halo(reduction::sum, first, second),
                    found("[8 (v: double, sum), 8 (u: double, sum)]"));
  CHECK_THROWS_WITH(make_partitioned_halo(first, second), two);
  CHECK_THROWS_WITH((Iterate<double, 2>(grid, first, second)), found("reads(v at"));
  auto whole = grid.field<std::int64_t>("u");
  CHECK_THROWS_WITH(world.rank() == 1 ? make_halo(whole) : make_halo(u), found("[8 (u: long)]"));
  make_halo(u, v).run();
}

TEST_CASE("fields of different grids have no halo in common") {
  auto const world = testing::world();
  Grid<1> a(world, {.cells = {40}}), b(world, {.cells = {41}});
  auto u = a.field<double>("u"), v = b.field<double>("v");
  CHECK_THROWS_WITH(make_halo(u, v), Catch::Contains("fields of different grids"));
}

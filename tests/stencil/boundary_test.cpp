// Boundary conditions keep what they promise on the border.
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/fields/field.hpp>
#include <seam/stencil/ghosts/halo.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <cmath>

using namespace seam;
using namespace seam::detail;

namespace {

/// Calls visit(ghost, mirror image, axis, side) for the ghosts beyond this rank's part of the
/// borders.
template <class T, class Visit>
void for_each_ghost(Field<T, 2>& u, Visit visit) {
  for (auto const& where : borders_of(u.grid())) {
    auto const a = where.axis;
    std::int64_t const end = where.side == side::low ? 0 : u.owned().hi[a];
    box<2> ghosts = u.owned();
    ghosts.lo[a] = where.ghosts.lo[a];
    ghosts.hi[a] = where.ghosts.hi[a];
    for_each_cell(ghosts, [&](cell_index<2> const& at) {
      cell_index<2> mirror = at;
      mirror[a] = 2 * end - 1 - at[a];
      visit(at, mirror, a);
    });
  }
}

Grid<2> grid_with_borders() {
  return {testing::world(), {.cells = {14, 18}, .neighborhood = moore(2), .upper = {2.0, 3.0}}};
}

} // namespace

TEST_CASE("half way between ghost and mirror image the field has the Dirichlet value") {
  auto const grid = grid_with_borders();
  auto u = grid.field<double>("u");
  u.fill([](position<2> x) { return x[0] * x[0] + x[1]; });
  u.boundary(dirichlet([](position<2> const& x) { return x[0] + 10 * x[1]; }));
  make_halo(u).run();
  u.fill_borders();
  for_each_ghost(u, [&](cell_index<2> const& at, cell_index<2> const& mirror, int axis) {
    auto const first = grid.owned().lo;
    auto border = grid.geometry().centre({at[0] + first[0], at[1] + first[1]});
    border[axis] = border[axis] < 0 ? 0.0 : axis == 0 ? 2.0 : 3.0;
    double const mean = 0.5 * (u.view()[at] + u.view()[mirror]);
    CHECK(mean == Approx(border[0] + 10 * border[1]).margin(1e-12));
  });
}

TEST_CASE("across the border the field has the Neumann slope") {
  auto const grid = grid_with_borders();
  auto u = grid.field<double>("u");
  u.fill([](position<2> x) { return std::sin(x[0]) + x[1]; });
  u.boundary(neumann(-1.5));
  make_halo(u).run();
  u.fill_borders();
  for_each_ghost(u, [&](cell_index<2> const& at, cell_index<2> const& mirror, int axis) {
    double const steps = static_cast<double>(std::abs(at[axis] - mirror[axis]));
    double const slope = (u.view()[at] - u.view()[mirror]) / (steps * grid.spacing()[axis]);
    CHECK(slope == Approx(-1.5));
  });
}

TEST_CASE("a given world outside is where the ghosts are, corners included") {
  auto const grid = grid_with_borders();
  auto u = grid.field<double>("u");
  u.boundary(outside([](position<2> const& x) { return x[0] - 7 * x[1]; }));
  make_halo(u).run();
  u.fill_borders();
  box<2> const all = u.view().local();
  for_each_cell(all, [&](cell_index<2> const& at) {
    cell_index<2> const global{at[0] + grid.owned().lo[0], at[1] + grid.owned().lo[1]};
    if (grid.domain().contains(global))
      return;
    auto const x = grid.geometry().centre(global);
    CHECK(u.view()[at] == x[0] - 7 * x[1]);
  });
}

TEST_CASE("where the grid is periodic, conditions see places inside the domain alone") {
  Grid<2> const grid(testing::world(), {.cells = {14, 18},
                                        .periodic = {false, true},
                                        .neighborhood = moore(2),
                                        .lower = {0.0, 1.0},
                                        .upper = {2.0, 3.0}});
  auto u = grid.field<double>("u");
  int asked = 0, outside_asked = 0;
  u.boundary(0, side::low, outside([&](position<2> const& x) {
               ++asked;
               outside_asked += x[1] < 1.0 || x[1] > 3.0;
               return 100 * x[1];
             }));
  u.boundary(0, side::high, [](ghost_cell<double, 2> const& ghost) {
    return ghost.centre[1] + 10 * ghost.border[1];
  });
  u.fill_borders();
  CHECK(outside_asked == 0);
  for (border<2> const& where : borders_of(grid))
    for_each_cell(where.ghosts, [&](cell_index<2> const& at) {
      std::int64_t const cell = (at[1] + grid.owned().lo[1] + 18) % 18;
      double const x = grid.geometry().centre({0, cell})[1];
      CHECK(u.view()[at] == (where.side == side::low ? 100 * x : x + 10 * x));
      asked -= where.side == side::low;
    });
  CHECK(asked == 0);
}

TEST_CASE("a user's own condition sees the mirror image, and each end of an axis has its own") {
  auto const grid = grid_with_borders();
  auto u = grid.field<int>("u");
  u.fill(3);
  u.boundary([](ghost_cell<int, 2> const& ghost) { return 10 * ghost.inside; });
  u.boundary(0, side::low, outside(-1));
  make_halo(u).run();
  u.fill_borders();
  for_each_ghost(u, [&](cell_index<2> const& at, cell_index<2> const&, int axis) {
    CHECK(u.view()[at] == (axis == 0 && at[0] < 0 ? -1 : 30));
  });
}

TEST_CASE("a border without a condition is refused by name") {
  auto const world = testing::world();
  Grid<1> grid(world, {.cells = {50}, .neighborhood = offsets({{1}})});
  auto u = grid.field<double>("u");
  u.boundary(0, side::low, outside(0.0));
  bool const at_border = grid.owned().hi[0] == 50;
  if (at_border)
    CHECK_THROWS_WITH(
        u.fill_borders(),
        Catch::Contains("field 'u': no boundary condition on the high side of axis 0"));
  else
    CHECK_NOTHROW(u.fill_borders());
}

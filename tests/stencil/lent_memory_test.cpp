// Fields in the memory of Kokkos views, and the memory of fields as views.
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/fields/gather.hpp>
#include <seam/stencil/fields/sum.hpp>
#include <seam/stencil/ghosts/halo.hpp>
#include <seam/stencil/roles/iterate.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace seam;

namespace {

using plane = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using planes = Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::HostSpace>;

Grid<2> torus() { return Grid<2>(testing::world(), {.cells = {13, 11}, .periodic = {true, true}}); }

plane plane_of(Grid<2> const& grid, int ghosts) {
  return plane("v", grid.owned().extent(0) + 2 * ghosts, grid.owned().extent(1) + 2 * ghosts);
}

/// A number for each cell of the domain.
double first_value(cell_index<2> const& cell) {
  return static_cast<double>(100 * cell[0] + cell[1]);
}

/// Sets the owned values of a view with ghosts.
void set(Grid<2> const& grid, plane const& v, int ghosts) {
  box<2> const own = grid.owned();
  for_each_cell(own, [&](cell_index<2> const& cell) {
    v(cell[0] - own.lo[0] + ghosts, cell[1] - own.lo[1] + ghosts) = first_value(cell);
  });
}

auto const blur = [](auto c) { c = c(1, 0) + 0.5 * c(0, -1) - 0.25 * c(); };

} // namespace

TEST_CASE("a field on a view has its values, and steps leave the newest ones there") {
  auto const grid = torus();
  for (int const ghosts : {1, 3})
    for (int const fused : {1, 3})
      for (int const steps : {0, 1, 2, 7}) {
        if (fused > ghosts)
          continue;
        plane const v = plane_of(grid, ghosts);
        set(grid, v, ghosts);
        auto lent = grid.field("lent", v);
        CHECK(lent.ghosts().below[0] == ghosts);
        CHECK(&lent.view()(0, 0) == &v(ghosts, ghosts));
        auto own = grid.field<double>("own");
        for_each_cell(own.owned(), [&](cell_index<2> at) {
          double& value = own.view()[at];
          for (int a = 0; a < 2; ++a)
            at[a] += grid.owned().lo[a];
          value = first_value(at);
        });
        Steps on_lent(grid), on_own(grid);
        on_lent.fuse(fused);
        on_lent.each("blur", updates(lent, star(1)), blur);
        on_own.each("blur", updates(own, star(1)), blur);
        for (int const more : {0, steps, 1}) { // in runs
          on_lent.run(more);
          on_own.run(more);
          CHECK(gather(lent) == gather(own));
          CHECK(&lent.view()(0, 0) == &v(ghosts, ghosts));
          for_each_cell(own.owned(), [&](cell_index<2> const& at) {
            REQUIRE(v(at[0] + ghosts, at[1] + ghosts) == std::as_const(own).view()[at]);
          });
        }
        v(ghosts, ghosts) = 1e6; // the caller's, between runs
        own.view()(0, 0) = 1e6;
        on_lent.run(2);
        on_own.run(2);
        CHECK(gather(lent) == gather(own));
      }
}

TEST_CASE("a field on a view has components, borders, halos, and more than one kernel") {
  Grid<2> const grid(testing::world(), {.cells = {12, 14}});
  planes const v("v", 3, grid.owned().extent(0) + 2, grid.owned().extent(1) + 2);
  auto lent = grid.field("lent", v, {.components = 3});
  auto own = grid.field<double>("own", {.components = 3});
  for (auto* const field : {&lent, &own}) {
    field->boundary(neumann(1.0));
    for (int c = 0; c < 3; ++c)
      field->fill(c, [c](auto x) { return x[0] + 10 * x[1] + 100 * c; });
    Steps step(grid);
    step.each("mix", updates(*field, star(1)), [](auto f) {
      for (int c = 0; c < 3; ++c)
        f[c] = f[(c + 1) % 3](1, 0) - f[c](0, -1);
    });
    step.each("one", modifies(field->components(1)), [](auto f) { f += 3.0; });
    step.run(5);
    auto halo = make_halo(*field);
    halo.run();
    field->fill_borders();
  }
  for (int c = 0; c < 3; ++c)
    CHECK(gather(lent, 0, c) == gather(own, 0, c));
  auto const mine = lent.view(2), theirs = own.view(2);
  for_each_cell(lent.view().local(), [&](cell_index<2> const& at) {
    bool const is_corner = (at[0] < 0 || at[0] >= grid.owned().extent(0)) &&
                           (at[1] < 0 || at[1] >= grid.owned().extent(1));
    if (!is_corner)
      REQUIRE(mine[at] == theirs[at]);
  });
}

TEST_CASE("a field keeps its view alive, halos of it too") {
  auto const grid = torus();
  std::unique_ptr<plane> v = std::make_unique<plane>(plane_of(grid, 1));
  CHECK(v->use_count() == 1);
  {
    auto u = grid.field("u", *v);
    CHECK(v->use_count() == 2);
    auto const halo = make_halo(u);
    set(grid, *v, 1);
    v.reset();
    CHECK(sum(u) == 13 * 11 * 605.0);
  }
}

TEST_CASE("views that do not fit a field are refused, the same on all ranks") {
  auto const grid = torus();
  int const rank = testing::all_ranks().rank();
  box<2> const own = grid.owned();
  auto const n0 = own.extent(0), n1 = own.extent(1);
  auto const refused = [&](auto const& view, field_options const& options = {}) {
    return testing::refusal_of([&] { static_cast<void>(grid.field("u", view, options)); });
  };
  plane const thin("thin", n0 + (rank == 0 ? 0 : 2), n1 + 2); // on one rank
  CHECK_THAT(refused(thin), Catch::Contains("field 'u': a view of " +
                                            std::to_string(grid.owned_by(0).extent(0)) + "x") &&
                                Catch::Contains("values for 1 component (expected ") &&
                                Catch::Contains("on rank 0: its block with ghosts"));
  CHECK_THAT(refused(plane("uneven", n0 + 3, n1 + 2)), Catch::Contains("as many on both sides"));
  CHECK_THAT(refused(planes("components", 2, n0 + 2, n1 + 2)),
             Catch::Contains("a view of 2x") && Catch::Contains("for 1 component"));
  CHECK_THAT(refused(plane_of(grid, 1), {.components = 2}),
             Catch::Contains("for 2 components (expected 2x") ||
                 Catch::Contains("for 2 components"));
  CHECK_THAT(refused(plane_of(grid, 1), {.levels = 2}),
             Catch::Contains("field 'u': 2 levels on a view (expected one)"));
  using other_order = Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace>;
  CHECK_THAT(
      refused(other_order("left", n0 + 2, n1 + 2)),
      Catch::Contains(
          "field 'u': a view with gaps, or whose last axis is not the contiguous one (expected "
          "LayoutRight)"));
  plane const wide("wide", n0 + 2, n1 + 9);
  CHECK_THAT(
      refused(Kokkos::subview(wide, Kokkos::ALL, std::pair<int, int>(1, static_cast<int>(n1) + 3))),
      Catch::Contains("a view with gaps"));
  std::vector<double> memory((n0 + 2) * (n1 + 2));
  plane const unmanaged(memory.data(), n0 + 2, n1 + 2);
  CHECK_THAT(
      refused(unmanaged),
      Catch::Contains("field 'u': a view that does not own its memory (expected one that does, or "
                      "memory_lifetime::of_caller: it outlives the field and what uses it)"));
  Field<double, 2> u(grid, "u", unmanaged, {}, memory_lifetime::of_caller);
  u.fill(2.0);
  CHECK(memory[n1 + 3] == 2.0);
}

TEST_CASE("kernels that read farther than a view has ghosts, and swaps, are refused") {
  auto const grid = torus();
  plane const v = plane_of(grid, 1);
  auto u = grid.field("u", v);
  auto w = grid.field<double>("w");
  Steps wide(grid);
  wide.each("wide", updates(u, star(2)), [](auto c) { c = c(2, 0); });
  CHECK_THAT(testing::refusal_of([&] { wide.run(); }),
             Catch::Contains("field 'u': kernels read ") &&
                 Catch::Contains("which its view does not have"));
  Steps fused(grid);
  fused.fuse(3);
  fused.each("blur", updates(u, star(1)), blur);
  CHECK_THAT(testing::refusal_of([&] { fused.run(3); }), Catch::Contains("or less fusion"));
  Steps swaps(grid);
  swaps.each("copy", writes(w), reads(u), [](auto to, auto from) { to = from(); });
  swaps.swap(u, w);
  CHECK_THAT(testing::refusal_of([&] { swaps.run(); }),
             Catch::Contains("steps: a swap of 'u' and 'w', of which one lies on a view (expected "
                             "fields that own their "
                             "memory)"));
  CHECK_THAT(testing::refusal_of([&] {
               Iterate(grid, u, w).sweep([](auto a, int i, int j) { return a(i, j); });
             }),
             Catch::Contains("lies on a view"));
}

TEST_CASE("a field's memory is a view with an axis for components, whose extents have names") {
  auto const grid = torus();
  auto u = grid.field<double>("u", {.components = 2});
  for (int c = 0; c < 2; ++c)
    u.fill(c, [c](auto x) { return x[0] + 10 * c; });
  auto const [values, num_components, owned, ghosts] = u.named_storage();
  CHECK(num_components == 2);
  CHECK(values.extent(0) == 2);
  for (int a = 0; a < 2; ++a) {
    CHECK(owned.extent(a) == grid.owned().extent(a));
    CHECK(owned.lo[a] == ghosts.below[a]);
    CHECK(static_cast<std::int64_t>(values.extent(a + 1)) == owned.hi[a] + ghosts.above[a]);
  }
  for (int c = 0; c < 2; ++c)
    for_each_cell(owned, [&](cell_index<2> const& at) {
      REQUIRE(&values(c, at[0], at[1]) == &u.view(c)(at[0] - owned.lo[0], at[1] - owned.lo[1]));
    });
}

// Conditions on borders, in steps and in loops by hand: those that read other fields, those of fields
// that are swapped, and those that are replaced between two runs.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/fields/gather.hpp>
#include <seam/stencil/ghosts/halo.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <optional>
#include <vector>

using namespace seam;
using Catch::Contains;

namespace {

constexpr std::int64_t cells = 23;

Grid<1> line_of_cells() {
  grid_options<1> options;
  options.cells = {cells};
  options.upper = {static_cast<double>(cells)};
  return Grid<1>(testing::world(), options);
}

/// u = u(-1) + u(1), serially, with given ghosts.
std::vector<double> sums(std::vector<double> const& u, double before, double behind) {
  std::vector<double> made;
  for (std::int64_t i = 0; i < cells; ++i)
    made.push_back((i > 0 ? u[i - 1] : before) + (i + 1 < cells ? u[i + 1] : behind));
  return made;
}

void expect_equal(Field<double, 1> const& field, std::vector<double> const& expected) {
  auto const found = gather(field);
  if (field.grid().rank() == 0)
    CHECK(found == expected);
}

auto const add_neighbors = [](auto u) { u = u(-1) + u(1); };

} // namespace

TEST_CASE(
    "ghosts by a condition that reads another field have its newest values, kernel by kernel") {
  auto const grid = line_of_cells();
  auto u = grid.field<double>("u"), w = grid.field<double>("w");
  u.fill([](position<1> x) { return x[0]; });
  w.fill(0.5);
  u.boundary(w, [](ghost_cell<double, 1> const& ghost, double wall) {
    return ghost.inside + 10 * wall;
  });
  Steps step(grid);
  step.each("first", updates(u, at({{-1}, {1}})), add_neighbors);
  step.each("warm", modifies(w), [](auto wall) { wall = wall() + 1; });
  step.each("second", updates(u, at({{-1}, {1}})), add_neighbors);
  CHECK_THAT(step.explain(), Contains("field u: ") && Contains("borders read w"));
  std::vector<double> expected;
  for (std::int64_t i = 0; i < cells; ++i)
    expected.push_back(static_cast<double>(i) + 0.5);
  double wall = 0.5;
  for (int const steps : {1, 4}) {
    step.run(steps);
    for (int s = 0; s < steps; ++s, wall += 1)
      for (double const now : {wall, wall + 1})
        expected = sums(expected, expected.front() + 10 * now, expected.back() + 10 * now);
    expect_equal(u, expected);
  }
}

TEST_CASE("a kernel that only reads ghosts gets them anew when the other field has changed") {
  auto const grid = line_of_cells();
  auto u = grid.field<double>("u"), w = grid.field<double>("w");
  auto first = grid.field<double>("first"), second = grid.field<double>("second");
  u.fill(0.0);
  u.boundary(w, [](ghost_cell<double, 1> const&, double wall) { return wall; });
  Steps step(grid);
  step.each(reads(u, at({{-1}, {1}})), writes(first), [](auto a, auto b) { b = a(-1) + a(1); });
  step.each(updates(w), [](auto wall) { wall = wall() + 3; });
  step.each(reads(u, at({{-1}, {1}})), writes(second), [](auto a, auto b) { b = a(-1) + a(1); });
  std::vector<double> const zeros(cells);
  for (int n = 1; n < 4; ++n) {
    step.run();
    expect_equal(first, sums(zeros, 3.0 * (n - 1), 3.0 * (n - 1)));
    expect_equal(second, sums(zeros, 3.0 * n, 3.0 * n));
  }
}

TEST_CASE("fields that are swapped keep their own conditions") {
  auto const grid = line_of_cells();
  auto a = grid.field<double>("a"), b = grid.field<double>("b"), c = grid.field<double>("c");
  a.boundary(outside(1.0));
  b.boundary(outside(100.0));
  Steps step(grid);
  step.each(reads(a, at({{-1}, {1}})), writes(c),
            [](auto from, auto to) { to = from(-1) + from(1); });
  step.swap(a, b);
  step.each("from b", modifies(c), reads(b, at({{-1}, {1}})),
            [](auto to, auto from) { to = to() + 2 * from(-1) + from(1); });
  std::vector<double> expected(cells);
  expected.front() = 1 + 2 * 100;
  expected.back() = 1 + 100;
  for (int const steps : {1, 3, 8}) {
    step.run(steps);
    expect_equal(c, expected);
  }
}

TEST_CASE("a kernel's own conditions hold for it alone, and on the borders for which it has some") {
  auto const grid = line_of_cells();
  auto u = grid.field<double>("u"), w = grid.field<double>("w");
  auto first = grid.field<double>("first"), second = grid.field<double>("second");
  u.fill([](position<1> x) { return x[0]; });
  w.fill(5.0);
  u.boundary(outside(1.0));
  auto const add = [](auto to, auto from) { to = from(-1) + from(1); };
  Steps step(grid);
  step.each("own", writes(first), reads(u, at({{-1}, {1}})), add)
      .boundary(u, 0, side::high, w,
                [](auto const& ghost, double wall) { return ghost.inside + wall; });
  step.each("field's", writes(second), reads(u, at({{-1}, {1}})), add);
  step.each("both", updates(u, at({{-1}, {1}})), add_neighbors).boundary(u, neumann(0.0));
  CHECK_THAT(step.explain(), Contains("kernel 'own'") && Contains("own borders of u"));
  std::vector<double> expected;
  for (std::int64_t i = 0; i < cells; ++i)
    expected.push_back(static_cast<double>(i) + 0.5);
  for (int n = 0; n < 3; ++n) {
    auto const now = expected;
    step.run();
    expect_equal(first, sums(now, 1.0, now.back() + 5.0));
    expect_equal(second, sums(now, 1.0, 1.0));
    expected = sums(now, now.front(), now.back());
    expect_equal(u, expected);
  }
  auto stranger = grid.field<double>("stranger");
  CHECK_THROWS_WITH(
      step.each("more", writes(first), reads(u), [](auto a, auto b) { a = b(); })
          .boundary(stranger, outside(0.0)),
      Contains("boundary conditions of kernel 'more' for 'stranger' (expected a field "
               "that it reads)"));
}

TEST_CASE("a condition that is replaced between two runs holds in the second one") {
  auto const grid = line_of_cells();
  auto u = grid.field<double>("u"), w = grid.field<double>("w");
  w.fill(7.0);
  Steps step(grid);
  step.each("sum", updates(u, at({{-1}, {1}})), add_neighbors);
  std::vector<double> expected(cells);
  auto const run_and_compare = [&](auto const& ghost) {
    step.run(3);
    for (int s = 0; s < 3; ++s)
      expected = sums(expected, ghost(expected.front()), ghost(expected.back()));
    expect_equal(u, expected);
  };
  u.boundary(outside(1.0));
  run_and_compare([](double) { return 1.0; });
  u.boundary(neumann(0.0));
  run_and_compare([](double inside) { return inside; });
  u.boundary(w, [](auto const&, double wall) { return wall; });
  run_and_compare([](double) { return 7.0; });
  u.boundary(outside(2.0));
  run_and_compare([](double) { return 2.0; });
}

TEST_CASE("by hand, ghosts at corners read the other field at the place mirrored at each border") {
  Grid<2> const grid(testing::world(), {.cells = {14, 18}, .neighborhood = moore(2)});
  auto u = grid.field<int>("u");
  auto w = grid.field<double>("w", {.components = 2});
  auto const number = [](cell_index<2> const& global) {
    return static_cast<double>(100 * global[0] + global[1]);
  };
  auto const global = [&](cell_index<2> at) {
    return cell_index<2>{at[0] + grid.owned().lo[0], at[1] + grid.owned().lo[1]};
  };
  for_each_cell(w.owned(),
                [&, view = w.view(1)](cell_index<2> const& at) { view[at] = number(global(at)); });
  u.boundary(w.components(1), [](ghost_cell<int, 2> const&, double wall, double time) {
    return static_cast<int>(wall + time);
  });
  make_halo(u, w).run();
  u.fill_borders();
  for_each_cell(u.view().local(), [&](cell_index<2> const& at) {
    cell_index<2> const here = global(at);
    cell_index<2> image = here;
    for (int a = 0; a < 2; ++a) {
      std::int64_t const n = grid.cells()[a];
      image[a] = here[a] < 0 ? -1 - here[a] : here[a] >= n ? 2 * n - 1 - here[a] : here[a];
    }
    CHECK(u.view()[at] == (here == image ? 0 : static_cast<int>(number(image))));
  });
}

TEST_CASE("conditions that read fields which do not fit are refused in one line") {
  auto const grid = line_of_cells();
  Grid<1> const other_grid(testing::world(), {.cells = {cells + 1}});
  auto u = grid.field<double>("u"), stranger = other_grid.field<double>("stranger");
  auto faces = grid.field<double>("faces", {.on = on_faces(0)});
  auto two = grid.field<double>("two", {.components = 2});
  auto const wall = [](auto const&, double value) { return value; };
  auto const line = [](auto const& act) {
    try {
      act();
    } catch (usage_error const& problem) {
      return std::string(problem.what());
    }
    return std::string("nothing was thrown");
  };
  CHECK_THAT(line([&] { u.boundary(stranger, wall); }),
             Contains("field 'u': a boundary condition that reads 'stranger'"));
  CHECK_THAT(line([&] { u.boundary(faces, wall); }), Contains("at the same places of its cells"));
  CHECK_THAT(line([&] { u.boundary(two, wall); }),
             Contains("reads 2 components of level 0 of 'two'"));
  CHECK_THAT(line([&] { u.boundary(0, side::low, two.components(2), wall); }),
             Contains("reads component 2 of 'two' (expected 0 to 1)"));
  CHECK_THAT(line([&] { u.boundary(two[-1].components(0), wall); }),
             Contains("of level -1 of 'two'"));
}

TEST_CASE(
    "steps refuse conditions that read a field which is gone, or which blocks change in turn") {
  auto const grid = line_of_cells();
  auto u = grid.field<double>("u"), w = grid.field<double>("w");
  auto const wall = [](auto const&, double value) { return value; };
  Steps step(grid);
  step.each("sum", updates(u, at({{-1}, {1}})), add_neighbors);
  {
    auto passing = grid.field<double>("passing");
    u.boundary(passing, wall);
  }
  CHECK_THAT(
      testing::refusal_of([&] { step.run(); }),
      Contains("field 'u': the boundary condition on the low side of axis 0 reads a field that "
               "is gone"));
  u.boundary(w, wall);
  w.boundary(outside(0.0));
  Steps in_order(grid);
  in_order
      .each("sweep", modifies(w, at({{-1}})), reads(u, at({{-1}})),
            [](auto a, auto b) { a = a(-1) + b(-1); })
      .in_order(0);
  CHECK_THAT(
      testing::refusal_of([&] { in_order.run(); }),
      Contains("kernel 'sweep' in order along axis 0 modifies 'w', and reads 'u', whose boundary "
               "conditions read it"));
}

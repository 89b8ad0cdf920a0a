// Conditions that see further inside than the mirror image, by hand and in steps, on blocks that are
// thinner than what they see, too; and the order of conditions at corners.
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/fields/gather.hpp>
#include <seam/stencil/ghosts/halo.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using namespace seam;
using Catch::Contains;

namespace {

/// A polynomial of the indices, of degree `degree` in each of them: a whole number.
double polynomial(int degree, cell_index<2> const& at) {
  auto const i = static_cast<double>(at[0]), j = static_cast<double>(at[1]);
  double const square_i = degree > 1 ? i * i : 0, square_j = degree > 1 ? 2 * j * j : 0;
  return (square_i + 3 * i + 1) * (square_j - j + 5);
}

cell_index<2> global(Grid<2> const& grid, cell_index<2> const& at) {
  return {at[0] + grid.owned().lo[0], at[1] + grid.owned().lo[1]};
}

void fill_by(Field<double, 2>& u, int degree) {
  for_each_cell(u.owned(), [&, view = u.view()](cell_index<2> const& at) {
    view[at] = polynomial(degree, global(u.grid(), at));
  });
}

std::string line_of(auto const& act) {
  try {
    act();
  } catch (usage_error const& problem) {
    return problem.what();
  }
  return "nothing was thrown";
}

constexpr centering centerings[] = {on_cells, on_faces(0), on_faces(1), on_corners};

} // namespace

TEST_CASE("by hand, extrapolated ghosts continue polynomials, at corners, too") {
  Grid<2> const grid(testing::world(), {.cells = {19, 24}, .neighborhood = moore(2)});
  for (centering const on : centerings)
    for (int const degree : {1, 2}) {
      auto u = grid.field<double>("u", {.on = on});
      fill_by(u, degree);
      if (degree == 1)
        u.boundary(linear_extrapolation());
      else
        u.boundary(quadratic_extrapolation());
      make_halo(u).run();
      u.fill_borders();
      for_each_cell(u.view().local(), [&](cell_index<2> const& at) {
        INFO("low axes " << on.low_axes << " degree " << degree << " at " << at[0] << "," << at[1]);
        CHECK(u.view()[at] == polynomial(degree, global(grid, at)));
      });
    }
}

TEST_CASE("in steps they do so on blocks that are thinner than what conditions see") {
  Grid<2> const grid(testing::world(),
                     {.cells = {11, 9},
                      .neighborhood = metric_neighborhood(metric::manhattan, 0, 0)});
  for (centering const on : centerings)
    for (int const degree : {1, 2}) {
      auto u = grid.field<double>("u", {.on = on, .components = 2});
      auto sums = grid.field<double>("sums", {.on = on});
      for_each_cell(u.owned(), [&, view = u.view(1)](cell_index<2> const& at) {
        view[at] = polynomial(degree, global(grid, at));
      });
      u.fill(0, 0.0);
      u.boundary(outside(0.0));
      for (int axis : {0, 1})
        for (side const end : {side::low, side::high})
          if (degree == 1)
            u.boundary(axis, end, linear_extrapolation(), 1);
          else
            u.boundary(axis, end, quadratic_extrapolation(), 1);
      Steps step(grid);
      step.each("sum", writes(sums), reads(u, range({-3, 2}, {-2, 3})), [](auto to, auto from) {
        double sum = 0;
        for (int i = -3; i <= 2; ++i)
          for (int j = -2; j <= 3; ++j)
            sum += (10 * i + j) * from[1](i, j);
        to = sum;
      });
      CHECK_THAT(step.explain(), Contains(degree == 1 ? "borders that see 2 values inside"
                                                      : "borders that see 3 values inside"));
      step.run();
      for_each_cell(sums.owned(), [&](cell_index<2> const& at) {
        double sum = 0;
        for (int i = -3; i <= 2; ++i)
          for (int j = -2; j <= 3; ++j)
            sum += (10 * i + j) * polynomial(degree, global(grid, {at[0] + i, at[1] + j}));
        CHECK(sums.view()[at] == sum);
      });
    }
}

TEST_CASE("an outflow takes the flatter slope, and none at an extreme") {
  constexpr std::int64_t n = 13;
  Grid<1> const grid(testing::world(), {.cells = {n}});
  auto u = grid.field<double>("u"), left = grid.field<double>("left"),
       right = grid.field<double>("right");
  auto const fill = [&](std::vector<double> const& first) {
    for_each_cell(u.owned(), [&, view = u.view()](cell_index<1> const& at) {
      auto const i = at[0] + grid.owned().lo[0], from_end = n - 1 - i;
      view[at] = i < 3 ? first[i] : from_end < 3 ? -first[from_end] : 0.0;
    });
  };
  u.boundary(outflow());
  Steps step(grid);
  step.each("left", writes(left), reads(u, at({{-2}})), [](auto to, auto u) { to = u(-2); });
  step.each("right", writes(right), reads(u, at({{2}})), [](auto to, auto u) { to = u(2); });
  struct {
    std::vector<double> inside;
    double first, second; // ghosts
  } const cases[] = {{{5, 3, 2}, 6, 7},  {{5, 4, 2}, 6, 7}, {{-5, -3, -2}, -6, -7},
                     {{5, 3, 4}, 5, 5},  {{1, 3, 2}, 1, 1}, {{2, 2, 5}, 2, 2},
                     {{3, 5, 9}, 1, -1}, {{7, 7, 7}, 7, 7}};
  for (auto const& one : cases) {
    fill(one.inside);
    step.run();
    auto const low = gather(left), high = gather(right);
    if (grid.rank() != 0)
      continue;
    INFO(one.inside[0] << " " << one.inside[1] << " " << one.inside[2]);
    CHECK(low[0] == one.second);
    CHECK(low[1] == one.first);
    CHECK(high[n - 1] == -one.second);
    CHECK(high[n - 2] == -one.first);
  }
}

TEST_CASE("a ghost knows its layer, its mirror image, and the values from the border on") {
  constexpr std::int64_t n = 11;
  Grid<2> const grid(testing::world(), {.cells = {4, n}, .periodic = {true, false}});
  for (centering const on : {on_cells, on_corners}) {
    bool const is_low = on.is_low(1);
    auto u = grid.field<double>("u", {.on = on}), w = grid.field<double>("w", {.on = on});
    auto low = grid.field<double>("low", {.on = on}), high = grid.field<double>("high", {.on = on});
    for_each_cell(u.owned(), [&, view = u.view(), other = w.view()](cell_index<2> const& at) {
      auto const [i, j] = global(grid, at);
      view[at] = static_cast<double>(j + 1);
      other[at] = static_cast<double>(1000 * (j + 1));
    });
    Value<double> time("time", 0.25);
    auto const seen = [](auto const& ghost, double other, double now) {
      return ghost.inside + 100 * (ghost.inside(0) + ghost.inside(3)) + other +
             1e6 * static_cast<double>(ghost.layer) + now;
    };
    u.boundary(w, sees(3, seen));
    Steps step(grid);
    step.time(time);
    step.each("low", writes(low), reads(u, at({{0, -3}})), [](auto to, auto u) { to = u(0, -3); });
    step.each("high", writes(high), reads(u, at({{0, 3}})), [](auto to, auto u) { to = u(0, 3); });
    step.run();
    std::int64_t const last = n + (is_low ? 1 : 0);
    for_each_cell(low.owned(), [&](cell_index<2> const& at) {
      auto const j = global(grid, at)[1];
      double expected = static_cast<double>(j - 3 + 1);
      if (std::int64_t const layer = 3 - j; layer > 0) {
        auto const mirror = static_cast<double>(layer + (is_low ? 1 : 0));
        expected = mirror + 100 * (1 + 4) + 1000 * mirror + 1e6 * static_cast<double>(layer) + 0.25;
      }
      CHECK(low.view()[at] == expected);
      expected = static_cast<double>(j + 3 + 1);
      if (std::int64_t const layer = j + 3 - last + 1; layer > 0) {
        auto const mirror = static_cast<double>(last + 1 - layer - (is_low ? 1 : 0));
        expected = mirror + 100 * static_cast<double>(last + last - 3) + 1000 * mirror +
                   1e6 * static_cast<double>(layer) + 0.25;
      }
      CHECK(high.view()[at] == expected);
    });
  }
}

namespace {

/// u = a sum of neighbors, serially, where ghosts are those of `ghost(inside, layer)`.
std::vector<double> summed(std::vector<double> const& u, auto const& ghost) {
  auto const n = std::ssize(u);
  auto const value = [&](std::int64_t i) {
    if (i >= 0 && i < n)
      return u[i];
    return i < 0 ? ghost([&](int k) { return u[k]; }, -i)
                 : ghost([&](int k) { return u[n - 1 - k]; }, i - n + 1);
  };
  std::vector<double> made;
  for (std::int64_t i = 0; i < n; ++i)
    made.push_back(0.5 * value(i - 2) + 0.25 * u[i] - 0.5 * value(i + 1));
  return made;
}

} // namespace

TEST_CASE("fused steps, whatever their tiles, have the bits of one after another") {
  constexpr std::int64_t n = 29;
  Grid<1> const grid(testing::world(), {.cells = {n}});
  auto const weights = [](auto const& inside, auto layer) {
    return 0.5 * inside(0) - 0.125 * inside(2) + 0.0625 * inside(4) * static_cast<double>(layer);
  };
  for (int const fused : {1, 2, 5})
    for (int const extent : {0, 1, 3}) {
      auto u = grid.field<double>("u");
      u.fill([](position<1> x) { return 1 / (x[0] + 0.1); });
      std::vector<double> expected = gather(u);
      u.boundary(sees(4, [=](auto const& ghost) { return weights(ghost.inside, ghost.layer); }));
      Steps step(grid);
      step.each("sum", updates(u, at({{-2}, {1}})),
                [](auto u) { u = 0.5 * u(-2) + 0.25 * u() - 0.5 * u(1); });
      step.fuse(fused);
      step.machine().settings().tile_extent = extent;
      for (int const steps : {1, 7, 10}) {
        step.run(steps);
        auto const found = gather(u);
        if (grid.rank() != 0)
          continue;
        for (int s = 0; s < steps; ++s)
          expected = summed(expected, weights);
        CHECK(found == expected);
      }
    }
}

TEST_CASE("a condition that sees further may replace one, and be a kernel's own") {
  constexpr std::int64_t n = 17;
  Grid<1> const grid(testing::world(), {.cells = {n}});
  auto u = grid.field<double>("u"), v = grid.field<double>("v");
  u.fill([](position<1> x) { return x[0] * x[0]; });
  std::vector<double> expected = gather(u);
  auto const nearest = [](auto const& inside, auto) { return 0.5 * inside(0); };
  auto const third = [](auto const& inside, auto) { return 0.25 * inside(3); };
  auto const own = [](auto const& inside, auto layer) {
    return 0.125 * inside(5) + static_cast<double>(layer);
  };
  auto const condition = [](int depth, auto const& of) {
    return sees(depth, [=](auto const& ghost) { return of(ghost.inside, ghost.layer); });
  };
  auto const add = [](auto to, auto u) { to = 0.5 * u(-2) + 0.25 * u() - 0.5 * u(1); };
  u.boundary(condition(0, nearest));
  Steps step(grid);
  step.each("own", writes(v), reads(u, at({{-2}, {1}})), add).boundary(u, condition(5, own));
  step.each("field's", updates(u, at({{-2}, {1}})),
            [](auto u) { u = 0.5 * u(-2) + 0.25 * u() - 0.5 * u(1); });
  CHECK_THAT(step.explain(), Contains("own borders of u that see 6 values inside"));
  for (bool const is_replaced : {false, true, true, false}) {
    if (is_replaced)
      u.boundary(condition(3, third));
    else
      u.boundary(condition(0, nearest));
    step.run();
    auto const found = gather(u), beside = gather(v);
    if (grid.rank() != 0)
      continue;
    CHECK(beside == summed(expected, own));
    expected = is_replaced ? summed(expected, third) : summed(expected, nearest);
    CHECK(found == expected);
  }
}

TEST_CASE(
    "a ghost at a corner has the condition of the last axis, which sees ghosts of those before") {
  Grid<2> const grid(testing::world(), {.cells = {14, 18}, .neighborhood = moore(2)});
  auto u = grid.field<double>("u");
  u.fill(1.0);
  for (side const end : {side::low, side::high}) {
    u.boundary(0, end, sees(1, [](auto const& ghost) {
                 return 10 * ghost.inside(0) + static_cast<double>(ghost.layer);
               }));
    u.boundary(1, end, sees(1, [](auto const& ghost) {
                 return 100 * ghost.inside(1) + 0.5 * static_cast<double>(ghost.layer);
               }));
  }
  make_halo(u).run();
  u.fill_borders();
  auto const layer_of = [](std::int64_t index, std::int64_t cells) {
    return static_cast<double>(index < 0 ? -index : index >= cells ? index - cells + 1 : 0);
  };
  for_each_cell(u.view().local(), [&](cell_index<2> const& at) {
    auto const [i, j] = global(grid, at);
    double const first = layer_of(i, 14), second = layer_of(j, 18);
    double const expected = first > 0 ? 10 + first : 1.0;
    CHECK(u.view()[at] == (second > 0 ? 100 * expected + 0.5 * second : expected));
  });
}

TEST_CASE("whole numbers, and numbers of less precision, are extrapolated, too") {
  Grid<1> const grid(testing::world(), {.cells = {40}, .neighborhood = von_neumann(2)});
  auto small = grid.field<std::int16_t>("small");
  auto single = grid.field<float>("single");
  auto const index = [&](cell_index<1> const& at) { return at[0] + grid.owned().lo[0]; };
  for_each_cell(small.owned(), [&, a = small.view(), b = single.view()](cell_index<1> const& at) {
    a[at] = static_cast<std::int16_t>(index(at) * index(at) - 40);
    b[at] = static_cast<float>(index(at)) * 0.5F;
  });
  small.boundary(quadratic_extrapolation());
  single.boundary(outflow());
  make_halo(small, single).run();
  small.fill_borders();
  single.fill_borders();
  for_each_cell(small.view().local(), [&](cell_index<1> const& at) {
    CHECK(small.view()[at] == index(at) * index(at) - 40);
    CHECK(single.view()[at] == static_cast<float>(index(at)) * 0.5F);
  });
}

TEST_CASE("what conditions cannot see is refused in one line") {
  int const ranks = testing::world().size();
  Grid<2> const grid(testing::world(), {.cells = {4 * ranks, 3}, .processes = {ranks, 1}});
  auto u = grid.field<double>("u"), faces = grid.field<double>("faces", {.on = on_faces(1)});
  auto const of = [](int k) { return [k](auto const& ghost) { return 1.0 * ghost.inside(k); }; };
  CHECK_THAT(line_of([&] { static_cast<void>(sees(-1, of(0))); }),
             Contains("sees to inside(-1) (expected 0 to 1000)"));
  CHECK_THAT(line_of([&] { u.boundary(1, side::low, sees(3, of(0))); }),
             Contains("field 'u': a boundary condition on axis 1 that sees 4 values (expected at "
                      "most the 3 that lie along it)"));
  CHECK_NOTHROW(faces.boundary(1, side::low, sees(3, of(3))));
  u.boundary(sees(2, of(2)));
  u.boundary(0, side::high, sees(2, of(0)));
  make_halo(u).run();
  CHECK_NOTHROW(u.fill_borders());
  u.boundary(0, side::high, sees(3, of(3)));
  CHECK_NOTHROW(u.fill_borders()); // the block alone
  if (ranks > 1) {
    u.boundary(0, side::high, sees(6, of(0)), 0);
    CHECK_THAT(testing::refusal_of([&] { u.fill_borders(); }),
               Contains("field 'u': a boundary condition on the high side of axis 0 sees 7 values, "
                        "where 5 are there (expected thicker blocks, a wider neighborhood, or "
                        "steps)"));
  }
  u.boundary(sees(2, of(3)));
  CHECK_THAT(line_of([&] { u.fill_borders(); }),
             Contains("reads inside(3) (expected 0 to 2, as its sees() declares)"));
}

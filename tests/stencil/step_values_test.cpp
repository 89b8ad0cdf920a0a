// Values of steps: where extremes are, sums that wait for the end of a run, runs until a value fulfills
// a condition, kernels of some steps alone.
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/fields/gather.hpp>
#include <seam/stencil/fields/sum.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

using namespace seam;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <int D>
Grid<D> grid_of(cell_index<D> const& cells, bool is_periodic) {
  grid_options<D> options;
  options.cells = cells;
  options.periodic.fill(is_periodic);
  return Grid<D>(testing::world(), options);
}

/// Sets the values at some cells of the domain, and all others.
template <class T, int D>
void set(Field<T, D>& u, T elsewhere, std::vector<std::pair<cell_index<D>, T>> const& values) {
  u.fill([&](auto) { return elsewhere; });
  for (auto const& [index, value] : values)
    if (u.grid().owned().contains(index)) {
      cell_index<D> at = index;
      for (int a = 0; a < D; ++a)
        at[a] -= u.grid().owned().lo[a];
      u.view()[at] = value;
    }
}

template <class T>
struct extremes {
  T least, largest;
  located<T, 2> first_least, first_largest;
};

/// The extremes of a field, by steps.
template <class T>
extremes<T> extremes_of(Field<T, 2> const& u, int fused = 1) {
  Value<T> least("least"), largest("largest");
  Value<located<T, 2>> low("low"), high("high");
  Steps step(u.grid());
  step.fuse(fused);
  step.each("extremes", minimum(least), maximum(low), reads(u), maximum(largest), minimum(high),
            [](auto lowest, auto most_at, auto v, auto most, auto lowest_at) {
              lowest(v());
              most_at(v());
              most(v());
              lowest_at(v());
            });
  step.run();
  return {least, largest, high.get(), low.get()};
}

} // namespace

TEST_CASE("extremes are told with the lowest index at which they are") {
  auto const grid = grid_of<2>({13, 11}, false);
  auto u = grid.field<double>("u");
  set<double, 2>(u, 0.5, {{{12, 0}, 7.0}, {{3, 9}, 7.0}, {{3, 10}, 7.0}, {{4, 0}, -7.0}});
  auto const found = extremes_of(u);
  CHECK(found.largest == 7.0);
  CHECK(found.first_largest.value == 7.0);
  CHECK(found.first_largest.index == cell_index<2>{3, 9});
  CHECK(found.least == -7.0);
  CHECK(found.first_least.value == -7.0);
  CHECK(found.first_least.index == cell_index<2>{4, 0});
}

TEST_CASE("-0.0 is less than 0.0, and infinities are extremes") {
  auto const grid = grid_of<2>({13, 11}, true);
  auto u = grid.field<double>("u");
  set<double, 2>(u, 0.0, {{{7, 7}, -0.0}, {{9, 2}, -0.0}});
  auto const zeros = extremes_of(u);
  CHECK(std::signbit(zeros.least));
  CHECK(!std::signbit(zeros.largest));
  CHECK(zeros.first_least.index == cell_index<2>{7, 7});
  CHECK(zeros.first_largest.index == cell_index<2>{0, 0});
  set<double, 2>(u, -0.0, {{{7, 7}, 0.0}});
  CHECK(extremes_of(u).first_largest.index == cell_index<2>{7, 7});
  set<double, 2>(u, 1e308, {{{12, 10}, infinity}, {{0, 3}, -infinity}, {{12, 2}, -infinity}});
  auto const wide = extremes_of(u);
  CHECK(wide.largest == infinity);
  CHECK(wide.least == -infinity);
  CHECK(wide.first_least.index == cell_index<2>{0, 3});
  CHECK(wide.first_largest.index == cell_index<2>{12, 10});
}

TEST_CASE("a NaN of either sign is the result, at the lowest index of all") {
  auto const grid = grid_of<2>({13, 11}, false);
  auto u = grid.field<double>("u");
  for (double const first : {nan, -nan})
    for (double const second : {nan, -nan}) {
      set<double, 2>(u, 3.0, {{{11, 1}, first}, {{5, 10}, second}, {{1, 1}, infinity}});
      auto const found = extremes_of(u);
      CHECK(std::isnan(found.least));
      CHECK(std::isnan(found.largest));
      CHECK(std::isnan(found.first_least.value));
      CHECK(found.first_least.index == cell_index<2>{5, 10});
      CHECK(std::isnan(found.first_largest.value));
      CHECK(found.first_largest.index == cell_index<2>{5, 10});
      CHECK(std::isnan(minimum(u)));
      CHECK(std::isnan(maximum(u)));
    }
}

TEST_CASE("extremes of floats and of integers are exact") {
  auto const grid = grid_of<2>({13, 11}, false);
  auto f = grid.field<float>("f");
  set<float, 2>(f, -1.5F, {{{0, 0}, -2.5F}, {{12, 10}, -0.25F}});
  auto const floats = extremes_of(f);
  CHECK(floats.least == -2.5F);
  CHECK(floats.largest == -0.25F);
  auto n = grid.field<std::uint64_t>("n");
  set<std::uint64_t, 2>(n, 5, {{{6, 6}, ~std::uint64_t{0}}, {{6, 7}, 0}});
  auto const integers = extremes_of(n);
  CHECK(integers.largest == ~std::uint64_t{0});
  CHECK(integers.first_largest.index == cell_index<2>{6, 6});
  CHECK(integers.least == 0);
  CHECK(integers.first_least.index == cell_index<2>{6, 7});
}

TEST_CASE("an extreme of no cells is the limit of the type, at no index") {
  auto const grid = grid_of<2>({13, 11}, false);
  auto u = grid.field<double>("u");
  u.fill(0.0);
  Value<located<double, 2>> least("least");
  Steps step(grid);
  step.each("nothing", minimum(least), reads(u), [](auto into, auto v) { into(v()); })
      .where(box<2>{{3, 3}, {3, 3}});
  step.run();
  CHECK(least.get().value == infinity);
  CHECK(least.get().index == cell_index<2>{-1, -1});
}

TEST_CASE(
    "located extremes are of the domain's indices in 3D, on faces, in colors and in fused steps") {
  auto const grid = grid_of<3>({8, 6, 10}, true);
  auto u = grid.field<double>("u", {.on = on_faces(1)}), v = grid.field<double>("v");
  set<double, 3>(u, 1.0, {{{7, 5, 9}, 4.0}, {{2, 5, 9}, 4.0}});
  v.fill(1.0);
  for (int const fused : {1, 3}) {
    Value<located<double, 3>> most("most");
    Value<double> sum_of_indices("sum", 0.0);
    Steps step(grid);
    step.fuse(fused);
    step.each("keep", updates(v, star(1)), [](auto c) { c = c(1, 0, 0); });
    step.each("most", maximum(most), modifies(u),
              [](auto into, auto c) {
                c = c() + 1;
                into(c());
              })
        .in_colors(2);
    step.once("add", sets(sum_of_indices), with(most), [](double& all, auto const& here) {
      all += static_cast<double>(here.index[0] + 10 * here.index[1] + 100 * here.index[2]);
    });
    step.run(3);
    CHECK(most.get().index == cell_index<3>{2, 5, 9});
    CHECK(sum_of_indices == 3.0 * 952);
  }
  CHECK(maximum(u) == 10.0);
}

namespace {

/// Runs a kernel once that smooths along an axis in place, and reduces what it writes in all ways.
template <int D>
void check_reductions_in_place(cell_index<D> const& cells, int axis,
                               std::function<void(kernel_options<D>&)> const& choose) {
  auto const grid = grid_of<D>(cells, false);
  auto u = grid.template field<double>("u");
  u.boundary(outside(0.25));
  u.fill([](position<D> const& x) { return 3 * x[0] - x[D - 1] * x[D - 1]; });
  Value<double> least("least"), most("most"), total("total");
  Value<std::int64_t> number("number");
  Steps step(grid);
  auto options = step.each(
      "smooth", modifies(u, line(axis, -1, 0)), minimum(least), maximum(most), sum(total),
      sum(number), [axis](auto v, auto low, auto high, auto all, auto count) {
        if constexpr (D == 2)
          v = 0.5 * v() + 0.5 * (axis == 0 ? v(-1, 0) : v(0, -1));
        else
          v = 0.5 * v() + 0.5 * (axis == 0 ? v(-1, 0, 0) : axis == 1 ? v(0, -1, 0) : v(0, 0, -1));
        low(v());
        high(v());
        all(v());
        count(1);
      });
  choose(options);
  step.run(1);
  CHECK(least == minimum(u));
  CHECK(most == maximum(u));
  CHECK(total == sum(u));
  CHECK(number == seam::box<D>{{}, cells}.num_cells());
}

} // namespace

TEST_CASE("kernels in colors and in order reduce what they write") {
  for (int axis = 0; axis < 3; ++axis) {
    check_reductions_in_place<3>({5, 7, 9}, axis, [](auto& options) { options.in_colors(2); });
    for (auto const along : {axis_order::forward, axis_order::backward}) {
      auto const in_order = [=](auto& options) { options.in_order(axis, along); };
      check_reductions_in_place<3>({6, 5, 9}, axis, in_order);
      if (axis < 2)
        check_reductions_in_place<2>({7, 11}, axis, in_order);
    }
  }
}

TEST_CASE("a sum that no kernel takes is computed once in a run, at its end") {
  auto const grid = grid_of<1>({29}, true);
  for (int const fused : {1, 3}) {
    auto u = grid.field<double>("u");
    u.fill(1.0);
    std::atomic<int> calls = 0;
    Value<double> total("total"), every_second("every second"), taken("taken"), copy("copy");
    Steps step(grid);
    step.fuse(fused);
    step.each("grow", modifies(u), [](auto v) { v = v() + 1; });
    step.each("total", sum(total), reads(u), [&calls](auto into, auto v) {
      ++calls;
      into(v());
    });
    step.each("now and then", sum(every_second), reads(u), [](auto into, auto v) { into(v()); })
        .every(4, 1);
    step.each("taken", sum(taken), reads(u), [](auto into, auto v) { into(v()); });
    step.once("copy", sets(copy), with(taken), [](double& to, double from) { to = from; });
    step.plan();
    for (int done = 0; int const n : {1, 2, 5, 11, 4, 0, 13}) {
      calls = 0;
      step.run(n);
      done += n;
      CHECK(total == (done + 1) * 29.0);
      CHECK(copy == (done + 1) * 29.0);
      if (done >= 2)
        CHECK(every_second == ((done - 2) / 4 * 4 + 3) * 29.0);
      if (n > 1 && testing::all_ranks().size() == 1)
        CHECK(calls == 29);
    }
    std::string const text = step.explain();
    CHECK_THAT(text,
               Catch::Contains("kernel 'total' reads(u) sum(total), once in a run, at its end"));
    CHECK_THAT(text, !Catch::Contains("sum(taken), once in a run"));
  }
}

TEST_CASE("a sum that a condition on a border may take is computed in each step") {
  auto const grid = grid_of<1>({29}, false);
  auto u = grid.field<double>("u");
  u.fill(1.0);
  Value<double> total("total", 0.0);
  u.boundary(outside(total));
  Steps step(grid);
  step.each("total", sum(total), reads(u), [](auto into, auto v) { into(v()); });
  step.each("move", updates(u, line(0, -1, 0)), [](auto v) { v = v(-1); });
  step.run(3); // 29, 57, 113 enter one after another
  CHECK(sum(u) == 26.0 + 29 + 57 + 113);
}

TEST_CASE("kernels run in the steps of their phase, counted over all runs, fused or not") {
  auto const grid = grid_of<2>({12, 14}, true);
  for (int const fused : {1, 2, 3, 4})
    for (auto const& runs : std::vector<std::vector<int>>{{12}, {1, 5, 6}, {3, 3, 3, 3}}) {
      auto u = grid.field<double>("u");
      u.fill([](auto x) { return std::sin(40 * x[0]) + 3 * x[1]; });
      auto const first = gather(u);
      Steps step(grid);
      step.fuse(fused);
      step.each("down", updates(u, line(0, -1, 0)), [](auto v) { v = v(-1, 0) + 1; }).every(2);
      step.each("right", updates(u, line(1, -2, 0)), [](auto v) { v = 2 * v(0, -2); }).every(3, 2);
      step.each("odd", modifies(u), [](auto v) { v = v() - 0.5; }).every(2, 1);
      for (int const n : runs)
        step.run(n);
      auto const last = gather(u);
      if (testing::all_ranks().rank() != 0)
        continue;
      auto expected = first;
      for (int s = 0; s < 12; ++s) {
        auto const change = [&](auto const& value) {
          auto const old = expected;
          for (int i = 0; i < 12; ++i)
            for (int j = 0; j < 14; ++j)
              expected[i * 14 + j] = value(old, i, j);
        };
        if (s % 2 == 0)
          change([](auto const& old, int i, int j) { return old[(i + 11) % 12 * 14 + j] + 1; });
        if (s % 3 == 2)
          change([](auto const& old, int i, int j) { return 2 * old[i * 14 + (j + 12) % 14]; });
        if (s % 2 == 1)
          change([](auto const& old, int i, int j) { return old[i * 14 + j] - 0.5; });
      }
      CHECK(last == expected);
    }
}

TEST_CASE("a phase that is no step of the period is refused, and explained if it is one") {
  auto const grid = grid_of<2>({12, 14}, true);
  auto u = grid.field<double>("u");
  for (int const phase : {-1, 3}) {
    Steps step(grid);
    step.each("late", modifies(u), [](auto v) { v = v() + 1; }).every(3, phase);
    CHECK_THAT(testing::refusal_of([&] { step.run(); }),
               Catch::Contains("steps: kernel 'late' every 3 steps from step " +
                               std::to_string(phase) + " on (expected a first step from 0 to 2)"));
  }
  Steps step(grid);
  step.each("late", modifies(u), [](auto v) { v = v() + 1; }).every(3, 2);
  CHECK_THAT(step.explain(), Catch::Contains("every 3 steps from step 2 on"));
}

TEST_CASE(
    "a run ends at the same step on any ranks, with any fusion, however often it is stopped") {
  auto const grid = grid_of<2>({24, 20}, true);
  std::vector<std::int64_t> ends;
  std::vector<double> residuals;
  for (int const fused : {1, 2, 5})
    for (std::int64_t const part : {std::int64_t{1}, std::int64_t{7}, std::int64_t{10000}}) {
      auto u = grid.field<double>("u");
      u.fill([](auto x) { return std::sin(6.283185307179586 * x[0]); });
      Value<double> residual("residual");
      Steps step(grid);
      step.fuse(fused);
      step.each("smooth", updates(u, star(1)), maximum(residual), [](auto v, auto most) {
        double const now = 0.25 * (v(1, 0) + v(-1, 0) + v(0, 1) + v(0, -1));
        most(std::abs(now - v()));
        v = now;
      });
      bool has_converged = false;
      while (!has_converged)
        has_converged = step.run_until(residual, [](double r) { return r < 1e-3; },
                                       {.check_every = 5, .at_most = step.num_steps() + part});
      ends.push_back(step.num_steps());
      residuals.push_back(residual);
      CHECK(residual < 1e-3);
      CHECK(step.num_steps() % 5 == 0);
      // Again: it has ended.
      CHECK(step.run_until(residual, [](double r) { return r < 1e-3; }, {.check_every = 5}));
      CHECK(step.num_steps() == ends.back());
    }
  CHECK(ends.front() == 170);
  for (std::size_t k = 1; k < ends.size(); ++k) {
    CHECK(ends[k] == ends[0]);
    CHECK(residuals[k] == residuals[0]);
  }
}

TEST_CASE("a run until a time takes the first step that reaches it, and looks before the first") {
  auto const grid = grid_of<1>({29}, true);
  auto u = grid.field<double>("u");
  Value<double> time("time", 0.0);
  Steps step(grid);
  step.each("grow", modifies(u), [](auto v) { v = v() + 1; });
  step.once("tick", sets(time), [](double& t) { t += 0.25; });
  auto const until = [&](double end, run_limits const& limits) {
    return step.run_until(
        time, [=](double t) { return t >= end; }, limits);
  };
  CHECK(until(0.0, {}));
  CHECK(step.num_steps() == 0);
  CHECK(until(1.5, {}));
  CHECK(step.num_steps() == 6);
  CHECK(!until(100.0, {.at_most = 9}));
  CHECK(step.num_steps() == 9);
  CHECK(!until(2.0, {.check_every = 4, .at_most = 9})); // it holds, but 9 is no multiple
  CHECK(until(2.0, {.check_every = 4}));
  CHECK(step.num_steps() == 12);
  CHECK(sum(u) == 12.0 * 29);
}

TEST_CASE("a value that runs only later is not looked at before") {
  auto const grid = grid_of<1>({29}, true);
  auto u = grid.field<double>("u");
  Value<double> most("most");
  Steps step(grid);
  step.each("grow", modifies(u), [](auto v) { v = v() + 1; });
  step.each("most", maximum(most), reads(u), [](auto into, auto v) { into(v()); }).every(6, 4);
  CHECK(step.run_until(most, [](double m) { return m < 100; }, {.check_every = 2}));
  CHECK(step.num_steps() == 6);
  CHECK(most == 5);
}

TEST_CASE("runs until a value that no kernel computes, or that look never, are refused") {
  auto const grid = grid_of<1>({29}, true);
  auto u = grid.field<double>("u");
  Value<double> most("most"), other("other", 1.0);
  Steps step(grid);
  step.each("most", maximum(most), reads(u), with(other),
            [](auto into, auto v, double w) { into(v() * w); });
  auto const holds = [](double) { return true; };
  CHECK_THAT(testing::refusal_of([&] { step.run_until(other, holds); }),
             Catch::Contains("steps: runs until value 'other' fulfills a condition, which no "
                             "kernel computes (expected "
                             "one that a kernel reduces or sets)"));
  CHECK_THAT(
      testing::refusal_of([&] { step.run_until(most, holds, {.check_every = 0}); }),
      Catch::Contains("steps: value 'most' is looked at every 0 steps (expected at least 1)"));
}

TEST_CASE("kernels on values have names, and parameters that could be exchanged are shown") {
  auto const grid = grid_of<2>({12, 14}, true);
  auto density = grid.field<double>("density"), energy = grid.field<double>("energy");
  auto pressure = grid.field<double>("pressure");
  auto u = grid.field<float>("u");
  Value<double> h("h");
  Steps step(grid);
  step.once("choose step", sets(h), [](double& to) { to = 1; });
  step.each("ideal gas", writes(pressure), reads(density), reads(energy), reads(u),
            [](auto p, auto rho, auto e, auto v) { p = rho() * e() + v(); });
  step.each("apart", writes(pressure), reads(density, star(1)), reads(energy),
            [](auto p, auto rho, auto e) { p = rho(1, 0) * e(); });
  std::string const text = step.explain();
  CHECK_THAT(text, Catch::Contains("kernel 'choose step'"));
  CHECK_THAT(text,
             Catch::Contains(
                 "  parameters that could be exchanged: ideal gas(2 <- density, 3 <- energy)\n"));
  CHECK_THAT(text, !Catch::Contains("exchanged: apart"));
}

TEST_CASE("a range of offsets is read as a box is, in 1D to 3D") {
  auto const plane = grid_of<2>({12, 14}, true);
  auto u = plane.field<double>("u"), all = plane.field<double>("all");
  u.fill([](auto x) { return x[0] + 100 * x[1]; });
  Steps step(plane);
  step.each("corners", writes(all), reads(u, range({0, 1}, {-1, 0})),
            [](auto to, auto v) { to = v() + v(1, 0) + v(0, -1) + v(1, -1); });
  CHECK_THAT(step.explain(), Catch::Contains("reads(u at 4 offsets from (0,-1) to (1,0))"));
  step.run();
  CHECK(sum(all) == Approx(4 * sum(u)).epsilon(1e-14));
  Steps outside_of_it(plane);
  outside_of_it.each("more", writes(all), reads(u, range({0, 1}, {0, 1})),
                     [](auto to, auto v) { to = v(-1, 0); });
  CHECK_THAT(testing::refusal_of([&] { outside_of_it.run(); }),
             Catch::Contains("kernel 'more' reads 'u' at offset (-1, 0)"));
  CHECK_THROWS_WITH(reads(u, range({0, 1}, {0, 1}, {0, 1})).offsets.front().expand(2),
                    Catch::Contains("offsets of 3 numbers for a grid of 2 dimensions"));
  auto const room = grid_of<3>({8, 6, 10}, true);
  auto w = room.field<double>("w"), mean = room.field<double>("mean");
  w.fill([](auto x) { return x[0] + 10 * x[1] + 100 * x[2]; });
  Steps average(room);
  average.each("mean", writes(mean),
               reads(w, range({0, 1}, {0, 0}, {-1, 1}) + range({0, 0}, {2, 2}, {0, 0})),
               [](auto to, auto v) { to = v(0, 0, -1) + v(1, 0, 1) + v(0, 2, 0); });
  average.run();
  CHECK(sum(mean) == Approx(3 * sum(w)).epsilon(1e-13));
}

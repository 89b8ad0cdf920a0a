// Conditions on borders that read the time, or values that they hold: ghosts have those of the moment
// at which a kernel reads them, in steps one by one, several at once, or fused.
#include <seam/stencil/fields/gather.hpp>
#include <seam/stencil/fields/sum.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <atomic>
#include <cmath>
#include <optional>
#include <vector>

using namespace seam;

namespace {

constexpr std::int64_t cells = 23;

Grid<1> line_of_cells() { return Grid<1>(testing::world(), {.cells = {cells}}); }

/// Calls test(run, fused): run(steps, n) runs n steps, in one go or one by one.
template <class Test>
void for_each_way(Test const& test) {
  for (int const fused : {1, 2, 3, 5})
    for (bool const one_by_one : {false, true}) {
      INFO(fused << " fused" << (one_by_one ? ", one by one" : ""));
      test(
          [one_by_one](Steps<1>& step, int n) {
            for (int calls = one_by_one ? n : 1; calls > 0; --calls)
              step.run(one_by_one ? 1 : n);
          },
          fused);
    }
}

auto const add_one = [](double& now) { now += 1; };
auto const take_ghosts = [](auto to, auto from) { to = from(-1) + 10 * from(1); };

/// The sum of a field after take_ghosts() of a field of zeros, with given ghosts.
double sum_of_ghosts(double low, double high) { return low + 10 * high; }

} // namespace

TEST_CASE("a time that is set between two readers is that of the second one's ghosts") {
  for_each_way([](auto const& run, int fused) {
    auto const grid = line_of_cells();
    auto u = grid.field<double>("u");
    u.boundary([](auto const&, double t) { return t; });
    Value<double> largest("largest"), time("time", 0.0);
    Steps step(grid);
    step.time(time);
    step.fuse(fused);
    step.each("limit", maximum(largest), reads(u), [](auto most, auto v) { most(v()); });
    step.once(sets(time), add_one);
    step.each("advance", updates(u, line(0, -1, 0)), [](auto v) { v = v(-1); });
    for (int done = 0; done < 18; done += 6) {
      run(step, 6);
      auto const found = gather(u);
      for (int i = 0; i < std::ssize(found); ++i)
        CHECK(found[i] == std::max(0, done + 6 - i));
      CHECK(largest.get() == done + 5);
    }
  });
}

TEST_CASE("two readers of a field that no kernel changes get ghosts of their times") {
  for_each_way([](auto const& run, int fused) {
    auto const grid = line_of_cells();
    auto wall = grid.field<double>("wall"), old = grid.field<double>("old");
    auto now = grid.field<double>("now"), all = grid.field<double>("all");
    wall.fill(0.0);
    wall.boundary(0, side::low, [](auto const& ghost, double t) { return ghost.inside + t; });
    wall.boundary(0, side::high, [](auto const&, double t) { return -t * t; });
    Value<double> time("time", 3.0);
    Steps step(grid);
    step.time(time);
    step.fuse(fused);
    step.each("old", writes(old), reads(wall, line(0, -1, 1)), take_ghosts);
    step.once(sets(time), add_one);
    step.each("now", writes(now), reads(wall, line(0, -1, 1)), take_ghosts);
    step.each("all", modifies(all), reads(old), reads(now),
              [](auto to, auto a, auto b) { to = to() + a() + b(); });
    double t = 3, expected = 0;
    for (int const steps : {1, 2, 7}) {
      run(step, steps);
      for (int s = 0; s < steps; ++s, t += 1)
        expected += sum_of_ghosts(t, -t * t) + sum_of_ghosts(t + 1, -(t + 1) * (t + 1));
      CHECK(sum(old) == sum_of_ghosts(t - 1, -(t - 1) * (t - 1)));
      CHECK(sum(now) == sum_of_ghosts(t, -t * t));
      CHECK(sum(all) == expected);
    }
  });
}

TEST_CASE("a reduction that makes the time gives its ghosts to the next step") {
  for_each_way([](auto const& run, int fused) {
    auto const grid = line_of_cells();
    auto wall = grid.field<double>("wall");
    wall.fill(0.0);
    wall.boundary([](auto const& ghost, double t) { return ghost.inside + t + 1; });
    Value<double> time("time", 0.0);
    Steps step(grid);
    step.time(time);
    step.fuse(fused);
    step.each("next", maximum(time), reads(wall, line(0, -1, 1)),
              [](auto most, auto v) { most(std::max(v(-1), v(1))); });
    run(step, 7);
    CHECK(time.get() == 7);
  });
}

TEST_CASE("a kernel in several passes that makes the time reads ghosts of the time before it") {
  auto const grid = Grid<1>(testing::world(), {.cells = {24}});
  auto wall = grid.field<double>("wall"), seen = grid.field<double>("seen");
  wall.fill(0.0);
  wall.boundary([](auto const&, double t) { return t; });
  Value<double> time("time", 5.0);
  Steps step(grid);
  step.time(time);
  step.each("colors", modifies(seen), reads(wall, line(0, -1, 1)), sum(time),
            [](auto to, auto from, auto total) {
              take_ghosts(to, from);
              total(from(-1) + from(1));
            })
      .in_colors();
  for (double t = 5; t < 100; t *= 2) {
    step.run();
    CHECK(sum(seen) == sum_of_ghosts(t, t));
    CHECK(time.get() == 2 * t);
  }
}

TEST_CASE("conditions may hold values, in whatever form") {
  for_each_way([](auto const& run, int fused) {
    auto const grid = line_of_cells();
    std::vector<Field<double, 1>> walls, seen;
    for (int n = 0; n < 3; ++n) {
      walls.push_back(grid.field<double>("wall"));
      walls.back().fill(0.0);
      seen.push_back(grid.field<double>("seen"));
    }
    Value<double> level("level", 1.0);
    walls[0].boundary([level](auto const& ghost) { return ghost.inside + level.get(); });
    walls[1].boundary([&level](auto const&) { return level.get(); });
    walls[2].boundary(0, side::low, outside(level));
    walls[2].boundary(0, side::high, dirichlet(level));
    Steps step(grid);
    step.fuse(fused);
    for (int n = 0; n < 3; ++n)
      step.each(writes(seen[n]), reads(walls[n], line(0, -1, 1)), take_ghosts);
    step.once(sets(level), add_one);
    double expected = 1;
    for (int const steps : {1, 5, 4}) {
      run(step, steps);
      expected += steps;
      CHECK(sum(seen[0]) == sum_of_ghosts(expected - 1, expected - 1));
      CHECK(sum(seen[1]) == sum_of_ghosts(expected - 1, expected - 1));
      CHECK(sum(seen[2]) == sum_of_ghosts(expected - 1, 2 * (expected - 1)));
    }
    level.set(50.0);
    expected = 50;
    step.run();
    CHECK(sum(seen[2]) == sum_of_ghosts(50, 100));
  });
}

TEST_CASE("a kernel's own condition of time holds for it alone") {
  for_each_way([](auto const& run, int fused) {
    auto const grid = line_of_cells();
    auto wall = grid.field<double>("wall");
    auto own = grid.field<double>("own"), others = grid.field<double>("others");
    wall.fill(0.0);
    wall.boundary(outside(7.0));
    Value<double> time("time", 0.0);
    Steps step(grid);
    step.time(time);
    step.fuse(fused);
    step.once(sets(time), add_one);
    step.each("own", writes(own), reads(wall, line(0, -1, 1)), take_ghosts)
        .boundary(wall, 0, side::high, [](auto const&, double t) { return t; });
    step.each("others", writes(others), reads(wall, line(0, -1, 1)), take_ghosts);
    run(step, 5);
    CHECK(sum(own) == sum_of_ghosts(7, 5));
    CHECK(sum(others) == sum_of_ghosts(7, 7));
  });
}

TEST_CASE("conditions that are replaced, and another time, hold from the next run on") {
  auto const grid = line_of_cells();
  auto wall = grid.field<double>("wall"), seen = grid.field<double>("seen");
  std::optional<Value<double>> first(std::in_place, "first", 100.0);
  Value<double> second("second", 0.0);
  Steps step(grid);
  wall.fill(0.0);
  wall.boundary(outside(1.0));
  step.time(*first);
  step.each("seen", writes(seen), reads(wall, line(0, -1, 1)), take_ghosts);
  step.once(sets(second), add_one);
  step.run(4);
  CHECK(sum(seen) == sum_of_ghosts(1, 1));
  wall.boundary([](auto const&, double t) { return t; });
  step.run(4);
  CHECK(sum(seen) == sum_of_ghosts(100, 100));
  step.time(second);
  first.reset();
  step.run(4);
  CHECK(sum(seen) == sum_of_ghosts(11, 11));
}

TEST_CASE("ghosts are filled anew only if what their condition reads has changed") {
  auto const grid = line_of_cells();
  auto wall = grid.field<double>("wall"), seen = grid.field<double>("seen");
  static std::atomic<int> num_calls;
  Value<double> time("time", 0.0), other("other", 0.0);
  auto const calls_of_four_steps = [&](auto const& condition, Value<double> const& changed) {
    wall.fill(0.0);
    wall.boundary(0, side::low, condition);
    Steps step(grid);
    step.time(time);
    step.each("seen", writes(seen), reads(wall, line(0, -1, 1)), take_ghosts);
    step.each("more", modifies(seen), reads(wall, line(0, -1, 1)),
              [](auto to, auto from) { to = to() + from(-1); });
    step.once(sets(changed), add_one);
    num_calls = 0;
    step.run(4);
    return sum(grid.base(), num_calls.load());
  };
  wall.boundary(outside(0.0));
  auto const of_time = [](auto const&, double t) {
    ++num_calls;
    return t;
  };
  auto const of_nothing = [](auto const& ghost) {
    ++num_calls;
    return ghost.inside;
  };
  CHECK(calls_of_four_steps(of_time, time) == 4);
  CHECK(calls_of_four_steps(of_time, other) == 1);
  CHECK(calls_of_four_steps(of_nothing, time) == 1);
}

// Fused steps of programs that differ from chains of kernels: those that reduce what they write, and
// those of values alone.
#include <seam/stencil/fields/sum.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::testing;

namespace {

/// How steps are fused: so many, or by measurement.
constexpr int by_measurement = 0;

template <int D>
void fuse(Steps<D>& step, int how) {
  if (how == by_measurement)
    step.fuse_by_measurement();
  else
    step.fuse(how);
}

/// What heat flow over 24 x 300 cells, the hottest cell and the sum are after `steps` steps.
struct heat_state {
  double hottest, total, sum_of_field;
  bool operator==(heat_state const&) const = default;
};

heat_state heat_after(int steps, int fused, bool is_periodic) {
  Grid<2> const grid(world(), {.cells = {24, 300}, .periodic = {is_periodic, is_periodic}});
  auto u = grid.field<double>("u");
  u.fill([](position<2> const& x) { return 1 + x[0] * (1 - x[1]); });
  u.boundary(neumann(0.0));
  Value<double> hottest("hottest"), total("total");
  Steps step(grid);
  step.each("heat", updates(u, star(1)), maximum(hottest), sum(total),
            [](auto v, auto most, auto all) {
              double const now = v() + 0.1 * (v(1, 0) + v(-1, 0) + v(0, 1) + v(0, -1) - 4 * v());
              most(now);
              all(now);
              v = now;
            });
  fuse(step, fused);
  step.run(steps);
  return {hottest, total, sum(u)};
}

} // namespace

TEST_CASE("a kernel that writes and reduces has the same bits however steps are fused") {
  for (bool const is_periodic : {true, false}) {
    auto const expected = heat_after(12, 1, is_periodic);
    CHECK(expected.total == expected.sum_of_field);
    for (int const fused : {2, 3, 4, 12})
      CHECK(heat_after(12, fused, is_periodic) == expected);
    CHECK(heat_after(80, by_measurement, is_periodic) == heat_after(80, 1, is_periodic));
  }
}

TEST_CASE("steps of values alone are fused like others") {
  Grid<2> const grid(world(), {.cells = {8, 8}});
  Grid<3> const cube(world(), {.cells = {8, 8, 8}});
  auto const count = [](auto const& over, int fused) {
    Value<std::int64_t> done("done", 0);
    Steps step(over);
    step.once(sets(done), [](std::int64_t& n) { n += 1; });
    fuse(step, fused);
    step.run(7);
    step.run(80);
    return done.get();
  };
  for (int const fused : {1, 2, 3, by_measurement}) {
    CHECK(count(grid, fused) == 87);
    CHECK(count(cube, fused) == 87);
  }
}

TEST_CASE("what one rank alone reads too far beyond a border is refused on all, however steps are "
          "fused") {
  Grid<2> const grid(world(), {.cells = {200, 1}});
  for (int const fused : {by_measurement, 1, 2, 4}) {
    auto u = grid.field<double>("u", {.components = 500}); // of more than caches hold
    auto seen = grid.field<double>("seen");
    u.boundary(neumann(0.0));
    Steps step(grid);
    step.each("far", writes(seen), reads(u, at({{0, 3}})),
              [](auto to, auto from) { to = from(0, 3); })
        .where(box<2>{{0, 0}, {3, 1}}); // on the first rank
    fuse(step, fused);
    CHECK_THAT(refusal_of([&] { step.run(40); }),
               Catch::Contains("3 layers are read beyond a border of axis 1, which has 1"));
  }
}

TEST_CASE("kernels that run in steps without a common multiple are fused by nothing, and end") {
  Grid<2> const grid(world(), {.cells = {400, 300}});
  for (std::int64_t const rare : {std::int64_t{1019}, std::int64_t{1} << 62}) {
    auto const steps_done = [&](int fused) {
      auto u = grid.field<float>("u");
      Steps step(grid);
      step.each("often", modifies(u), [](auto v) { v = v() + 1; }).every(1009);
      step.each("rare", modifies(u), [](auto v) { v = v() + 1; }).every(rare);
      fuse(step, fused);
      step.run(3);
      return maximum(u);
    };
    CHECK(steps_done(by_measurement) == 2);
    CHECK(steps_done(1) == 2);
    CHECK_THAT(
        refusal_of([&] { steps_done(2); }),
        Catch::Contains("2 steps are fused, and the same kernels run again after more than"));
  }
}

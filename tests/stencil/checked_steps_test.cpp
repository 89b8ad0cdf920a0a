// Values in checked mode: which kernel makes them not finite first, and fields that are read and have
// no values.
#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/stencil/roles/iterate.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>

using namespace seam;
using namespace seam::testing;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr char const* nothing = "nothing was thrown";
constexpr double infinite = std::numeric_limits<double>::infinity();

Grid<2> plane(cell_index<2> const& cells = {12, 13}, bool is_periodic = false) {
  return {world(), {.cells = cells, .periodic = {is_periodic, is_periodic}}};
}

/// 1 at all places but one.
template <class T>
auto hole_at(Grid<2> const& grid, cell_index<2> const& hole, T inside) {
  auto const x = grid.geometry().centre(hole);
  return [=](position<2> at) { return at == x ? inside : T(1); };
}

/// A kernel that divides by a field which is 0 at one place; it counts down to it.
void divide(Steps<2>& step, Field<double, 2>& u, Field<double, 2>& left) {
  step.each("countdown", updates(left), [](auto n) { n = n() - 1; });
  step.each("advance", updates(u, star(1)), reads(left),
            [](auto v, auto n) { v = (v(1, 0) + v(-1, 0)) / 2 + 1 / n(); });
}

} // namespace

TEST_CASE("the first value that is not finite is told with kernel, field, step and cell") {
  checks_in_scope const checked(true);
  auto const grid = plane();
  for (int const fused : {1, 3}) {
    auto u = grid.field<double>("u"), left = grid.field<double>("left");
    u.boundary(neumann(0.0));
    u.fill(1.0);
    left.fill([of = hole_at(grid, {3, 4}, 6.0)](auto x) { return of(x) == 6.0 ? 6.0 : 60.5; });
    Steps step(grid);
    step.fuse(fused);
    divide(step, u, left);
    step.run(3);
    std::string const line = refusal_of([&] { step.run(1000); });
    CHECK_THAT(line,
               Catch::StartsWith("steps: kernel 'advance' has made field 'u' not finite at step "
                                 "5, cell (3, 4): inf (expected finite values in checked mode"));
  }
}

TEST_CASE("of several values the first in the order of steps, kernels and places is told") {
  checks_in_scope const checked(true);
  auto const grid = plane();
  auto u = grid.field<double>("u"), v = grid.field<double>("v");
  u.fill(hole_at(grid, {11, 12}, -1.0));
  Steps step(grid);
  step.each("root", reads(u), writes(v), [](auto a, auto b) { b = std::sqrt(a() - 2); });
  CHECK_THAT(
      refusal_of([&] { step.run(); }),
      Catch::Contains("kernel 'root' has made field 'v' not finite at step 0, cell (0, 0): "));

  Steps both(grid);
  both.each("late", reads(u), writes(v), [](auto a, auto b) { b = 1 / (a() + 1); });
  both.each("later", reads(u), writes(v), [](auto a, auto b) { b = std::sqrt(a() - 2); });
  CHECK_THAT(
      refusal_of([&] { both.run(); }),
      Catch::Contains("kernel 'late' has made field 'v' not finite at step 0, cell (11, 12): inf"));
}

TEST_CASE("values that are made of others which are not finite are no findings") {
  checks_in_scope const checked(true);
  for (bool const is_periodic : {false, true}) {
    auto const grid = plane({12, 14}, is_periodic);
    auto u = grid.field<double>("u"), mask = grid.field<double>("mask");
    auto total = grid.field<double>("total"), kept = grid.field<double>("kept");
    for (auto* const field : {&u, &total, &kept})
      field->boundary(dirichlet(0.0));
    mask.fill(1.0);
    u.fill(hole_at(grid, {2, 7}, nan));
    kept.fill(hole_at(grid, {6, 6}, nan));
    total.fill(0.0);
    Steps step(grid);
    step.each("spread", updates(u, moore(1)), [](auto v) { v = v(1, 1) + v(-1, -1) - v() / 2; });
    step.each("add", reads(u), adds(total, star(1)), [](auto v, auto to) { to(0, 1) += v(); });
    step.each("in place", modifies(kept), reads(mask), [](auto k, auto m) { k = k() * m(); });
    step.each("few", writes(kept), [](auto k) { k = 2.0; }).where(box<2>{{0, 0}, {4, 4}});
    step.each("colors", modifies(kept, star(1)), [](auto k) { k = k(1, 0) + k(0, 1); }).in_colors();
    step.run(5);
    CHECK(std::isnan(maximum_norm(u)));
  }
}

TEST_CASE("kernels in colors, in order, by masks, and those that add are watched") {
  checks_in_scope const checked(true);
  auto const grid = plane({8, 10});
  auto u = grid.field<double>("u"), mask = grid.field<double>("mask");
  u.boundary(dirichlet(1.0));
  auto const told = [&](auto const& declare, std::string const& place) {
    u.fill(1.0);
    mask.fill(hole_at(grid, {5, 6}, 0.0));
    Steps step(grid);
    declare(step);
    CHECK_THAT(refusal_of([&] { step.run(2); }),
               Catch::Contains("kernel 'k' has made field 'u' not finite at step 0, cell (" +
                               place + ")"));
  };
  told(
      [&](auto& s) {
        s.each("k", modifies(u, star(1)), reads(mask), [](auto v, auto m) {
           v = v(0, 1) / m();
         }).in_colors();
      },
      "5, 6");
  told(
      [&](auto& s) {
        s.each("k", modifies(u, line(0, -1, 0)), reads(mask), [](auto v, auto m) {
           v = v(-1, 0) / m();
         }).in_order(0);
      },
      "5, 6");
  told(
      [&](auto& s) {
        s.each("k", reads(mask), adds(u, star(1)), [](auto m, auto v) { v(1, 0) += 1 / m(); });
      },
      "6, 6");
  told(
      [&](auto& s) {
        s.each("k", writes(u), reads(mask), [](auto v, auto m) {
           v = m() > 0 ? std::log(m() - 1) : 0.0;
         }).where(mask);
      },
      "0, 0");
  told(
      [&](auto& s) { // typed parameters cannot be recorded
        s.each("k", reads(mask), writes(u),
               [](reader<double, 2> m, writer<double, 2> v) { v = 1 / m(); });
      },
      "5, 6");
}

TEST_CASE("components, complex numbers and arrays are watched, integers are left alone") {
  checks_in_scope const checked(true);
  auto const grid = plane();
  auto f = grid.field<double>("f", {.components = 3});
  auto z = grid.field<std::complex<float>>("z");
  auto pair = grid.field<std::array<double, 2>>("pair");
  auto n = grid.field<std::int64_t>("n");
  f.fill(0.0);
  Steps step(grid);
  step.each("divide", writes(n), [](auto to) { to = std::numeric_limits<std::int64_t>::max(); });
  step.run();
  step.each("third", updates(f.components(1, 2)), [](auto g) {
    g[0] = 1.0;
    g[1] = std::log(g[1]());
  });
  CHECK_THAT(
      refusal_of([&] { step.run(); }),
      Catch::Contains("kernel 'third' has made component 2 of field 'f' not finite at step 1, "
                      "cell (0, 0): -inf"));
  Steps others(grid);
  others.each("turn", writes(z), [](auto to) { to = std::complex<float>(0, HUGE_VALF); });
  CHECK_THAT(refusal_of([&] { others.run(); }), Catch::Contains("field 'z' not finite"));
  Steps arrays(grid);
  arrays.each("split", writes(pair), [](auto to) { to = std::array<double, 2>{1.0, nan}; });
  CHECK_THAT(refusal_of([&] { arrays.run(); }), Catch::Contains("field 'pair' not finite"));
}

TEST_CASE("numbers of with() that are not finite are named, and conditions on borders count") {
  checks_in_scope const checked(true);
  auto const grid = plane();
  auto u = grid.field<double>("u");
  u.fill(1.0);
  Value<double> dt("dt", nan);
  Steps step(grid);
  step.each("advance", updates(u), with(dt), [](auto v, double h) { v = v() + h; });
  CHECK_THAT(refusal_of([&] { step.run(); }),
             Catch::Contains("cell (0, 0): nan, with 'dt' = nan (expected"));

  auto w = grid.field<double>("w");
  w.fill(1.0);
  w.boundary(1, side::high, dirichlet(infinite));
  w.boundary(1, side::low, dirichlet(0.0));
  Steps other(grid);
  other.each("right", updates(w, line(1, 0, 1)), [](auto v) { v = v(0, 1); });
  CHECK_THAT(refusal_of([&] { other.run(); }),
             Catch::Contains("field 'w' not finite at step 0, cell (0, 12)"));
}

TEST_CASE("kernels may be allowed to write values that are not finite") {
  auto const grid = plane();
  auto u = grid.field<double>("u");
  auto const run = [&](bool is_checked, bool is_allowed) {
    checks_in_scope const checked(is_checked);
    Steps step(grid);
    auto kernel = step.each("far", writes(u), [](auto v) { v = infinite; });
    if (is_allowed)
      kernel.allow_not_finite();
    step.run(2);
  };
  CHECK_NOTHROW(run(true, true));
  CHECK_NOTHROW(run(false, false));
  CHECK_THROWS_AS(run(true, false), usage_error);
}

TEST_CASE("a field that is read, and neither filled nor written, is refused in checked mode") {
  auto const grid = plane();
  auto u = grid.field<double>("u"), source = grid.field<double>("source");
  auto const refusal = [&](auto const& prepare) {
    auto field = grid.field<double>("source", {.components = 2});
    prepare(field);
    Steps step(grid);
    step.each("heat", updates(u), reads(field), [](auto v, auto s) { v = v() + s[1](); });
    return refusal_of([&] { step.run(); });
  };
  std::string const unset = "steps: kernel 'heat' reads component 1 of 'source', which is neither "
                            "filled nor written by a kernel";
  checks_in_scope const checked(true);
  CHECK_THAT(refusal([](auto& f) { f.fill(0, 1.0); }), Catch::StartsWith(unset));
  CHECK(refusal([](auto& f) { f.fill(1.0); }) == nothing);
  CHECK(refusal([](auto& f) { f.storage(); }) == nothing);
  CHECK(refusal([&](auto& f) { // a rank alone
          f.fill(0, 1.0);
          if (grid.rank() == grid.size() - 1)
            f.view(1);
        }) == nothing);
  CHECK(refusal([&](auto& f) {
          f.fill(0, 1.0);
          Steps other(grid);
          other.each("sources", writes(f.components(1)), [](auto s) { s = 1.0; });
        }) == nothing);

  Steps swapped(grid);
  swapped.each("read", updates(u), reads(source), [](auto v, auto s) { v = v() + s(); });
  swapped.swap(source, u);
  CHECK_NOTHROW(swapped.run());

  set_checks(false);
  CHECK(refusal([](auto&) {}) == nothing);
}

TEST_CASE("a field that a boundary condition reads needs values, if a kernel reads across") {
  checks_in_scope const checked(true);
  auto const grid = plane();
  auto u = grid.field<double>("u"), w = grid.field<double>("w");
  u.boundary(w, [](ghost_cell<double, 2> const& ghost, double beside) {
    return beside - ghost.inside;
  });
  Steps at_place(grid), across(grid);
  at_place.each("place", updates(u), [](auto v) { v = v() + 1; });
  CHECK_NOTHROW(at_place.run());
  across.each("across", updates(u, star(1)), [](auto v) { v = v(0, 1); });
  CHECK_THAT(
      refusal_of([&] { across.run(); }),
      Catch::StartsWith("steps: a boundary condition of 'u' reads 'w', which is neither filled"));
  w.fill(0.0);
  CHECK_NOTHROW(across.run());
}

TEST_CASE("fields that are read and have no values are explained") {
  checks_in_scope const checked(false);
  auto const grid = plane();
  auto u = grid.field<double>("u"), source = grid.field<double>("heat source");
  std::string text;
  explain_to([&](std::string const& said) { text += said; });
  Steps step(grid);
  step.each("heat", updates(u), reads(source), [](auto v, auto s) { v = v() + s(); });
  step.run();
  explain_to(nullptr);
  CHECK((grid.rank() != 0 ||
         text.find("reads 'heat source', which is neither filled") != text.npos));
}

TEST_CASE("iterations tell of values that are not finite when they ask for convergence") {
  checks_in_scope const checked(true);
  auto const grid = plane();
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  u.boundary(dirichlet(1.0));
  Iterate loop(grid, u, next);
  loop.sweeps(3, [](auto v, int i, int j) { return 1e300 * 1e300 * v(i, j + 1); });
  CHECK_THAT(refusal_of([&] { loop.converged(0.1); }), Catch::Contains("diverges"));
}

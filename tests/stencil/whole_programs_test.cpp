// Whole programs of steps: conjugate gradients for implicit heat conduction, as TeaLeaf solves it, against
// a serial solver; and sweeps along alternating axes, in the plane and in a thin room.
#include <seam/stencil/fields/gather.hpp>
#include <seam/stencil/fields/sum.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

using namespace seam;

namespace {

constexpr int n0 = 30, n1 = 26, check_every = 3;
constexpr double tolerance = 1e-20, ratio = 8.0;

double first_heat(int i, int j) { return i > 8 && i < 17 && j > 4 && j < 12 ? 25.0 : 0.1; }
double conductivity(int i, int j) { return (i + j) % 5 == 0 ? 0.2 : 1.0 + 0.01 * i; }

/// The conductivity between two cells.
double between(double a, double b) { return ratio * 2 * a * b / (a + b); }

struct answer {
  std::vector<double> heat;
  double energy = 0;
  std::int64_t iterations = 0;
};

/// (1 + sum of k) u - sum of k u(neighbor) = first heat, by loops over the plane.
answer solve_serially() {
  auto const at = [](int i, int j) { return i * n1 + j; };
  auto const apply = [&](std::vector<double> const& p) {
    std::vector<double> w(p);
    for (int i = 0; i < n0; ++i)
      for (int j = 0; j < n1; ++j)
        for (auto const& [di, dj] :
             std::array<std::array<int, 2>, 4>{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}})
          if (i + di >= 0 && i + di < n0 && j + dj >= 0 && j + dj < n1)
            w[at(i, j)] += between(conductivity(i, j), conductivity(i + di, j + dj)) *
                           (p[at(i, j)] - p[at(i + di, j + dj)]);
    return w;
  };
  auto const dot_of = [](std::vector<double> const& a, std::vector<double> const& b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
      sum += a[k] * b[k];
    return sum;
  };
  answer made;
  made.heat.resize(static_cast<std::size_t>(n0) * n1);
  for (int i = 0; i < n0; ++i)
    for (int j = 0; j < n1; ++j)
      made.heat[at(i, j)] = first_heat(i, j);
  std::vector<double> r = apply(made.heat);
  for (std::size_t k = 0; k < r.size(); ++k)
    r[k] = made.heat[k] - r[k];
  std::vector<double> p = r;
  for (double rr = dot_of(r, r); rr >= tolerance || made.iterations % check_every != 0;
       ++made.iterations) {
    auto const w = apply(p);
    double const alpha = rr / dot_of(p, w);
    for (std::size_t k = 0; k < r.size(); ++k) {
      made.heat[k] += alpha * p[k];
      r[k] -= alpha * w[k];
    }
    double const beta = dot_of(r, r) / rr;
    rr *= beta;
    for (std::size_t k = 0; k < r.size(); ++k)
      p[k] = r[k] + beta * p[k];
  }
  for (double const heat : made.heat)
    made.energy += heat;
  return made;
}

/// The same by steps.
answer solve_by_steps(bool is_interrupted) {
  Grid<2> const grid(testing::world(), {.cells = {n0, n1}});
  auto u = grid.field<double>("u"), r = grid.field<double>("r"), p = grid.field<double>("p");
  auto w = grid.field<double>("w"), k = grid.field<double>("k");
  auto along_0 = grid.field<double>("along 0", {.on = on_faces(0)});
  auto along_1 = grid.field<double>("along 1", {.on = on_faces(1)});
  auto const index = [](auto const& x) {
    return std::array{static_cast<int>(x[0] * n0), static_cast<int>(x[1] * n1)};
  };
  u.fill([&](auto x) { return first_heat(index(x)[0], index(x)[1]); });
  k.fill([&](auto x) { return conductivity(index(x)[0], index(x)[1]); });
  along_0.fill(0.0); // on the walls
  along_1.fill(0.0);
  for (auto* const field : {&u, &p, &k})
    field->boundary(neumann(0.0));

  auto const apply = [](auto const& v, auto const& a, auto const& b) {
    return v() + a(0, 0) * (v() - v(-1, 0)) + a(1, 0) * (v() - v(1, 0)) +
           b(0, 0) * (v() - v(0, -1)) + b(0, 1) * (v() - v(0, 1));
  };
  Value<double> rr("rr"), rr_new("rr new"), pw("pw"), alpha("alpha"), beta("beta");
  Steps begin(grid);
  begin
      .each("faces 0", writes(along_0), reads(k, line(0, -1, 0)),
            [](auto a, auto c) { a = between(c(-1, 0), c(0, 0)); })
      .where(box<2>{{1, 0}, {n0, n1}});
  begin
      .each("faces 1", writes(along_1), reads(k, line(1, -1, 0)),
            [](auto a, auto c) { a = between(c(0, -1), c(0, 0)); })
      .where(box<2>{{0, 1}, {n0, n1}});
  begin.each("residual", writes(r), writes(p), reads(u, star(1)), reads(along_0, line(0, 0, 1)),
             reads(along_1, line(1, 0, 1)), sum(rr),
             [=](auto to, auto direction, auto v, auto a, auto b, auto total) {
               double const left = v() - apply(v, a, b);
               to = left;
               direction = left;
               total(left * left);
             });
  begin.run();

  Steps step(grid);
  step.each("apply", writes(w), reads(p, star(1)), reads(along_0, range({0, 1}, {0, 0})),
            reads(along_1, range({0, 0}, {0, 1})), sum(pw),
            [=](auto to, auto v, auto a, auto b, auto total) {
              double const made = apply(v, a, b);
              to = made;
              total(made * v());
            });
  step.once("alpha", sets(alpha), with(rr), with(pw),
            [](double& to, double a, double b) { to = a / b; });
  step.each("advance", modifies(u), modifies(r), reads(p), reads(w), with(alpha), sum(rr_new),
            [](auto heat, auto left, auto v, auto to, double by, auto total) {
              heat = heat() + by * v();
              double const now = left() - by * to();
              left = now;
              total(now * now);
            });
  step.once("beta", sets(beta), sets(rr), with(rr_new), [](double& to, double& before, double now) {
    to = now / before;
    before *= to;
  });
  step.each("direction", modifies(p), reads(r), with(beta),
            [](auto v, auto left, double by) { v = left() + by * v(); });
  auto const is_small = [](double left) { return left < tolerance; };
  while (!step.run_until(rr, is_small,
                         {.check_every = check_every,
                          .at_most = is_interrupted ? step.num_steps() + 7 : 10000}))
    REQUIRE(step.num_steps() < 1000);
  return {gather(u), sum(u), step.num_steps()};
}

constexpr double implicit = 40.0;

/// Half a step of heat conduction along an axis, implicit: in every second step.
template <int D>
void sweep(Steps<D>& step, Field<double, D>& u, Field<double, D>& upper, Field<double, D>& right,
           int axis, int phase) {
  auto const along = [axis](auto const& v, int by) {
    if constexpr (D == 2)
      return axis == 0 ? v(by, 0) : v(0, by);
    else
      return axis == 0 ? v(by, 0, 0) : v(0, by, 0);
  };
  auto const beside = [along, axis](auto const& v, int by) {
    if constexpr (D == 2)
      return axis == 1 ? v(by, 0) : v(0, by);
    else
      return axis == 1 ? v(by, 0, 0) : v(0, by, 0);
  };
  step.each("right side", writes(right), reads(u, line(1 - axis, -1, 1)),
            [=](auto b, auto v) { b = v() + implicit * (beside(v, 1) - 2 * v() + beside(v, -1)); })
      .every(2, phase);
  step.each("eliminate", modifies(upper, line(axis, -1, 0)), modifies(right, line(axis, -1, 0)),
            [=](auto c, auto b) {
              double const pivot = 1 + 2 * implicit + implicit * along(c, -1);
              c = -implicit / pivot;
              b = (b() + implicit * along(b, -1)) / pivot;
            })
      .in_order(axis)
      .every(2, phase);
  step.each("substitute", modifies(u, line(axis, 0, 1)), reads(upper), reads(right),
            [=](auto v, auto c, auto b) { v = b() - c() * along(v, 1); })
      .in_order(axis, axis_order::backward)
      .every(2, phase);
}

/// The heat after some half steps.
template <int D>
std::vector<double> heat_after(grid_options<D> const& options, int half_steps, bool is_divided) {
  Grid<D> const grid(testing::world(), options);
  auto u = grid.template field<double>("u"), upper = grid.template field<double>("upper");
  auto right = grid.template field<double>("right");
  for (auto* const field : {&u, &upper, &right})
    field->boundary(outside(0.0));
  u.fill([](auto x) { return std::sin(3 * x[0]) * x[1] + (x[0] < 0.5 ? 1.0 : 0.0); });
  Steps<D> step(grid);
  sweep(step, u, upper, right, 0, 0);
  sweep(step, u, upper, right, 1, 1);
  if (is_divided)
    for (int s = 0; s < half_steps; ++s)
      step.run();
  else
    step.run(half_steps);
  return gather(u);
}

/// The plane's values after some steps that read two cells each way, in a room with `layers` layers of
/// cells along a periodic axis.
std::vector<double> spread_in_room(int layers, int steps, int fused) {
  Grid<3> const grid(testing::world(), {.cells = {9, 14, layers}, .periodic = {true, false, true}});
  auto u = grid.field<double>("u");
  u.boundary(neumann(0.0));
  u.fill([](auto x) { return std::sin(7 * x[0]) + x[1] * x[1]; });
  Steps step(grid);
  step.fuse(fused);
  step.each("spread", updates(u, star(2)), [](auto c) {
    c = c() + 0.02 * (c(2, 0, 0) + c(-2, 0, 0) - 2 * c()) +
        0.03 * (c(0, 2, 0) + c(0, -1, 0) - 2 * c()) + 0.04 * (c(0, 0, 2) + c(0, 0, -1) - 2 * c());
  });
  step.run(steps);
  return gather(u);
}

} // namespace

TEST_CASE("a room of a few layers along a periodic axis is read around and around") {
  for (int const fused : {1, 3}) {
    auto const one = spread_in_room(1, 6, fused), many = spread_in_room(7, 6, fused);
    auto const two = spread_in_room(2, 6, fused);
    for (std::size_t k = 0; k < one.size(); ++k) {
      REQUIRE(two[2 * k] == one[k]); // all layers are alike
      REQUIRE(two[2 * k + 1] == one[k]);
      REQUIRE(many[7 * k + 3] == one[k]);
    }
  }
}

TEST_CASE("conjugate gradients of steps take the iterations of a serial solver, with its energy") {
  answer const expected = solve_serially();
  for (bool const is_interrupted : {false, true}) {
    answer const found = solve_by_steps(is_interrupted);
    CHECK(found.iterations == expected.iterations);
    CHECK(found.energy == Approx(expected.energy).epsilon(1e-12));
    double most = 0;
    for (std::size_t k = 0; k < found.heat.size(); ++k)
      most = std::max(most, std::abs(found.heat[k] - expected.heat[k]));
    CHECK(most < 1e-10);
  }
}

TEST_CASE("sweeps along alternating axes have the same bits in the plane and in a thin room") {
  for (int const half_steps : {1, 4, 7}) {
    auto const plane = heat_after<2>({.cells = {17, 22}}, half_steps, false);
    CHECK(heat_after<2>({.cells = {17, 22}}, half_steps, true) == plane);
    CHECK(heat_after<3>({.cells = {17, 22, 1}}, half_steps, false) == plane);
  }
}

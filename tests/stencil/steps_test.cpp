// What declarations of steps promise: which bytes travel, and what is computed where.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/stencil/fields/gather.hpp>
#include <seam/stencil/fields/sum.hpp>
#include <seam/stencil/ghosts/halo.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <vector>

using namespace seam;

namespace {

/// Bytes and messages that this rank sends in one step.
template <int D>
std::pair<std::int64_t, int> sent_in_step(Steps<D>& steps) {
  std::string const text = steps.explain();
  long long messages = 0, bytes = 0;
  auto const at = text.find(" sends ");
  REQUIRE(at != std::string::npos);
  REQUIRE(std::sscanf(text.c_str() + at, " sends %lld messages with %lld bytes", &messages,
                      &bytes) == 2); // NOLINT
  return {bytes, static_cast<int>(messages)};
}

/// The 19 directions of D3Q19.
std::vector<std::array<int, 3>> d3q19() {
  std::vector<std::array<int, 3>> all;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      for (int k = -1; k <= 1; ++k)
        if (i * i + j * j + k * k <= 2)
          all.push_back({i, j, k});
  return all;
}

} // namespace

TEST_CASE("of D3Q19 five components travel across a face, one across an edge, none at a corner") {
  auto const world = testing::world();
  Grid<3> grid(world, {.cells = {24, 20, 16}, .periodic = {true, true, true}});
  auto const all = d3q19();
  std::array<std::array<int, 3>, 19> directions{};
  REQUIRE(all.size() == directions.size());
  std::ranges::copy(all, directions.begin());
  auto f = grid.field<double>("f", {.components = 19});
  std::vector<stencil> pulls;
  for (auto const& e : directions)
    pulls.push_back(at({{-e[0], -e[1], -e[2]}}));
  Steps step(grid);
  step.each("stream", updates(f, pulls), [directions](auto g) {
    for (int q = 0; q < 19; ++q) {
      auto const& e = directions[q];
      g[q] = g[q](-e[0], -e[1], -e[2]);
    }
  });
  // Values that other ranks pull out of this one, one by one.
  std::int64_t expected = 0;
  box<3> const own = grid.owned();
  for_each_cell(own, [&](cell_index<3> const& cell) {
    for (auto const& e : directions) {
      cell_index<3> to = cell;
      for (int a = 0; a < 3; ++a)
        to[a] = (cell[a] + e[a] + grid.cells()[a]) % grid.cells()[a];
      expected += own.contains(to) ? 0 : 8;
    }
  });
  CHECK(sent_in_step(step).first == expected);
  CHECK(sent_in_step(step).second <= 26);
  step.run(3);
}

TEST_CASE(
    "several fields travel in one message for each neighbor, and nothing that no kernel reads") {
  auto const world = testing::world();
  Grid<2> grid(world, {.cells = {40, 36}, .periodic = {true, true}, .neighborhood = moore(3)});
  auto u = grid.field<double>("u"), v = grid.field<double>("v"), w = grid.field<double>("w");
  Steps step(grid);
  step.each("both", updates(u, star(1)), updates(v, star(2)), modifies(w),
            [](auto a, auto b, auto c) {
              a = a(1, 0) + a(0, -1) + b(2, 0) + c();
              b = b(0, -2) + a();
              c = c() + 1;
            });
  int sides = 0;
  std::int64_t bytes = 0;
  for (int const axis : {0, 1})
    if (grid.processes()[axis] > 1) {
      sides += grid.processes()[axis] > 2 ? 2 : 1;
      bytes += 2 * 8 * (1 + 2) * grid.owned().extent(1 - axis);
    }
  auto const [found, messages] = sent_in_step(step);
  CHECK(found == bytes);
  CHECK(messages == sides);
}

TEST_CASE("where its mask is zero a kernel is not called, and what it writes stays as it was") {
  Grid<2> grid(testing::world(), {.cells = {21, 17}, .periodic = {true, false}});
  auto const is_set = [](cell_index<2> const& at) { return (3 * at[0] + at[1]) % 4 < 2; };
  auto const run_under = [&](auto const& on, auto const& off) {
    using number = std::decay_t<decltype(on)>;
    auto mask = grid.field<number>("mask");
    auto u = grid.field<double>("u"), v = grid.field<double>("v", {.levels = 2});
    auto const first = grid.owned().lo;
    for_each_cell(mask.owned(), [&, cells = mask.view()](cell_index<2> const& at) {
      cells[at] = is_set({at[0] + first[0], at[1] + first[1]}) ? on : off;
    });
    u.fill(3.0);
    u.boundary(outside(3.0));
    v.fill(5.0);
    Value<std::int64_t> count("count");
    auto const check = [is_set](place<2> const& here) {
      if (!is_set(here.index))
        throw std::logic_error("called where the mask is zero");
    };
    Steps step(grid);
    step.each("u", updates(u, star(1)),
              [check](auto a, place<2> here) {
                check(here);
                a = a() + a(1, 0) - a(-1, 0) + 1;
              })
        .where(mask);
    step.each("v", writes(v), reads(u),
              [check](auto a, auto b, place<2> here) {
                check(here);
                a = 2 * b();
              })
        .where(mask);
    step.each("count", sum(count), reads(u), [](auto into, auto) { into(std::int64_t{1}); })
        .where(mask);
    step.run(1);
    std::int64_t wrong = 0, expected = 0;
    for_each_cell(u.owned(), [&, a = u.view(), b = v.view()](cell_index<2> const& at) {
      bool const inside = is_set({at[0] + first[0], at[1] + first[1]});
      wrong += a[at] == (inside ? 4.0 : 3.0) && b[at] == (inside ? 8.0 : 5.0) ? 0 : 1;
      expected += inside ? 1 : 0;
    });
    CHECK(wrong == 0);
    CHECK(count.get() == mpi::allreduce(grid.base().context(), expected, MPI_SUM));
  };
  run_under(1, 0);
  run_under(true, false);
  run_under(std::numeric_limits<double>::quiet_NaN(), -0.0);
  run_under(static_cast<signed char>(-1), static_cast<signed char>(0));
}

TEST_CASE("a mask that a kernel moves lets others follow a front, fused or not") {
  constexpr std::int64_t cells = 40;
  Grid<1> grid(testing::world(), {.cells = {cells}});
  for (int const fused : {1, 3, 4}) {
    auto reached = grid.field<int>("reached"), age = grid.field<int>("age");
    reached.boundary(0, side::low, outside(1));
    reached.boundary(0, side::high, outside(0));
    Steps step(grid);
    step.fuse(fused);
    step.each("front", updates(reached, line(0, -1, 0)), [](auto r) { r = r(0) | r(-1); });
    step.each("age", modifies(age), [](auto a) { a = a() + 1; }).where(reached);
    step.run(30);
    auto const ages = gather(age);
    for (int i = 0; i < std::ssize(ages); ++i)
      CHECK(ages[i] == std::max(0, 30 - i));
  }
}

TEST_CASE("a time step by reduction is known to all ranks, and sums have the same bits") {
  Grid<2> grid(testing::world(), {.cells = {33, 29}, .periodic = {true, false}});
  auto u = grid.field<double>("u");
  u.fill([](position<2> x) { return std::sin(7 * x[0]) + 1.5 * x[1]; });
  u.boundary(neumann(0.0));
  Value<double> largest("largest"), total("total"), dt("dt"), time("time", 0.0);
  Value<std::int64_t> hot("hot");
  Steps step(grid);
  step.each("limit", maximum(largest), sum(total), sum(hot), reads(u),
            [](auto most, auto all, auto count, auto v) {
              most(std::abs(v()));
              all(v());
              count(v() > 1 ? 1 : 0);
            });
  step.once(sets(dt), sets(time), with(largest), [](double& h, double& t, double m) {
    h = 0.1 / m;
    t += h;
  });
  step.each("advance", updates(u, star(1)), with(dt), [](auto v, double h) {
    v = v() + h * (v(1, 0) + v(-1, 0) + v(0, 1) + v(0, -1) - 4 * v());
  });
  double before = sum(u), time_so_far = 0;
  for (int n = 0; n < 5; ++n) {
    double const most = maximum_norm(u);
    step.run();
    time_so_far += 0.1 / most;
    CHECK(largest.get() == most);
    CHECK(total.get() == before);
    CHECK(time.get() == time_so_far);
    before = sum(u);
  }
  CHECK(step.num_steps() == 5);
}

TEST_CASE("staggered values on a border are computed, and kernels know their place") {
  Grid<2> grid(testing::world(),
               {.cells = {12, 9}, .periodic = {false, true}, .upper = {2.0, 1.0}});
  auto p = grid.field<double>("p");
  auto flux = grid.field<double>("flux", {.on = on_faces(0)});
  p.boundary(dirichlet(0.0));
  p.fill([](position<2> x) { return 3 * x[0]; });
  Steps step(grid);
  step.each("flux", writes(flux), reads(p, line(0, -1, 0)),
            [](auto f, auto q, place<2> const& here) {
              f = q(0, 0) - q(-1, 0) + 100 * static_cast<double>(here.index[0]);
            });
  step.each("back", updates(p), reads(flux, line(0, 0, 1)),
            [](auto q, auto f) { q = f(1, 0) - f(0, 0); });
  step.run();
  auto const faces = gather(flux);
  auto const cells = gather(p);
  if (grid.rank() != 0)
    return;
  REQUIRE(faces.size() == 13 * 9);
  double const slope = 3 * 2.0 / 12;
  CHECK(faces[4 * 9 + 5] == Approx(400 + slope));
  CHECK(faces[0] == Approx(slope));                           // from -p(0) to p(0)
  CHECK(faces[12 * 9] == Approx(1200 - 2 * (6 - slope / 2))); // to -p(11)
  CHECK(cells[3 * 9 + 2] == Approx(100));
}

TEST_CASE("restriction and prolongation read finer and coarser grids") {
  auto const world = testing::world();
  Grid<2> fine(world, {.cells = {24, 40}, .periodic = {true, true}});
  Grid<2> const coarse = fine.coarsened();
  auto u = fine.field<double>("u"), back = fine.field<double>("back");
  auto mean = coarse.field<double>("mean");
  u.fill([](position<2> x) { return 10 * x[0] + x[1]; });
  Steps step(fine);
  step.each("restrict", writes(mean), reads_finer(u, at({{0, 0}, {0, 1}, {1, 0}, {1, 1}})),
            [](auto m, auto v) { m = 0.25 * (v(0, 0) + v(0, 1) + v(1, 0) + v(1, 1)); });
  step.each("prolong", writes(back), reads_coarser(mean), [](auto b, auto m) { b = m(); });
  step.run(2);
  auto const view = back.view();
  for_each_cell(back.owned(), [&](cell_index<2> const& at) {
    position<2> x{};
    for (int a = 0; a < 2; ++a)
      x[a] = 2 * fine.spacing()[a] * (static_cast<double>((at[a] + fine.owned().lo[a]) / 2) + 0.5);
    CHECK(view[at] == Approx(10 * x[0] + x[1]));
  });
}

TEST_CASE("a run is one call, whatever it plans, by the name that reports of stalls have for it") {
  Grid<2> const grid(testing::world(), {.cells = {12, 12}, .periodic = {true, true}});
  auto u = grid.field<double>("u");
  Steps step(grid);
  step.each("smooth", updates(u, star(1)), [](auto v) { v = v(1, 0) + v(-1, 0); });
  auto const& calls = seam::detail::calls_of_this_thread();
  for (int const count : {5, 1, 3}) { // each planned when it runs for the first time
    auto const before = calls.num_calls.load();
    step.run(count);
    CHECK(calls.num_calls.load() == before + 1);
    CHECK(std::string_view(calls.last.load()) == "steps");
  }
}

TEST_CASE("programs in turn are planned anew when another one has widened a field on some ranks") {
  auto const world = testing::world();
  std::int64_t const cells = 8 * world.size();
  Grid<1> grid(world, {.cells = {cells}, .periodic = {true}});
  auto u = grid.field<double>("u");
  u.fill(1.0);
  Steps more(grid), reach(grid);
  more.each("more", modifies(u), [](auto a) { a = a() + 1; });
  more.fuse(2);
  // The first two blocks alone need deeper ghosts.
  reach.each("reach", updates(u, at({{-3}, {3}})), [](auto a) { a = a(-3) + a(3); })
      .where(box<1>{{7}, {std::min<std::int64_t>(9, cells)}});
  std::vector<double> expected(cells, 1.0);
  for (int n = 0; n < 3; ++n) {
    more.run(3);
    reach.run();
    for (double& value : expected)
      value += 3;
    auto const old = expected;
    for (std::int64_t i = 7; i < std::min<std::int64_t>(9, cells); ++i)
      expected[i] = old[i - 3] + old[(i + 3) % cells];
  }
  auto const found = gather(u);
  if (grid.rank() == 0)
    CHECK(found == expected);
}

TEST_CASE("a field whose ghosts steps have widened keeps its values, and halos by hand serve it") {
  Grid<2> grid(testing::world(), {.cells = {30, 24}, .periodic = {true, false}});
  auto u = grid.field<double>("u"), v = grid.field<double>("v");
  auto faces = grid.field<double>("faces", {.on = on_faces(1), .components = 2});
  u.fill([](position<2> x) { return x[0] + 10 * x[1]; });
  u.boundary(outside(0.0));
  v.boundary(outside(0.0));
  Steps step(grid);
  step.each("far", updates(v), reads(u, star(3)), [](auto a, auto b) { a = b(3, 0) - b(0, -3); });
  auto const first = [&] { return u.view()(0, 0); };
  double const before = first();
  step.run();
  CHECK(u.ghosts().above[0] == 3);
  CHECK(first() == before);
  // Global indices in owned values; ghosts get those of their owners.
  auto const number = [](cell_index<2> const& global, int c) {
    return static_cast<double>(100 * global[0] + global[1] + 7000 * c);
  };
  auto const set = [&](auto& field) {
    for (int c = 0; c < field.num_components(); ++c) {
      auto const view = field.view(c);
      for_each_cell(field.owned(), [&](cell_index<2> const& at) {
        view[at] = number({at[0] + grid.owned().lo[0], at[1] + grid.owned().lo[1]}, c);
      });
    }
  };
  set(u);
  set(faces);
  auto halo = make_halo(u, faces);
  halo.run();
  auto const check = [&](auto& field) {
    box<2> const domain = grid.domain(field.on());
    int wrong = 0;
    for (int c = 0; c < field.num_components(); ++c)
      for (int const axis : {0, 1})
        for (int const step_of : {-1, 1}) {
          cell_index<2> by{};
          by[axis] = step_of;
          for_each_cell(shift(field.owned(), by), [&](cell_index<2> const& at) {
            cell_index<2> global{at[0] + grid.owned().lo[0], at[1] + grid.owned().lo[1]};
            global[0] = (global[0] + 30) % 30;
            if (domain.contains(global))
              wrong += field.view(c)[at] != number(global, c);
          });
        }
    return wrong;
  };
  CHECK(check(u) == 0);
  CHECK(check(faces) == 0);
}

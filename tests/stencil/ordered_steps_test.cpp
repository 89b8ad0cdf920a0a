// Kernels in order along an axis: solvers that sweep along lines equal serial ones bit by bit,
// whatever the processes, parts and threads, and what has no order is refused.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/fields/gather.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

using namespace seam;

namespace {

constexpr double step_size = 0.37;

double heat_at(std::int64_t i, std::int64_t j) {
  return 0.01 * static_cast<double>((7 * i + 13 * j) % 101) - 0.4;
}
double conductivity_at(std::int64_t i, std::int64_t j) {
  return 0.5 + 0.03 * static_cast<double>((5 * i + 3 * j) % 29);
}

/// Plain arrays of a domain, and the solver by lines on them: half a step along each axis. Cold walls
/// lie one cell beyond the domain; the conductivity goes on beyond it.
class serial_heat {
public:
  serial_heat(std::int64_t rows, std::int64_t columns) : extent_{rows, columns} {
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) {
        heat_.push_back(heat_at(i, j));
        conductivity_.push_back(conductivity_at(i, j));
      }
  }

  void step() {
    half_step(0);
    half_step(1);
  }

  std::vector<double> const& heat() const { return heat_; }

private:
  void half_step(int axis) {
    std::vector<double> right(heat_.size());
    for (std::int64_t i = 0; i < extent_[0]; ++i)
      for (std::int64_t j = 0; j < extent_[1]; ++j)
        right[number(i, j)] =
            heat_[number(i, j)] +
            step_size * ((axis == 0 ? heat(i, j + 1) : heat(i + 1, j)) - 2 * heat_[number(i, j)] +
                         (axis == 0 ? heat(i, j - 1) : heat(i - 1, j)));
    std::int64_t const lines = extent_[1 - axis], length = extent_[axis];
    for (std::int64_t line = 0; line < lines; ++line) {
      std::vector<double> upper(length);
      auto const at = [&](std::int64_t k) { return axis == 0 ? number(k, line) : number(line, k); };
      auto const conduct = [&](std::int64_t k) {
        return conductivity_[at(std::clamp<std::int64_t>(k, 0, length - 1))];
      };
      for (std::int64_t k = 0; k < length; ++k) {
        double const low = step_size * 0.5 * (conduct(k - 1) + conduct(k));
        double const high = step_size * 0.5 * (conduct(k) + conduct(k + 1));
        double const pivot = 1 + low + high + low * (k == 0 ? 0.0 : upper[k - 1]);
        upper[k] = -high / pivot;
        right[at(k)] = (right[at(k)] + low * (k == 0 ? 0.0 : right[at(k - 1)])) / pivot;
      }
      for (std::int64_t k = length; k-- > 0;)
        heat_[at(k)] = right[at(k)] - upper[k] * (k + 1 == length ? 0.0 : heat_[at(k + 1)]);
    }
  }

  std::int64_t number(std::int64_t i, std::int64_t j) const { return i * extent_[1] + j; }
  double heat(std::int64_t i, std::int64_t j) const {
    bool const is_inside = i >= 0 && i < extent_[0] && j >= 0 && j < extent_[1];
    return is_inside ? heat_[number(i, j)] : 0.0;
  }

  std::array<std::int64_t, 2> extent_;
  std::vector<double> heat_, conductivity_;
};

/// The same solver by steps.
class parallel_heat {
public:
  explicit parallel_heat(Grid<2> const& grid)
      : heat_(grid, "heat"),
        conductivity_(grid, "conductivity"),
        upper_(grid, "upper"),
        right_(grid, "right"),
        step(grid) {
    for (auto* const field : {&heat_, &upper_, &right_})
      field->boundary(outside(0.0));
    conductivity_.boundary(neumann(0.0));
    for_each_cell(heat_.owned(), [&, u = heat_.view(), k = conductivity_.view()](auto const& at) {
      auto const first = grid.owned().lo;
      u[at] = heat_at(at[0] + first[0], at[1] + first[1]);
      k[at] = conductivity_at(at[0] + first[0], at[1] + first[1]);
    });
    add_half_step<0>();
    add_half_step<1>();
  }

  std::vector<double> heat() const { return gather(heat_); }

private:
  Field<double, 2> heat_, conductivity_, upper_, right_;

public:
  Steps<2> step;

private:
  template <int Axis>
  void add_half_step() {
    constexpr int di = Axis == 0 ? 1 : 0, dj = 1 - di;
    step.each("right side", writes(right_), reads(heat_, line(1 - Axis, -1, 1)),
              [](auto right, auto u) {
                right = u() + step_size * (u(dj, di) - 2 * u() + u(-dj, -di));
              });
    step.each("eliminate", modifies(upper_, line(Axis, -1, 0)), modifies(right_, line(Axis, -1, 0)),
              reads(conductivity_, line(Axis, -1, 1)),
              [](auto upper, auto right, auto conduct) {
                double const low = step_size * 0.5 * (conduct(-di, -dj) + conduct());
                double const high = step_size * 0.5 * (conduct() + conduct(di, dj));
                double const pivot = 1 + low + high + low * upper(-di, -dj);
                upper = -high / pivot;
                right = (right() + low * right(-di, -dj)) / pivot;
              })
        .in_order(Axis);
    step.each("substitute", modifies(heat_, line(Axis, 0, 1)), reads(upper_), reads(right_),
              [](auto u, auto upper, auto right) { u = right() - upper() * u(di, dj); })
        .in_order(Axis, axis_order::backward);
  }
};

/// Process grids for all ranks: seam's choice, and all processes along one axis.
std::vector<std::array<int, 2>> process_grids(int ranks) {
  return {{0, 0}, {ranks, 1}, {1, ranks}};
}

template <int D>
void expect_refused(Grid<D> const& grid, auto const& declare, std::string const& words) {
  Steps<D> step(grid);
  auto const line = testing::refusal_of([&] {
    declare(step);
    step.run(2);
  });
  CHECK_THAT(line, Catch::Contains(words) && !Catch::Contains("\n"));
}

} // namespace

TEST_CASE("heat by alternating directions equals a serial solver of tridiagonal lines bit by bit") {
  struct problem {
    cell_index<2> cells;
    std::vector<int> parts; ///< 0: chosen; the second domain has several tiles
  };
  auto const world = testing::world();
  for (problem const& what : {problem{{41, 37}, {1, 3}}, problem{{150, 290}, {0}}}) {
    serial_heat serial(what.cells[0], what.cells[1]);
    for (int n = 0; n < 5; ++n)
      serial.step();
    for (auto const& processes : process_grids(world.size()))
      for (int const parts : what.parts) {
        INFO(fmt::format("{} x {} cells, {} x {} processes, {} parts", what.cells[0], what.cells[1],
                         processes[0], processes[1], parts));
        Grid<2> const grid(world, {.cells = what.cells, .processes = processes});
        parallel_heat parallel(grid);
        parallel.step.machine().settings().parts_in_order = parts;
        parallel.step.run(4);
        parallel.step.run(1);
        auto const found = parallel.heat();
        if (grid.rank() == 0)
          CHECK(found == serial.heat());
      }
  }
}

TEST_CASE("along any axis of three, forward and backward, each layer reads the one before") {
  auto const world = testing::world();
  constexpr cell_index<3> cells{33, 36, 40};
  for (int const divided : {0, 1, 2}) {
    std::array<int, 3> processes{1, 1, 1};
    processes[divided] = world.size();
    Grid<3> grid(world, {.cells = cells, .processes = processes});
    for (int const axis : {0, 1, 2})
      for (auto const along : {axis_order::forward, axis_order::backward}) {
        bool const is_backward = along == axis_order::backward;
        auto count = grid.field<std::int64_t>("count");
        auto mask = grid.field<int>("mask");
        count.boundary(outside(std::int64_t{100}));
        std::array<std::int64_t, 3> by{};
        by[axis] = is_backward ? 1 : -1;
        // A gap in each line: behind it counting begins anew, with what is in the gap.
        auto const is_gap = [&](cell_index<3> const& at) { return at[axis] == 11; };
        auto const first = grid.owned().lo;
        for_each_cell(mask.owned(), [&, to = mask.view()](cell_index<3> at) {
          cell_index<3> global = at;
          for (int a = 0; a < 3; ++a)
            global[a] += first[a];
          to[at] = is_gap(global) ? 0 : 1;
        });
        Steps step(grid);
        step.machine().settings().parts_in_order = 4;
        step.each("count", modifies(count, line(axis, is_backward ? 0 : -1, is_backward ? 1 : 0)),
                  [by](auto c) { c = c(by[0], by[1], by[2]) + 1; })
            .in_order(axis, along)
            .where(mask);
        step.run();
        std::int64_t wrong = 0;
        for_each_cell(count.owned(), [&, c = count.view()](cell_index<3> const& at) {
          std::int64_t const k = at[axis] + first[axis];
          std::int64_t const n = is_backward ? cells[axis] - 1 - k : k;
          std::int64_t const gap = is_backward ? cells[axis] - 1 - 11 : 11;
          std::int64_t const expected = n < gap ? 101 + n : n - gap;
          wrong += c[at] == expected ? 0 : 1;
        });
        INFO(fmt::format("axis {}, {}, divided along {}", axis, is_backward, divided));
        CHECK(wrong == 0);
      }
  }
}

TEST_CASE("what a kernel contributes in several passes counts as a whole") {
  Grid<2> grid(testing::world(), {.cells = {24, 30}, .periodic = {false, true}});
  auto u = grid.field<double>("u"), v = grid.field<double>("v");
  u.boundary(outside(0.0));
  v.boundary(outside(0.0));
  u.fill(1.0);
  Value<std::int64_t> cells("cells"), colored("colored"), least("least");
  Steps step(grid);
  step.machine().settings().parts_in_order = 3;
  step.each("in order", modifies(u, line(0, -1, 0)), sum(cells), minimum(least),
            [](auto a, auto all, auto low, place<2> const& here) {
              a = a(-1, 0) + a();
              all(std::int64_t{1});
              low(here.index[0] + 10);
            })
      .in_order(0);
  step.each("in colors", modifies(v, star(1)), sum(colored), with(cells),
            [](auto a, auto all, std::int64_t count) {
              a = a(1, 0) + a(0, 1) + static_cast<double>(count);
              all(std::int64_t{2});
            })
      .in_colors(2);
  step.run(5);
  CHECK(cells.get() == 24 * 30);
  CHECK(least.get() == 10);
  CHECK(colored.get() == 2 * 24 * 30);
}

TEST_CASE("in order, where steps run now and then and are fused along an axis of one process") {
  auto const world = testing::world();
  Grid<2> grid(world, {.cells = {12, 60}, .processes = {1, world.size()}});
  auto const result = [&](int fused) {
    auto u = grid.field<double>("u"), v = grid.field<double>("v");
    u.boundary(dirichlet(0.5));
    v.boundary(neumann(0.0));
    u.fill([](position<2> const& x) { return x[0] + 3 * x[1] * x[1]; });
    Steps step(grid);
    step.fuse(fused);
    step.each("down", modifies(u, line(0, -1, 1)),
              [](auto a) { a = 0.25 * (a(-1, 0) + 2 * a() + a(1, 0)); })
        .in_order(0)
        .every(2);
    step.each("up", modifies(u, line(0, -1, 1)), reads(v, star(1)),
              [](auto a, auto b) { a = 0.5 * (a(1, 0) + a(-1, 0)) + 0.1 * b(0, 1); })
        .in_order(0, axis_order::backward)
        .where(box<2>{{2, 5}, {11, 58}});
    step.each("across", updates(v, star(1)), reads(u, star(1)),
              [](auto b, auto a) { b = 0.5 * b(0, -1) + 0.3 * (a(0, 1) - a(1, 0)); });
    step.run(8);
    auto all = gather(u);
    auto const more = gather(v);
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  auto const expected = result(1);
  CHECK(result(2) == expected);
  CHECK(result(4) == expected);
}

TEST_CASE("kernels without a clear order are refused in one line") {
  auto const world = testing::world();
  Grid<2> grid(world, {.cells = {24, 24}}),
      ring(world, {.cells = {24, 24}, .periodic = {true, false}});
  auto u = grid.field<double>("u"), v = grid.field<double>("v"), r = ring.field<double>("r");
  for (auto* const field : {&u, &v, &r})
    field->boundary(outside(0.0));
  auto const back = [](auto a) { a = a(-1, 0); };
  expect_refused(
      grid, [&](auto& s) { s.each("k", modifies(u, line(0, -1, 0)), back).in_order(2); },
      "kernel 'k' in order along axis 2 (expected 0 to 1)");
  expect_refused(
      grid, [&](auto& s) { s.each("k", modifies(u, line(0, -1, 0)), back).in_order(-1); },
      "kernel 'k' in order along axis -1 (expected 0 to 1)");
  expect_refused(
      ring, [&](auto& s) { s.each("k", modifies(r, line(0, -1, 0)), back).in_order(0); },
      "kernel 'k' in order along axis 0, which is periodic (expected an axis with a first and a "
      "last "
      "cell)");
  expect_refused(
      grid,
      [&](auto& s) { s.each("k", modifies(u, line(0, -1, 0)), back).in_order(0).in_colors(2); },
      "kernel 'k' in order along axis 0 and in 2 colors (expected one of them)");
  expect_refused(
      grid, [&](auto& s) { s.each("k", modifies(u, star(1)), back).in_order(0); },
      "kernel 'k' modifies 'u' in order along axis 0 and reads it at (0, -1) (expected offsets "
      "along "
      "the axis)");
  expect_refused(
      grid,
      [&](auto& s) {
        s.each("k", modifies(u), updates(v, star(1)), [](auto a, auto b) {
           b = a() + b(0, 1);
         }).in_order(0);
      },
      "kernel 'k' in order along axis 0 updates 'v' (expected modifies() or writes())");
  expect_refused(
      grid,
      [&](auto& s) {
        s.each("k", adds(v, line(0, 0, 1)), [](auto b) { b(1, 0) += 1; }).in_order(0);
      },
      "kernel 'k' in order along axis 0 adds 'v' (expected modifies() or writes())");
  expect_refused(
      grid, [&](auto& s) { s.each("k", modifies(u, line(0, -1, 0)), back); },
      "modifies 'u' in place and reads its neighbors (expected updates(), or in_colors() or "
      "in_order())");
  expect_refused(
      grid,
      [&](auto& s) {
        s.each("k", modifies(u, line(0, -1, 0)), [](auto a) { a = a(1, 0); }).in_order(0);
      },
      "kernel 'k' reads 'u' at offset (1, 0), which it does not declare");
  Grid<2> divided(world, {.cells = {24, 24}, .processes = {world.size(), 1}});
  auto w = divided.field<double>("w");
  w.boundary(outside(0.0));
  auto const fused = [&](auto& s) {
    s.each("k", modifies(w, line(0, -1, 0)), back).in_order(0);
    s.fuse(4);
  };
  if (world.size() > 1)
    expect_refused(
        divided, fused,
        fmt::format("4 steps are fused, and kernel 'k' runs in order along axis 0, which "
                    "{} processes divide (expected no fusion, or one process)",
                    world.size()));
}

TEST_CASE("plans tell of blocks that take turns, and fusion is left out by itself") {
  auto const world = testing::world();
  Grid<2> grid(world, {.cells = {24, 24}, .processes = {world.size(), 1}});
  auto u = grid.field<double>("u");
  u.boundary(outside(0.0));
  Steps step(grid);
  step.machine().settings().parts_in_order = 2;
  step.fuse_by_measurement();
  step.each("down", modifies(u, line(0, -1, 0)), [](auto a) { a = a(-1, 0) + 1; }).in_order(0);
  step.each("up", modifies(u, line(0, 0, 1)), [](auto a) { a = a(1, 0) + 1; })
      .in_order(0, axis_order::backward);
  std::string const text = step.explain();
  CHECK_THAT(text, Catch::Contains(", in order along axis 0") &&
                       Catch::Contains(", in order along axis 0 backward"));
  bool const takes_turns = world.size() > 1;
  CHECK((text.find(fmt::format(": {} blocks take turns, 2 parts each, in {} passes", world.size(),
                               world.size() + 1)) != std::string::npos) == takes_turns);
  CHECK((text.find(fmt::format("fusion: kernel 'down' runs in order along axis 0, which {} "
                               "processes divide",
                               world.size())) != std::string::npos) == takes_turns);
}

TEST_CASE("a rank sends the last layer of each part to the next one, and nothing else") {
  auto const world = testing::world();
  Grid<2> grid(world, {.cells = {24, 40}, .processes = {world.size(), 1}});
  auto u = grid.field<double>("u");
  u.boundary(outside(0.0));
  Steps step(grid);
  step.machine().settings().parts_in_order = 5;
  step.each("down", modifies(u, line(0, -1, 0)), [](auto a) { a = a(-1, 0) + 1; }).in_order(0);
  std::string const text = step.explain();
  bool const is_last = grid.rank() == grid.naming().rank(std::vector<int>{world.size() - 1, 0});
  CHECK_THAT(text, Catch::Contains(is_last ? "sends 0 messages with 0 bytes"
                                           : "sends 5 messages with 320 bytes"));
}

TEST_CASE(
    "an exception of a kernel in order is thrown on its rank, and the next ones do not wait") {
  auto const world = testing::world();
  Grid<1> grid(world, {.cells = {60}});
  auto u = grid.field<double>("u");
  u.boundary(outside(0.0));
  bool armed = false;
  Steps step(grid);
  step.each("fragile", modifies(u, line(0, -1, 0)),
            [&armed](auto a, place<1> const& here) {
              if (armed && here.index[0] == 3)
                throw std::runtime_error("out of luck");
              a = a(-1) + 1;
            })
      .in_order(0);
  step.run(2);
  armed = true;
  if (grid.owned().contains({3}))
    CHECK_THROWS_WITH(step.run(3), "out of luck");
  else
    CHECK_NOTHROW(step.run(3));
  armed = false;
  step.run();
  auto const counts = gather(u);
  for (int i = 0; i < std::ssize(counts); ++i)
    CHECK(counts[i] == i + 1);
}

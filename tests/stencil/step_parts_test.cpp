// Kernels that change parts of a field: some components in one role and others in another, or the
// places that where() leaves.
#include <seam/stencil/fields/gather.hpp>
#include <seam/stencil/fields/sum.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <cstdint>
#include <vector>

using namespace seam;
using namespace seam::testing;

namespace {

constexpr std::int64_t cells = 24;

/// The values of a component of a field on a periodic line, on rank 0.
using line_values = std::vector<double>;

line_values component_of(Field<double, 1> const& field, int component, int level = 0) {
  auto copy = field.grid().template field<double>("copy");
  for_each_cell(field.owned(), [&, to = copy.view(), from = field.view(component, level)](
                                   cell_index<1> const& at) { to[at] = from[at]; });
  return gather(copy);
}

double first_value(int component, std::int64_t i) {
  return static_cast<double>(100 * component + i % cells);
}

/// A field of three components on a periodic line.
Field<double, 1> numbered_field(Grid<1> const& grid, int levels) {
  auto f = grid.field<double>("f", {.components = 3, .levels = levels});
  for (int c = 0; c < 3; ++c)
    for_each_cell(f.owned(), [&, values = f.view(c)](cell_index<1> const& at) {
      values[at] = first_value(c, at[0] + grid.owned().lo[0]);
    });
  return f;
}

/// On rank 0: all components as a serial program has them.
/// @param next  (component, i, values before) -> value
template <class Next>
void expect_after(Field<double, 1> const& f, int steps, Next const& next) {
  std::vector<line_values> now(3, line_values(cells));
  for (int c = 0; c < 3; ++c)
    for (std::int64_t i = 0; i < cells; ++i)
      now[c][i] = first_value(c, i);
  auto before = now;
  for (int s = 0; s < steps; ++s) {
    before = now;
    for (int c = 0; c < 3; ++c)
      for (std::int64_t i = 0; i < cells; ++i)
        now[c][i] = next(c, i, before);
  }
  for (int c = 0; c < 3; ++c) {
    auto const newest = component_of(f, c);
    auto const older = component_of(f, c, f.num_levels() > 1 ? -1 : 0);
    if (f.grid().rank() != 0)
      continue;
    CHECK(newest == now[c]);
    if (f.num_levels() > 1)
      CHECK(older == before[c]);
  }
}

double left_of(line_values const& values, std::int64_t i) {
  return values[(i + cells - 1) % cells];
}

/// Calls declare(step, f) and test(f, steps) for one and two levels, fused or not.
template <class Declare, class Test>
void for_all_storages(Declare const& declare, Test const& test) {
  Grid<1> const grid(world(), {.cells = {cells}, .periodic = {true}});
  for (int const levels : {1, 2, 3})
    for (int const fused : {1, 2}) {
      INFO(levels << " levels, " << fused << " fused");
      auto f = numbered_field(grid, levels);
      Steps step(grid);
      declare(step, f);
      step.fuse(fused);
      step.run(5);
      test(f, 5);
    }
}

} // namespace

TEST_CASE("components of a field that one kernel updates in two roles both get new values") {
  for_all_storages(
      [](auto& step, auto& f) {
        step.each(updates(f.components(0), line(0, -1, 0)),
                  updates(f.components(2), line(0, -1, 0)), [](auto a, auto c) {
                    a = a(-1) + 1;
                    c = c() + 2 * c(-1);
                  });
      },
      [](auto const& f, int steps) {
        expect_after(f, steps, [](int c, std::int64_t i, auto const& old) {
          if (c == 0)
            return left_of(old[0], i) + 1;
          return c == 1 ? old[1][i] : old[2][i] + 2 * left_of(old[2], i);
        });
      });
}

TEST_CASE("beside components that are updated others are written and modified") {
  for_all_storages(
      [](auto& step, auto& f) {
        step.each(modifies(f.components(0)), updates(f.components(1), line(0, -1, 0)),
                  writes(f.components(2)), [](auto a, auto b, auto c) {
                    c = a() + b(-1);
                    a = a() + 3;
                    b = b(-1) + 0.5;
                  });
      },
      [](auto const& f, int steps) {
        expect_after(f, steps, [](int c, std::int64_t i, auto const& old) {
          if (c == 0)
            return old[0][i] + 3;
          return c == 1 ? left_of(old[1], i) + 0.5 : old[0][i] + left_of(old[1], i);
        });
      });
}

TEST_CASE("components in several roles keep their values outside of a box") {
  for_all_storages(
      [](auto& step, auto& f) {
        step.each(writes(f.components(0)), updates(f.components(1), line(0, -1, 0)),
                  [](auto a, auto b) {
                    a = b(-1);
                    b = b() + b(-1);
                  })
            .where(box<1>{{3}, {17}});
      },
      [](auto const& f, int steps) {
        expect_after(f, steps, [](int c, std::int64_t i, auto const& old) {
          if (c == 2 || i < 3 || i >= 17)
            return old[c][i];
          return c == 0 ? left_of(old[1], i) : old[1][i] + left_of(old[1], i);
        });
      });
}

TEST_CASE("neighbors of modified components are not read where others are updated") {
  Grid<1> const grid(world(), {.cells = {cells}, .periodic = {true}});
  auto f = numbered_field(grid, 1);
  Steps step(grid);
  step.each("both", updates(f.components(0)), modifies(f.components(1), line(0, -1, 1)),
            [](auto a, auto b) {
              a = a() + 1;
              b = b() + b(-1) + b(1);
            })
      .in_colors();
  CHECK_THROWS_WITH(step.plan(),
                    Catch::Contains("steps: kernel 'both' updates components of 'f', and modifies "
                                    "others and reads their neighbors (expected two kernels)"));
}

TEST_CASE("where a kernel adds, a box and a mask of the same places leave the same sums") {
  for (bool const is_periodic : {true, false})
    for (int const fused : {1, 2}) {
      Grid<1> const grid(world(), {.cells = {cells}, .periodic = {is_periodic}});
      auto in_box = grid.field<double>("in box"), under_mask = grid.field<double>("under mask");
      auto from = grid.field<double>("from"), mask = grid.field<double>("mask");
      box<1> const where{{5}, {9}};
      for_each_cell(mask.owned(), [&, values = mask.view()](cell_index<1> const& at) {
        values[at] = where.contains({at[0] + grid.owned().lo[0]}) ? 1 : 0;
      });
      from.fill(1.0);
      Steps step(grid);
      step.fuse(fused);
      auto const add = [](auto to, auto more) {
        to(-1) += more();
        to(2) += 100 * more();
      };
      step.each("box", adds(in_box, at({{-1}, {2}})), reads(from), add).where(where);
      step.each("mask", adds(under_mask, at({{-1}, {2}})), reads(from), add).where(mask);
      step.each("more", modifies(from), [](auto value) { value = value() + 1; });
      step.run(4);
      line_values expected(cells);
      for (std::int64_t i = where.lo[0]; i < where.hi[0]; ++i)
        expected[i] = (1 + 2 + 3 + 4) * 101;
      auto const of_box = gather(in_box), of_mask = gather(under_mask);
      if (grid.rank() == 0) {
        CHECK(of_box == expected);
        CHECK(of_mask == expected);
      }
    }
}

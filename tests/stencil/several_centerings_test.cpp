// Kernels that write fields of several centerings: results, ghost widths and what steps compute are
// those of a kernel for each centering that reads the same.
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/fields/sum.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <array>
#include <vector>

using namespace seam;
using Catch::Contains;

namespace {

double number(cell_index<2> const& at) {
  auto const i = static_cast<double>(at[0]), j = static_cast<double>(at[1]);
  return 1 / (1 + i + 3 * j + i * j);
}

Field<double, 2> filled(Grid<2> const& grid, char const* name, field_options const& options = {}) {
  auto u = grid.field<double>(name, options);
  for (int c = 0; c < options.components; ++c)
    for_each_cell(u.owned(), [&, view = u.view(c)](cell_index<2> const& at) {
      view[at] = number({at[0] + grid.owned().lo[0], at[1] + grid.owned().lo[1]}) + c;
    });
  return u;
}

void expect_equal(Field<double, 2> const& found, Field<double, 2> const& expected) {
  for (int level = 0; level < found.num_levels(); ++level)
    for (int c = 0; c < found.num_components(); ++c)
      for_each_cell(found.owned(), [&](cell_index<2> const& at) {
        INFO(found.name() << " component " << c << " level " << -level << " at " << at[0] << ","
                          << at[1] << " of rank " << found.grid().rank());
        CHECK(found.view(c, -level)[at] == expected.view(c, -level)[at]);
      });
}

constexpr std::array<std::array<bool, 2>, 4> all_periodic{
    {{false, false}, {true, false}, {false, true}, {true, true}}};

constexpr centering centerings[] = {on_cells, on_faces(0), on_faces(1), on_corners};

/// Fields that a kernel reads and writes: what one kernel does, and two.
struct staggered_fields {
  Field<double, 2> source, first, second;

  staggered_fields(Grid<2> const& grid, centering one, centering other)
      : source(filled(grid, "source", {.on = one})),
        first(filled(grid, "first", {.on = one, .components = 2})),
        second(filled(grid, "second", {.on = other, .levels = 2})) {
    source.boundary(linear_extrapolation());
    first.boundary(outside(0.5));
    second.boundary(neumann(0.25));
  }
};

} // namespace

TEST_CASE("one kernel for two centerings has the bits and the ghosts of a kernel for each") {
  stencil const around = range({-1, 2}, {-2, 1});
  auto const near = [](auto const& source) {
    return 0.25 * source(-1, 1) + 0.5 * source(2, -2) - 0.125 * source(0, 0);
  };
  int fused = 1;
  for (auto const& periodic : all_periodic) {
    Grid<2> const grid(testing::world(),
                       {.cells = {9, 11},
                        .periodic = periodic,
                        .neighborhood = metric_neighborhood(metric::manhattan, 0, 0)});
    for (centering const one : centerings)
      for (centering const other : centerings) {
        if (one == other && one != on_cells)
          continue;
        fused = 4 - fused;
        staggered_fields a(grid, one, other), b(grid, one, other);
        Steps together(grid), apart(grid);
        together.each("both", modifies(a.first), updates(a.second), reads(a.source, around),
                      [=](auto f, auto s, auto source) {
                        double const sum = near(source);
                        f[0] = f[0]() + sum;
                        f[1] = 0.5 * f[1]() - sum;
                        s = 0.5 * s() + 2 * sum;
                      });
        apart.each("first", modifies(b.first), reads(b.source, around), [=](auto f, auto source) {
          double const sum = near(source);
          f[0] = f[0]() + sum;
          f[1] = 0.5 * f[1]() - sum;
        });
        apart.each("second", updates(b.second), reads(b.source, around),
                   [=](auto s, auto source) { s = 0.5 * s() + 2 * near(source); });
        for (auto* const each : {&together, &apart}) {
          auto& of = each == &together ? a : b;
          each->each("then", updates(of.source), reads(of.first, star(1)),
                     reads(of.second, star(1)), [](auto to, auto f, auto s) {
                       to = 0.5 * to() + 0.1 * (f[1](0, 1) + f[0](-1, 0) + s(1, 0) - s(0, -1));
                     });
          each->fuse(fused);
        }
        if (one == other)
          CHECK_THAT(together.explain(), !Contains("on several centerings"));
        else
          CHECK_THAT(together.explain(), Contains("on several centerings"));
        for (int const steps : {1, 4}) {
          together.run(steps);
          apart.run(steps);
          expect_equal(a.source, b.source);
          expect_equal(a.first, b.first);
          expect_equal(a.second, b.second);
        }
        if (fused == 1)
          for (auto const pair :
               {&staggered_fields::source, &staggered_fields::first, &staggered_fields::second})
            CHECK((a.*pair).ghosts() == (b.*pair).ghosts());
      }
  }
}

namespace {

/// Electric fields on edges, magnetic ones on faces (Yee's grid).
struct yee_fields {
  std::array<Field<double, 3>, 3> e, h;

  explicit yee_fields(Grid<3> const& grid)
      : e{made(grid, "ex", 6), made(grid, "ey", 5), made(grid, "ez", 3)},
        h{made(grid, "hx", 1), made(grid, "hy", 2), made(grid, "hz", 4)} {}

  static Field<double, 3> made(Grid<3> const& grid, char const* name, unsigned low_axes) {
    auto u = grid.field<double>(name, {.on = centering{low_axes}});
    for_each_cell(u.owned(), [&, view = u.view()](cell_index<3> const& at) {
      auto const lo = grid.owned().lo;
      view[at] = low_axes * number({at[0] + lo[0] + 2 * (at[1] + lo[1]), at[2] + lo[2]});
    });
    u.boundary(outside(0.0));
    return u;
  }
};

constexpr double c = 0.25;
auto const curl_x = [](auto const& y, auto const& z, int s) {
  return c * s * ((z(0, s, 0) - z()) - (y(0, 0, s) - y()));
};
auto const curl_y = [](auto const& x, auto const& z, int s) {
  return c * s * ((x(0, 0, s) - x()) - (z(s, 0, 0) - z()));
};
auto const curl_z = [](auto const& x, auto const& y, int s) {
  return c * s * ((y(s, 0, 0) - y()) - (x(0, s, 0) - x()));
};

/// Adds the curl of some components to others, by one kernel or by three.
void add_curl(Steps<3>& step, std::array<Field<double, 3>, 3>& to,
              std::array<Field<double, 3>, 3>& from, int s, bool is_one) {
  from_to const reach{std::min(0, s), std::max(0, s)};
  stencil const near = range(reach, reach, reach);
  if (is_one) {
    step.each("curl", modifies(to[0]), modifies(to[1]), modifies(to[2]), reads(from[0], near),
              reads(from[1], near), reads(from[2], near),
              [=](auto tx, auto ty, auto tz, auto x, auto y, auto z) {
                tx = tx() + curl_x(y, z, s);
                ty = ty() + curl_y(x, z, s);
                tz = tz() + curl_z(x, y, s);
              });
    return;
  }
  step.each("x", modifies(to[0]), reads(from[1], near), reads(from[2], near),
            [=](auto t, auto y, auto z) { t = t() + curl_x(y, z, s); });
  step.each("y", modifies(to[1]), reads(from[0], near), reads(from[2], near),
            [=](auto t, auto x, auto z) { t = t() + curl_y(x, z, s); });
  step.each("z", modifies(to[2]), reads(from[0], near), reads(from[1], near),
            [=](auto t, auto x, auto y) { t = t() + curl_z(x, y, s); });
}

} // namespace

TEST_CASE("a kernel for three components on edges, or on faces, has the bits of three kernels") {
  for (bool const is_periodic : {false, true}) {
    Grid<3> const grid(testing::world(),
                       {.cells = {6, 5, 7},
                        .periodic = {false, is_periodic, false},
                        .neighborhood = metric_neighborhood(metric::manhattan, 0, 0)});
    for (int const fused : {1, 2}) {
      yee_fields one(grid), three(grid);
      Steps together(grid), apart(grid);
      for (bool const is_one : {true, false}) {
        auto& fields = is_one ? one : three;
        auto& step = is_one ? together : apart;
        add_curl(step, fields.e, fields.h, -1, is_one);
        add_curl(step, fields.h, fields.e, 1, is_one);
        step.fuse(fused);
        step.run(7);
      }
      for (auto const part : {&yee_fields::e, &yee_fields::h})
        for (int k : {0, 1, 2}) {
          auto const &found = (one.*part)[k], &expected = (three.*part)[k];
          std::int64_t num_wrong = 0;
          for_each_cell(found.owned(), [&](cell_index<3> const& at) {
            num_wrong += found.view()[at] != expected.view()[at] ? 1 : 0;
          });
          INFO(found.name());
          CHECK(num_wrong == 0);
        }
    }
  }
}

TEST_CASE("boxes, levels and reductions hold for kernels of several centerings") {
  Grid<2> const grid(testing::world(),
                     {.cells = {10, 8},
                      .neighborhood = metric_neighborhood(metric::manhattan, 0, 0)});
  auto cells = filled(grid, "cells"), faces = filled(grid, "faces", {.on = on_faces(0)});
  Value<double> total("total"), places("places");
  Steps step(grid);
  step.each("all", writes(cells), writes(faces), sum(places), [](auto c, auto f, auto into) {
    c = 1.0;
    f = 2.0;
    into(1.0);
  });
  step.each("box", modifies(cells), modifies(faces),
            [](auto c, auto f) {
              c = c() + 10.0;
              f = f() + 10.0;
            })
      .where(box<2>{{8, 2}, {11, 5}});
  step.each("places", modifies(cells), modifies(faces),
            [](auto c, auto f, place<2> const& here) {
              c = c() + 100.0 * static_cast<double>(here.index[0]);
              f = f() + 100.0 * static_cast<double>(here.index[0]);
            })
      .every(2, 1);
  step.run(2);
  CHECK(places.get() == 11 * 8);
  auto const expected = [&](cell_index<2> const& at, double first) {
    auto const i = at[0] + grid.owned().lo[0], j = at[1] + grid.owned().lo[1];
    bool const is_boxed = i >= 8 && j >= 2 && j < 5;
    return first + (is_boxed ? 10.0 : 0.0) + 100.0 * static_cast<double>(i);
  };
  for_each_cell(cells.owned(),
                [&](cell_index<2> const& at) { CHECK(cells.view()[at] == expected(at, 1.0)); });
  for_each_cell(faces.owned(),
                [&](cell_index<2> const& at) { CHECK(faces.view()[at] == expected(at, 2.0)); });
}

TEST_CASE("what has no meaning for several centerings is refused in one line") {
  Grid<2> const grid(testing::world(), {.cells = {16, 12}});
  auto cells = filled(grid, "cells"), faces = filled(grid, "faces", {.on = on_faces(0)});
  auto mask = grid.field<int>("mask");
  auto const both = [](auto a, auto b) {
    a = 1.0;
    b = 2.0;
  };
  auto const line_of = [&](auto const& change) {
    Steps step(grid);
    auto options = step.each("both", writes(cells), writes(faces), both);
    change(options);
    return testing::refusal_of([&] { step.plan(); });
  };
  CHECK_THAT(line_of([&](auto& options) { options.where(mask); }),
             Contains("steps: kernel 'both' writes fields that lie elsewhere on cells than others, "
                      "and has a mask (expected one centering)"));
  CHECK_THAT(line_of([](auto& options) { options.in_colors(); }), Contains("and runs in colors"));
  CHECK_THAT(line_of([](auto& options) { options.in_order(1); }), Contains("and runs in order"));
  CHECK_THAT(line_of([](auto& options) {
               options.where(border_layers{0, side::high});
             }),
             Contains("and runs in layers along a border"));
  Steps adding(grid);
  adding.each("both", adds(cells), adds(faces), [](auto a, auto b) {
    a() += 1.0;
    b() += 2.0;
  });
  CHECK_THAT(testing::refusal_of([&] { adding.plan(); }), Contains("and adds"));
  cells.boundary(outside(0.0));
  Steps updating(grid);
  updating.each("both", updates(cells, star(1)), writes(faces), [](auto a, auto b) {
    b = a(1, 0);
    a = 0.5 * a(-1, 0);
  });
  CHECK_THAT(testing::refusal_of([&] { updating.plan(); }),
             Contains("and updates 'cells' from its neighbors"));
}

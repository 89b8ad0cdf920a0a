// What steps refuse, and in which words.
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/fields/sum.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

using namespace seam;

TEST_CASE("a kernel that reads what it does not declare is refused before the first step") {
  Grid<2> grid(testing::world(), {.cells = {40, 36}, .periodic = {true, true}});
  auto u = grid.field<double>("u"), v = grid.field<double>("v", {.components = 2});
  Steps step(grid);
  step.each("blur", updates(u, star(1)), [](auto a) { a = a(1, 0) + a(1, 1); });
  CHECK_THROWS_WITH(step.run(), Catch::Contains("kernel 'blur' reads 'u' at offset (1, 1)"));
  Steps other(grid);
  other.each("two", writes(v.components(0)), [](auto a) { a[1] = 3.0; });
  CHECK_THROWS_WITH(other.run(), Catch::Contains("kernel 'two' writes component 1 of 'v'"));
  Steps unread(grid);
  unread.each("wide", updates(u, star(2)), [](auto a) { a = a(1, 0); });
  CHECK_THAT(unread.explain(),
             Catch::Contains("kernel 'wide' declares offsets of 'u'") && Catch::Contains("(2, 0)"));
}

TEST_CASE("a kernel that reads what it has updated in place is refused: it would get new values") {
  Grid<2> grid(testing::world(), {.cells = {40, 36}, .periodic = {true, true}});
  auto u = grid.field<double>("u"), v = grid.field<double>("v");
  auto levels = grid.field<double>("levels", {.levels = 2});
  auto two = grid.field<double>("two", {.components = 2});
  for (auto* const field : {&u, &levels, &two})
    field->fill(1.0);
  Value<double> most("most");
  auto const refused = [&](std::string const& field, auto const& declare) {
    Steps step(grid);
    auto const line = testing::refusal_of([&] {
      declare(step);
      step.run();
    });
    CHECK_THAT(line, Catch::Contains("reads '" + field + "' after it has written it") &&
                         !Catch::Contains("\n"));
  };
  auto const twice = [](auto a, auto b) {
    a = 2 * a();
    b = a();
  };
  refused("u", [&](auto& s) { s.each(updates(u), writes(v), twice); });
  refused("u", [&](auto& s) {
    s.each(updates(u), maximum(most), [](auto a, auto m) {
      a = 2 * a();
      m(a());
    });
  });
  refused("u", [&](auto& s) {
    s.each(updates(u), [](auto a) {
      a += 1.0;
      a += 2.0;
    });
  });
  refused("levels", [&](auto& s) {
    s.each(updates(levels), reads(levels[-1]), [](auto a, auto old) {
      a = 2.0;
      a = old();
    });
  });

  // Old values where they lie beside the new ones; new ones where the kernel modifies its field.
  u.fill(1.0);
  Steps step(grid);
  step.each(updates(u, star(1)), writes(v), twice);
  step.each(updates(two), [](auto a) {
    a[0] = a[1]() + 3;
    a[1] = a[0]();
  });
  step.each(updates(levels), reads(levels[-1]), [](auto a, auto old) { a = a() + old() + 1; });
  step.run();
  CHECK(maximum(v) == 1.0);
  CHECK(maximum(two) == 4.0);
  auto const second = std::as_const(two).view(1);
  for_each_cell(two.owned(), [&](cell_index<2> const& at) { CHECK(second[at] == 1.0); });
  Steps in_place(grid);
  in_place.each(modifies(u), writes(v), twice);
  in_place.run();
  CHECK(maximum(v) == 4.0);
}

TEST_CASE("contradictions are refused in one line, on all ranks") {
  auto const world = testing::world();
  Grid<1> grid(world, {.cells = {40}, .periodic = {true}}), other(world, {.cells = {40}});
  Grid<1> open(world, {.cells = {40}});
  auto u = grid.field<double>("u"), v = grid.field<double>("v"),
       stranger = other.field<double>("s");
  auto bare = open.field<double>("bare");
  Value<double> unset("unset"), dt("dt", 0.1);
  auto const refused = [](auto const& declare, Grid<1> const& on, char const* words) {
    Steps step(on);
    auto const line = testing::refusal_of([&] {
      declare(step);
      step.run(2);
    });
    CHECK_THAT(line, Catch::Contains(words) && !Catch::Contains("\n"));
  };
  refused(
      [&](auto& s) { s.each("k", writes(u), reads(stranger), [](auto a, auto b) { a = b(); }); },
      grid, "'s' belongs to another grid");
  refused([&](auto& s) { s.each("k", writes(u), reads(u), [](auto a, auto b) { a = b(); }); }, grid,
          "kernel 'k' writes and reads 'u'");
  refused([&](auto& s) { s.each("k", modifies(u, star(1)), [](auto a) { a = a(1); }); }, grid,
          "modifies 'u' in place and reads its neighbors");
  refused([&](auto& s) { s.each("k", modifies(u), with(unset), [](auto a, double h) { a = h; }); },
          grid, "takes value 'unset', which has none yet");
  refused([&](auto& s) { s.each("k", updates(bare, star(1)), [](auto a) { a = a(1); }); }, open,
          "no boundary condition on the low side of axis 0");
  refused(
      [&](auto& s) {
        s.each("part", writes(v), [](auto a) { a = 1.0; }).where(box<1>{{3}, {7}});
        s.each("all", writes(u), reads(v), [](auto a, auto b) { a = b(); });
      },
      grid, "kernel 'all' reads all of 'v', of which only a part has been written");
  refused(
      [&](auto& s) { s.each("k", modifies(u, at({{2}})), [](auto a) { a = a(2); }).in_colors(2); },
      grid, "reads its own color at (2)");
  refused(
      [&](auto& s) {
        s.each("k", updates(u, at({{1, 2}})), [](auto a) { a = a(); });
      },
      grid, "2 entries on a grid of 1 axes");
  refused([&](auto& s) { s.each("k", reads(u[-1]), [](auto a) { (void)a(); }); }, grid,
          "level -1 of 'u'");
  refused([](auto&) {}, grid, "no kernel");
  Grid<1> longer(world, {.cells = {42}, .periodic = {true}});
  auto foreign = longer.field<double>("foreign");
  refused([&](auto& s) { s.each("k", writes(foreign), [](auto a) { a = 1.0; }); }, grid,
          "kernel 'k' is on a grid of 42 cells (expected the steps' own of 40");
  refused([&](auto& s) { s.each("k", writes(stranger), [](auto a) { a = 1.0; }); }, grid,
          "or one that is coarser or finer by a power of 2, as periodic");
  refused(
      [&](auto& s) {
        s.each("k", minimum(dt), maximum(dt), reads(u), [](auto a, auto b, auto u) {
          a(u());
          b(u());
        });
      },
      grid, "kernel 'k' contributes to 'dt' as minimum and as maximum");
  refused(
      [&](auto& s) {
        s.each("k", writes(u), [](auto a) { a = 1.0; }).where(border_layers{1, side::low});
      },
      grid, "kernel 'k' in 1 layers along axis 1 (expected 0 or more along axis 0 to 0)");
  refused(
      [&](auto& s) {
        s.each("k", updates(u, star(1)), [](auto a) { a = a(1); });
        s.fuse(1025);
      },
      grid, "1025 steps are fused (expected at most 1024)");
  refused([&](auto& s) { s.each("k", reads(u, star(-1)), [](auto) {}); }, grid,
          "a star of radius -1 (expected 0 or more)");
  refused([&](auto& s) { s.each("k", reads(u, line(0, 2, 1)), [](auto) {}); }, grid,
          "a line from 2 to 1");
  CHECK_THAT(testing::refusal_of([&] { grid.field<double>("flux", {.on = on_faces(1)}); }),
             Catch::Contains("field 'flux': values on faces of axis 1 (expected 0 to 0)"));
  bare.boundary(neumann(0.0));
  refused([&](auto& s) { s.each("k", updates(bare, at({{-41}})), [](auto a) { a = a(-41); }); },
          open, "41 layers are read beyond a border of axis 0, which has 40");
  if (world.size() > 1)
    refused(
        [&](auto& s) {
          s.each("k", modifies(u), [](auto a) { a = 1.0; }).where(box<1>{{0}, {5 + grid.rank()}});
        },
        grid, "where (0) to (6)");
  if (world.size() > 1)
    refused(
        [&](auto& s) {
          std::string const name = grid.rank() == 1 ? "one" : "another";
          s.each(name, writes(u), [](auto a) { a = 1.0; });
        },
        grid, "steps:");
}

TEST_CASE("masks that do not fit a kernel are refused, and others are explained") {
  auto const world = testing::world();
  Grid<1> grid(world, {.cells = {40}, .periodic = {true}}), other(world, {.cells = {40}});
  auto u = grid.field<double>("u"), pair = grid.field<double>("pair", {.components = 2});
  auto const mask = grid.field<int>("mask"), stranger = other.field<int>("stranger"),
             faces = grid.field<int>("faces", {.on = on_faces(0)});
  auto const with_mask = [&](auto const& under, auto const& check) {
    Steps step(grid);
    step.each("k", modifies(u), [](auto a) { a = a() + 1; }).where(under);
    check(step);
  };
  auto const refused = [&](auto const& under, char const* words) {
    with_mask(under, [&](Steps<1>& step) {
      CHECK_THROWS_WITH(step.run(), Catch::Contains("kernel 'k'") && Catch::Contains(words));
    });
  };
  refused(stranger, "'stranger' belongs to another grid");
  refused(pair, "'pair' is not zero, which has 2 components");
  refused(faces, "'faces' is not zero, which lies elsewhere on cells");
  refused(u, "modifies and reads 'u'");
  with_mask(mask, [](Steps<1>& step) {
    CHECK_THAT(step.explain(), Catch::Contains("where mask is not zero"));
  });
}

TEST_CASE("an exception of a kernel on one rank is thrown there, and neighbors do not wait") {
  Grid<1> grid(testing::world(), {.cells = {64}, .periodic = {true}});
  auto u = grid.field<double>("u");
  u.fill([](position<1> x) { return x[0]; });
  bool armed = false;
  Steps step(grid);
  step.each("fragile", updates(u, star(1)), [&armed](auto v, place<1> const& here) {
    if (armed && here.index[0] == 63)
      throw std::runtime_error("out of luck");
    v = 0.5 * (v(-1) + v(1));
  });
  step.run(2);
  armed = true;
  bool const owns = grid.owned().contains({63});
  if (owns)
    CHECK_THROWS_WITH(step.run(3), "out of luck");
  else
    CHECK_NOTHROW(step.run(3));
  armed = false;
  CHECK_NOTHROW(step.run(0));
  CHECK_THROWS_WITH(step.run(-1), Catch::Contains("-1 runs after"));
  CHECK_NOTHROW(step.run(2));
}

TEST_CASE("more steps than their number counts are refused") {
  Grid<1> const grid(testing::world(), {.cells = {12}});
  auto u = grid.field<double>("u");
  Steps step(grid);
  step.each("count", modifies(u), [](auto v) { v = v() + 1; });
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  step.continue_at(most - 1);
  CHECK_THROWS_WITH(step.run(2), Catch::Contains("2 runs after 9223372036854775806"));
  step.run(1);
  CHECK(step.num_steps() == most);
  CHECK(sum(u) == 12);
  CHECK_THROWS_WITH(step.continue_at(-5),
                    Catch::Contains("-5 steps are done (expected 0 or more)"));
  CHECK(step.num_steps() == most);
}

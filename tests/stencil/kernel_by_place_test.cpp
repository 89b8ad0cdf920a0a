// Kernels of two, one inside a box and one elsewhere, against one kernel that asks for its place:
// random boxes, also empty, whole, beyond the domain and across ends of periodic axes.
#include <seam/exchange/ground/checks.hpp>
#include <seam/stencil/fields/sum.hpp>
#include <seam/stencil/roles/kernel_by_place.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <cstdint>
#include <random>
#include <string>

using namespace seam;

namespace {

template <int D>
std::uint64_t mixed(cell_index<D> const& at) {
  std::uint64_t code = 7;
  for (auto const index : at)
    code = 31 * code + static_cast<std::uint64_t>(index);
  return code * 0x9e3779b97f4a7c15;
}

template <class View>
std::uint64_t add_around(View const& u, place<1> const&) {
  return u(-1) + 3 * u(1);
}
template <class View>
std::uint64_t add_around(View const& u, place<2> const&) {
  return u(-1, 0) + 3 * u(1, 0) + 5 * u(0, -1) + 7 * u(0, 1);
}
template <class View>
std::uint64_t add_around(View const& u, place<3> const&) {
  return u(-1, 0, 0) + 3 * u(1, 0, 0) + 5 * u(0, -1, 0) + 7 * u(0, 1, 0) + 11 * u(0, 0, -1) +
         13 * u(0, 0, 1);
}

template <int D>
struct problem {
  Grid<D> grid;
  box<D> inside;
  int fused, takes_places; ///< 0: none of the two, 1: the one elsewhere, 2: both
  enum { all_at_once, colored, masked } how;
};

/// The field of one program, which `declare` adds a kernel to.
template <int D, class Declare>
Field<std::uint64_t, D> computed(problem<D> const& of, Declare const& declare) {
  auto u = of.grid.template field<std::uint64_t>("u");
  auto mask = of.grid.template field<int>("mask");
  u.fill(0);
  for_each_cell(u.owned(), [&, first = of.grid.owned().lo, values = u.view(),
                            marks = mask.view()](cell_index<D> at) {
    auto const local = at;
    for (int a = 0; a < D; ++a)
      at[a] += first[a];
    values[local] = mixed<D>(at);
    marks[local] = mixed<D>(at) % 3 != 0;
  });
  u.boundary(outside(std::uint64_t{9}));
  Steps<D> step(of.grid);
  auto options = declare(step, u);
  if (of.how == problem<D>::colored)
    options.in_colors(2);
  if (of.how == problem<D>::masked)
    options.where(mask);
  step.fuse(of.fused);
  step.run(2 * of.fused + 1);
  return u;
}

template <int D>
std::int64_t count_different(problem<D> const& of) {
  auto const inner = [](auto u, place<D> const& here) { u = u() + add_around(u, here); };
  auto const outer = [](auto u, place<D> const& here) {
    u = 17 * u() - add_around(u, here) + mixed<D>(here.index);
  };
  auto const expected = computed<D>(of, [&](auto& step, auto& u) {
    auto const one = [=, inside = of.inside](auto v, place<D> const& here) {
      if (inside.contains(here.index))
        inner(v, here);
      else
        outer(v, here);
    };
    return of.how == problem<D>::colored ? step.each("one", modifies(u, star(1)), one)
                                         : step.each("one", updates(u, star(1)), one);
  });
  auto const found = computed<D>(of, [&](auto& step, auto& u) {
    auto const add = [&](auto const& kernel) {
      return of.how == problem<D>::colored ? step.each("two", modifies(u, star(1)), kernel)
                                           : step.each("two", updates(u, star(1)), kernel);
    };
    auto const alone = [=](auto v) { inner(v, place<D>{}); };
    return of.takes_places > 1 ? add(by_place(of.inside, inner, outer))
                               : add(by_place(of.inside, alone, outer));
  });
  return sum(of.grid, [e = expected.view(), f = found.view()](cell_index<D> const& at) {
    return e[at] == f[at] ? 0 : 1;
  });
}

template <int D>
void check(cell_index<D> const& cells, int count) {
  for (int seed = 1; seed <= count; ++seed) {
    std::mt19937 random(static_cast<unsigned>(100 * D + seed));
    auto const between = [&](std::int64_t least, std::int64_t most) {
      return least + static_cast<std::int64_t>(random() % static_cast<unsigned>(most - least + 1));
    };
    grid_options<D> wanted;
    wanted.cells = cells;
    box<D> inside;
    for (int a = 0; a < D; ++a) {
      wanted.periodic[a] = between(0, 1) == 1;
      inside.lo[a] = between(0, 2) == 0 ? 0 : between(-2, cells[a] - 1);
      inside.hi[a] = between(0, 2) == 0 ? cells[a] : between(0, cells[a] + 3);
    }
    auto const how = between(0, 2);
    problem<D> const of{{testing::world(), wanted},
                        inside,
                        how == 2 ? 1 : static_cast<int>(between(1, 3)),
                        static_cast<int>(between(1, 2)),
                        how == 0   ? problem<D>::all_at_once
                        : how == 1 ? problem<D>::colored
                                   : problem<D>::masked};
    for (bool const is_checked : {false, true}) {
      checks_in_scope const mode(is_checked);
      INFO("seed " << seed << ", checks " << is_checked << ", kind " << how << ", fused "
                   << of.fused);
      CHECK(count_different(of) == 0);
    }
  }
}

} // namespace

TEST_CASE("two kernels by place compute what one with a condition does, on a line") {
  check<1>({60}, 20);
}
TEST_CASE("two kernels by place compute what one with a condition does, in the plane") {
  check<2>({24, 30}, 20);
}
TEST_CASE("two kernels by place compute what one with a condition does, in space") {
  check<3>({18, 12, 24}, 12);
}

TEST_CASE("what either kernel of two reads and writes is compared with the declaration") {
  Grid<2> const grid(testing::world(), {.cells = {16, 16}});
  auto u = grid.field<double>("u"), v = grid.field<double>("v");
  auto const refusal = [&](box<2> const& inside, bool first) {
    Steps<2> step(grid);
    auto const within = [](auto to, auto from) { to = from(1, 0); };
    auto const beyond = [](auto to, auto from) { to = from(-2, 0); };
    if (first)
      step.each("two", writes(v), reads(u, line(0, 0, 1)), by_place(inside, within, beyond));
    else
      step.each("two", writes(v), reads(u, line(0, 0, 1)), by_place(inside, beyond, within));
    try {
      step.run(0);
    } catch (usage_error const& refused) {
      return std::string(refused.what());
    }
    return std::string("accepted");
  };
  for (box<2> const& inside : {box<2>{{0, 0}, {16, 16}}, box<2>{{1, 1}, {15, 15}}, box<2>{}})
    for (bool const first : {true, false})
      CHECK(refusal(inside, first).find("(-2, 0)") != std::string::npos);
}

// Kernels that take their place get the index in the whole domain, in owned cells and in those that are
// computed for neighbors, whatever the order of cells: a kernel writes a code of its place, and another
// adds those of its neighbors.
#include <seam/exchange/ground/checks.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <array>
#include <cstdint>

using namespace seam;

namespace {

template <int D>
std::int64_t code_of(cell_index<D> const& index) {
  std::int64_t code = 0;
  for (int a = 0; a < D; ++a)
    code = 1000 * code + index[a] + 1;
  return code;
}

constexpr std::int64_t beyond = -7; ///< what is beyond borders

/// The code at a place that may lie beyond the ends of axes.
template <int D>
std::int64_t code_at(Grid<D> const& grid, cell_index<D> index) {
  for (int a = 0; a < D; ++a) {
    if (index[a] >= 0 && index[a] < grid.cells()[a])
      continue;
    if (!grid.is_periodic(a))
      return beyond;
    index[a] = (index[a] + grid.cells()[a]) % grid.cells()[a];
  }
  return code_of<D>(index);
}

template <int D>
std::int64_t sum_around(Grid<D> const& grid, cell_index<D> const& index) {
  std::int64_t sum = 0;
  for (int a = 0; a < D; ++a)
    for (int const step : {-1, 1}) {
      auto next = index;
      next[a] += step;
      sum += code_at(grid, next);
    }
  return sum;
}

template <class View>
std::int64_t add_around(View const& u, place<1> const&) {
  return u(-1) + u(1);
}
template <class View>
std::int64_t add_around(View const& u, place<2> const&) {
  return u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1);
}
template <class View>
std::int64_t add_around(View const& u, place<3> const&) {
  return u(-1, 0, 0) + u(1, 0, 0) + u(0, -1, 0) + u(0, 1, 0) + u(0, 0, -1) + u(0, 0, 1);
}

enum class way { at_once, in_two_colors, in_three_colors, in_order, backward };

/// Cells whose sums of codes differ from what they have to be.
template <int D>
std::int64_t count_wrong(std::array<std::int64_t, D> const& cells, unsigned periodic, int fused,
                         way how, int axis) {
  grid_options<D> wanted;
  wanted.cells = cells;
  for (int a = 0; a < D; ++a)
    wanted.periodic[a] = (periodic >> a & 1) != 0;
  Grid<D> grid(testing::world(), wanted);
  auto code = grid.template field<std::int64_t>("code"),
       sum = grid.template field<std::int64_t>("sum");
  code.boundary(outside(beyond));
  Steps<D> step(grid);
  auto const write = [](auto u, place<D> const& here) { u = code_of<D>(here.index); };
  if (how == way::at_once)
    step.each("code", writes(code), write);
  else if (how == way::in_two_colors || how == way::in_three_colors)
    step.each("code", modifies(code), write).in_colors(how == way::in_two_colors ? 2 : 3);
  else
    step.each("code", modifies(code), write)
        .in_order(axis, how == way::in_order ? axis_order::forward : axis_order::backward);
  step.each("sum", writes(sum), reads(code, star(1)),
            [](auto s, auto u, place<D> const& here) { s = add_around(u, here); });
  step.fuse(fused);
  step.run(2 * fused); // the last chain is whole: what it computed for neighbors is not sent over
  std::int64_t wrong = 0;
  auto const first = grid.owned().lo;
  for_each_cell(sum.owned(), [&, sums = sum.view()](cell_index<D> at) {
    auto const value = sums[at];
    for (int a = 0; a < D; ++a)
      at[a] += first[a];
    wrong += value == sum_around(grid, at) ? 0 : 1;
  });
  return wrong;
}

/// In all ways, and all periodicities that they allow, by the loops of programs and by those that compare
/// each access.
template <int D>
void check(std::array<std::int64_t, D> const& cells, bool is_checked) {
  checks_in_scope const mode(is_checked);
  for (unsigned periodic = 0; periodic < 1U << D; ++periodic)
    for (int const fused : {1, 3}) {
      INFO("periodic " << periodic << ", fused " << fused << ", ranks " << testing::world().size());
      CHECK(count_wrong<D>(cells, periodic, fused, way::at_once, 0) == 0);
      CHECK(count_wrong<D>(cells, periodic, fused, way::in_two_colors, 0) == 0);
      CHECK(count_wrong<D>(cells, periodic, fused, way::in_three_colors, 0) == 0);
      for (int axis = 0; axis < D && fused == 1; ++axis)
        if ((periodic >> axis & 1) == 0) {
          CHECK(count_wrong<D>(cells, periodic, 1, way::in_order, axis) == 0);
          CHECK(count_wrong<D>(cells, periodic, 1, way::backward, axis) == 0);
        }
    }
}

} // namespace

TEST_CASE("kernels get their place on a line") {
  check<1>({60}, false);
  check<1>({60}, true);
}

TEST_CASE("kernels get their place in the plane") {
  check<2>({18, 24}, false);
  check<2>({18, 24}, true);
}

TEST_CASE("kernels get their place in space") {
  check<3>({12, 18, 12}, false);
  check<3>({12, 18, 12}, true);
}

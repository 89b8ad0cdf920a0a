// Kernels whose results have to have the same bits, whatever instructions the compiler may use: this
// file is built for any processor of its family and for this machine's own. Prints, for each kernel,
// a number made of all bits of all values, which does not depend on the number of ranks.
//
//     mpiexec -n 2 bits
//     heat 1f0c... wave ... gray-scott ... jacobi ... bytes ...
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/framework/program/print.hpp>
#include <seam/framework/program/runtime.hpp>
#include <seam/stencil/fields/field.hpp>
#include <seam/stencil/fields/grid.hpp>
#include <seam/stencil/roles/iterate.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <array>
#include <cstdint>
#include <cstring>

namespace {

using namespace seam;

std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ (number >> 31U)) * 0x9E3779B97F4A7C15U;
  return number ^ (number >> 29U);
}

/// A number made of the bits of all owned values and of their places.
template <class T, int D>
std::uint64_t bits_of(Grid<D> const& grid, Field<T, D> const& field) {
  auto const values = field.view();
  std::uint64_t all = 0;
  for_each_cell(box<D>{{}, grid.owned().extents()}, [&](cell_index<D> const& at) {
    std::uint64_t bits = 0, place = 0;
    std::memcpy(&bits, &values[at], sizeof(T));
    for (int a = 0; a < D; ++a)
      place = place * 1000 + static_cast<std::uint64_t>(at[a] + grid.owned().lo[a]);
    all += mixed(bits + mixed(place));
  });
  std::array<std::uint64_t, 1> const own{all};
  std::array<std::uint64_t, 1> sum{};
  run(grid.base(), allreduce(own, sum, MPI_SUM));
  return sum[0];
}

/// Values that differ in all their digits, without functions of a library.
template <class T, int D>
T first_value(position<D> const& x) {
  double sum = 0;
  for (int a = 0; a < D; ++a)
    sum += (a + 1.3) * x[a] * x[a] - x[a] / (a + 0.7);
  return static_cast<T>(sum);
}

template <class T>
std::uint64_t heat(Runtime& runtime) {
  Grid<3> const grid(runtime, {.cells = {19, 23, 37}});
  auto u = grid.field<T>("u");
  u.boundary(dirichlet(T{1} / 3));
  u.fill(first_value<T, 3>);
  Steps step(grid);
  step.each(
      "heat", updates(u, star(1)), KOKKOS_LAMBDA(auto at) {
        at = at() + T(0.07) * (at(1, 0, 0) + at(-1, 0, 0) + at(0, 1, 0) + at(0, -1, 0) +
                               at(0, 0, 1) + at(0, 0, -1) - 6 * at());
      });
  step.run(25);
  return bits_of(grid, u);
}

/// Three levels and wide rows of neighbors.
std::uint64_t wave(Runtime& runtime) {
  Grid<2> const grid(runtime, {.cells = {29, 61}, .periodic = {true, true}});
  auto u = grid.field<double>("u", {.levels = 2});
  for (int const level : {0, -1}) {
    auto const values = u.view(0, level);
    for_each_cell(u.owned(), [&](cell_index<2> const& at) {
      auto const first = grid.owned().lo;
      values[at] =
          first_value<double, 2>(grid.geometry().centre({at[0] + first[0], at[1] + first[1]}));
    });
  }
  Steps step(grid);
  step.each(
      "wave", updates(u, star(4)), reads(u[-1]), KOKKOS_LAMBDA(auto u, auto before) {
        double const c[] = {-2.85, 1.6, -0.2, 0.025, -0.0018};
        double laplace = 2 * c[0] * u();
        for (int d = 1; d <= 4; ++d)
          laplace += c[d] * (u(d, 0) + u(-d, 0) + u(0, d) + u(0, -d));
        u = 2 * u() - before() + 0.11 * laplace;
      });
  step.run(25);
  return bits_of(grid, u);
}

std::uint64_t gray_scott(Runtime& runtime) {
  Grid<2> const grid(runtime, {.cells = {31, 45}, .periodic = {true, true}});
  auto u = grid.field<double>("u"), v = grid.field<double>("v");
  u.fill([](position<2> const& x) { return 1 - first_value<double, 2>(x) / 9; });
  v.fill([](position<2> const& x) { return first_value<double, 2>(x) / 11; });
  Steps step(grid);
  step.each(
      "react", updates(u, star(1)), updates(v, star(1)), KOKKOS_LAMBDA(auto u, auto v) {
        double const uvv = u() * v() * v();
        double const du = u(1, 0) + u(-1, 0) + u(0, 1) + u(0, -1) - 4 * u();
        double const dv = v(1, 0) + v(-1, 0) + v(0, 1) + v(0, -1) - 4 * v();
        u = u() + 0.16 * du - uvv + 0.035 * (1 - u());
        v = v() + 0.08 * dv + uvv - 0.095 * v();
      });
  step.run(25);
  return bits_of(grid, u) + 3 * bits_of(grid, v);
}

std::uint64_t jacobi(Runtime& runtime) {
  Grid<3> const grid(runtime, {.cells = {17, 13, 41}});
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  u.boundary(dirichlet([](position<3> const& x) { return first_value<double, 3>(x); }));
  u.fill(first_value<double, 3>);
  Iterate loop(grid, u, next);
  loop.sweeps(
      25, KOKKOS_LAMBDA(auto u, int i, int j, int k) {
        return (u(i - 1, j, k) + u(i + 1, j, k) + u(i, j - 1, k) + u(i, j + 1, k) + u(i, j, k - 1) +
                u(i, j, k + 1)) /
               6.1;
      });
  return bits_of(grid, u);
}

std::uint64_t bytes(Runtime& runtime) {
  Grid<2> const grid(runtime, {.cells = {37, 83}, .periodic = {true, true}});
  auto board = grid.field<std::uint8_t>("board");
  board.fill([](position<2> const& x) {
    return static_cast<std::uint8_t>(
        mixed(static_cast<std::uint64_t>(x[0] * 7919 + x[1] * 104729)) & 1U);
  });
  Steps step(grid);
  step.each(
      "life", updates(board, moore(1)), KOKKOS_LAMBDA(auto at) {
        int const alive = at(-1, -1) + at(-1, 0) + at(-1, 1) + at(0, -1) + at(0, 1) + at(1, -1) +
                          at(1, 0) + at(1, 1);
        at = static_cast<std::uint8_t>(static_cast<int>(alive == 3) |
                                       (static_cast<int>(alive == 2) & at()));
      });
  step.run(25);
  return bits_of(grid, board);
}

} // namespace

int main(int argc, char** argv) {
  Runtime runtime(argc, argv);
  print(runtime, "heat {:x} {:x} wave {:x} gray-scott {:x} jacobi {:x} bytes {:x}\n",
        heat<double>(runtime), heat<float>(runtime), wave(runtime), gray_scott(runtime),
        jacobi(runtime), bytes(runtime));
}

// The bodies of Iterate's members; included by iterate.hpp alone.
#pragma once

#include <seam/stencil/fields/field_view.hpp>
#include <seam/stencil/roles/iterate.hpp>
#include <seam/stencil/roles/kernel_body.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace seam {
namespace detail {

/// Calls kernel(u, i, j, ..., k) at a cell of the row that begins at `first`.
template <class Kernel, class View, int D, std::size_t... SlowAxis>
KOKKOS_FORCEINLINE_FUNCTION auto call_kernel(Kernel const& kernel, View const& u,
                                             cell_index<D> const& first, int k,
                                             std::index_sequence<SlowAxis...>) {
  return kernel(u, static_cast<int>(first[SlowAxis])..., k);
}

/// True if a kernel takes the values and the indices of a cell, and returns a value.
template <class Kernel, class T, int D, std::size_t... Axis>
constexpr bool takes_cell(std::index_sequence<Axis...>) {
  return std::is_invocable_r_v<T, Kernel const&, field_view<T const, D>,
                               decltype(static_cast<int>(Axis))...>;
}

/// The kernel itself, or a copy where that costs nothing: the compiler then knows that no store to
/// a field changes it.
template <class Kernel>
using own_kernel =
    std::conditional_t<std::is_trivially_copyable_v<Kernel>, Kernel const, Kernel const&>;

/// Computes row[k] = kernel(u, first[0], ..., k) for k from the cell `first` to before `end`, and the
/// rows behind it along the last axis but one, `row_step` values apart. No cell of a row depends on
/// another. An int that counts along the row lets the compiler see that neighbors are contiguous. It
/// is a function of its own so that all registers are the loop's.
template <class T, int D, class Kernel>
[[gnu::noinline]] void compute_rows(T* __restrict row, std::int64_t row_step, std::int64_t num_rows,
                                    field_view<T const, D> const u, cell_index<D> first, int end,
                                    Kernel const& shared_kernel) {
  own_kernel<Kernel> kernel = shared_kernel;
  for (; num_rows > 0; --num_rows, row += row_step) {
#pragma GCC ivdep
    for (int k = static_cast<int>(first[D - 1]); k < end; ++k)
      row[k] = static_cast<T>(call_kernel<Kernel, field_view<T const, D>, D>(
          kernel, u, first, k, std::make_index_sequence<D - 1>{}));
    if constexpr (D > 1)
      ++first[D - 2];
  }
}

/// Computes next = kernel(u). Lives during a call of sweeps().
template <class T, int D, class Kernel>
class sweep_body final : public kernel_body {
public:
  sweep_body(Kernel const& kernel, sweep_loop const& loop)
      : kernel_body({}), kernel_(kernel), loop_(loop) {}

  void compute(place_run const& run) const override {
    bound_access const* const bound = run.call->accesses;
    field_view<T const, D> const u(reinterpret_cast<T const*>(bound[0].read),
                                   unpadded<D>(loop_.current().local()));
    auto const next = view_in<T, D>({bound[1].write, loop_.next().local()});
    auto const first = unpadded<D>(run.first);
    compute_rows<T, D>(&next[first] - first[D - 1], next.local().extent(D - 1), run.num_rows, u,
                       first, run.end, kernel_);
  }

private:
  Kernel const& kernel_;
  sweep_loop const& loop_;
};

/// See change_in_part.
template <class T, int D>
double largest_change(component_memory const& now, component_memory const& before,
                      box3 const& part) {
  static_assert(
      requires(T const& value) { static_cast<double>(value); },
      "the change of a sweep, which converged() asks for, is a difference of numbers: "
      "fields of other types are swept without it");
  auto const new_values = view_in<T const, D>(now), old_values = view_in<T const, D>(before);
  double most = std::numeric_limits<double>::lowest();
  for_each_cell(unpadded<D>(part), [&](cell_index<D> const& at) {
    double const here =
        std::abs(static_cast<double>(new_values[at]) - static_cast<double>(old_values[at]));
    most = here <= most ? most : (here > most ? here : std::numeric_limits<double>::infinity());
  });
  return most;
}

} // namespace detail

template <class T, int D>
Iterate<T, D>::Iterate(Grid<D> const& grid, Field<T, D>& current, Field<T, D>& next)
    : loop_(std::make_unique<detail::sweep_loop>(grid.space(), current.shared(), next.shared())) {}

template <class T, int D>
template <class Kernel>
void Iterate<T, D>::sweep(Kernel const& kernel) {
  sweeps(1, kernel);
}

template <class T, int D>
template <class Kernel>
void Iterate<T, D>::sweeps(std::int64_t count, Kernel const& kernel) {
  static_assert(
      detail::takes_cell<Kernel, T, D>(std::make_index_sequence<D>{}),
      "the kernel of an Iterate has to take the old values and an int for each axis, and "
      "to return the new value: SEAM_KERNEL(auto u, int i, int j) { return u(i, j); } in 2D");
  loop_->run(count, detail::sweep_body<T, D, Kernel>(kernel, *loop_));
}

template <class T, int D>
double Iterate<T, D>::change() const {
  return loop_->change(detail::largest_change<T, D>);
}

template <class T, int D>
bool Iterate<T, D>::converged(double tolerance, int every) {
  return loop_->converged(tolerance, every, detail::largest_change<T, D>);
}

} // namespace seam

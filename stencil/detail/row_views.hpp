/// Views of a kernel's arguments in a row of cells: bare pointers and distances, which the loop along
/// the row turns into the views that the kernel gets.
#pragma once

#include <seam/stencil/detail/step_program.hpp>
#include <seam/stencil/step_roles.hpp>
#include <seam/stencil/step_views.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace seam::detail {

/// The view of a role in a row of cells: at(k) is the view at index k on the last axis, next_row()
/// moves the view to the next row along the last axis but one. The general case is a value.
template <class Role, int D, class Watch>
struct row_view;

/// The address of the value that a kernel at `first`, with index 0 on the last axis, has as its
/// own.
template <class T, int D>
T* row_address(std::byte* origin, bound_access<D> const& bound, cell_index<D> const& first) {
  if (origin == nullptr)
    return nullptr;
  T* at = reinterpret_cast<T*>(origin);
  for (int a = 0; a + 1 < D; ++a)
    at += first[a] * bound.stride[a];
  return at;
}

template <int D>
row_strides<D> strides_of(bound_access<D> const& bound) {
  row_strides<D> strides = bound.stride;
  strides[D - 1] = bound.component_stride;
  return strides;
}

/// The distance of the rows along the last axis but one. [values]
template <int D>
std::int64_t row_step(row_strides<D> const& strides) {
  return D > 1 ? strides[D > 1 ? D - 2 : 0] : 0;
}

/// The address of values that a kernel writes. The compiler may take them for apart from all that it
/// reads by other addresses: they are other memory, or memory that is read at the cell alone that is
/// written, before it is.
template <class T>
using written_values = T* __restrict;

/// What a row of a kernel's calls needs besides memory.
template <int D>
struct row_context {
  bound_access<D> const* bound = nullptr; ///< of this argument
  step_reduction* reduction = nullptr;    ///< of this argument
  int worker = 0;
  bool counts = true;
  cell_index<D> added{}; ///< the offset to which adders add now
};

template <class T, int D, class Watch>
struct row_view<field_role<T, D, access_role::reads>, D, Watch> {
  T const* at0;
  row_strides<D> stride;
  row_view(auto const&, row_context<D> const& context, cell_index<D> const& first)
      : at0(row_address<T, D>(context.bound->read, *context.bound, first)),
        stride(strides_of<D>(*context.bound)) {}
  KOKKOS_FORCEINLINE_FUNCTION reader<T, D, Watch> at(std::int64_t k, Watch watch) const {
    return {at0 + k, stride, watch};
  }
  void next_row() { at0 += row_step<D>(stride); }
};

template <class T, int D, class Watch, grid_ratio Ratio>
  requires(Ratio != grid_ratio::same)
struct row_view<field_role<T, D, access_role::reads, Ratio>, D, Watch> {
  static constexpr bool is_of_pairs = Ratio == grid_ratio::coarser;

  T const* at0;
  row_strides<D> stride;
  std::int64_t row = 0, first, behind; ///< of the kernel's places on the last axes; of the field's
  row_view(auto const&, row_context<D> const& context, cell_index<D> const& cell)
      : stride(strides_of<D>(*context.bound)) {
    bound_access<D> const& bound = *context.bound;
    at0 = reinterpret_cast<T const*>(bound.read);
    for (int a = 0; a + 1 < D; ++a) {
      row = cell[a] + bound.kernel_first[a];
      at0 += (scaled(row) - bound.field_first[a]) * bound.stride[a];
    }
    first = bound.kernel_first[D - 1];
    behind = bound.field_first[D - 1];
  }
  static std::int64_t scaled(std::int64_t index) {
    return Ratio == grid_ratio::finer ? 2 * index : index >> 1;
  }
  KOKKOS_FORCEINLINE_FUNCTION reader<T, D, Watch> at(std::int64_t k, Watch watch) const {
    return {at0 + (scaled(k + first) - behind), stride, watch};
  }
  void next_row() {
    at0 += (scaled(row + 1) - scaled(row)) * row_step<D>(stride);
    ++row;
  }

  /// True if the places k and k + 1 are a pair, which has the same place of a coarser grid.
  bool has_pair_at(std::int64_t k) const { return ((k + first) & 1) == 0; }
  /// The view of both places of the n-th pair from `k` on.
  KOKKOS_FORCEINLINE_FUNCTION reader<T, D, Watch> at_pair(std::int64_t k, std::int64_t n, int,
                                                          Watch watch) const {
    return {at0 + (scaled(k + first) - behind) + n, stride, watch};
  }
};

template <class T, int D, class Watch>
struct row_view<field_role<T, D, access_role::writes>, D, Watch> {
  written_values<T> at0;
  row_strides<D> stride;
  row_view(auto const&, row_context<D> const& context, cell_index<D> const& first)
      : at0(row_address<T, D>(context.bound->write, *context.bound, first)),
        stride(strides_of<D>(*context.bound)) {}
  KOKKOS_FORCEINLINE_FUNCTION writer<T, D, Watch> at(std::int64_t k, Watch watch) const {
    return {at0 + k, stride, watch};
  }
  void next_row() { at0 += row_step<D>(stride); }
};

template <class T, int D, class Watch>
struct row_view<field_role<T, D, access_role::updates>, D, Watch> {
  T const* from;
  written_values<T> to;
  row_strides<D> stride;
  row_view(auto const&, row_context<D> const& context, cell_index<D> const& first)
      : from(row_address<T, D>(context.bound->read, *context.bound, first)),
        to(row_address<T, D>(context.bound->write, *context.bound, first)),
        stride(strides_of<D>(*context.bound)) {}
  KOKKOS_FORCEINLINE_FUNCTION updater<T, D, Watch> at(std::int64_t k, Watch watch) const {
    return {from + k, to + k, stride, watch};
  }
  void next_row() {
    from += row_step<D>(stride);
    to += row_step<D>(stride);
  }
};

template <class T, int D, class Watch>
struct row_view<field_role<T, D, access_role::modifies>, D, Watch> {
  written_values<T> at0;
  row_strides<D> stride;
  row_view(auto const&, row_context<D> const& context, cell_index<D> const& first)
      : at0(row_address<T, D>(context.bound->write, *context.bound, first)),
        stride(strides_of<D>(*context.bound)) {}
  KOKKOS_FORCEINLINE_FUNCTION updater<T, D, Watch> at(std::int64_t k, Watch watch) const {
    return {at0 + k, at0 + k, stride, watch};
  }
  void next_row() { at0 += row_step<D>(stride); }
};

template <class T, int D, class Watch>
struct row_view<field_role<T, D, access_role::adds>, D, Watch> {
  T* to;
  row_strides<D> stride;
  cell_index<D> added;
  row_view(auto const&, row_context<D> const& context, cell_index<D> const& first)
      : stride(strides_of<D>(*context.bound)), added(context.added) {
    cell_index<D> target = first; // of the cell at which the kernel is called
    for (int a = 0; a < D; ++a)
      target[a] += added[a];
    to = row_address<T, D>(context.bound->write, *context.bound, target);
    if (to != nullptr)
      to += added[D - 1];
  }
  KOKKOS_FORCEINLINE_FUNCTION adder<T, D, Watch> at(std::int64_t k, Watch watch) const {
    return {to + k, added, stride, watch};
  }
};

template <class T, int D, class Watch>
struct row_view<value_role<T>, D, Watch> {
  T value;
  row_view(value_role<T> const& role, row_context<D> const&, cell_index<D> const&)
      : value(role.value->now) {}
  KOKKOS_FORCEINLINE_FUNCTION T at(std::int64_t, Watch) const { return value; }
  void next_row() {}
};

template <class Accumulator, class T, int D, class Watch>
struct row_view<reducing_role<Accumulator, T>, D, Watch> {
  Accumulator* into;
  Accumulator uncounted;
  row_view(auto const&, row_context<D> const& context, cell_index<D> const&)
      : into(context.reduction == nullptr || !context.counts
                 ? nullptr
                 : &static_cast<typed_step_reduction<Accumulator, T>*>(context.reduction)
                        ->of_worker(context.worker)) {}
  KOKKOS_FORCEINLINE_FUNCTION contributor<Accumulator> at(std::int64_t, Watch) {
    return contributor<Accumulator>(into == nullptr ? uncounted : *into);
  }
  void next_row() {}
};

/// The places of a row, for kernels that take theirs.
template <int D>
struct row_of_places {
  cell_index<D> index; ///< of the place with index 0 on the last axis, in the whole domain
  cell_geometry<D> geometry;
  centering on;

  KOKKOS_FORCEINLINE_FUNCTION place<D> at(std::int64_t k, unwatched<D>) const {
    place<D> made{index, &geometry, on};
    made.index[D - 1] += k;
    return made;
  }
  void next_row() { ++index[D > 1 ? D - 2 : 0]; }

  bool has_pair_at(std::int64_t k) const { return ((index[D - 1] + k) & 1) == 0; }
  /// In terms that tell the compiler which of the two places has an even index.
  KOKKOS_FORCEINLINE_FUNCTION place<D> at_pair(std::int64_t k, std::int64_t n, int of_pair,
                                               unwatched<D>) const {
    place<D> made{index, &geometry, on};
    made.index[D - 1] = (((index[D - 1] + k) >> 1) + n) * 2 + of_pair;
    return made;
  }
};

template <class Role>
inline constexpr bool is_field_role = false;
template <class T, int D, access_role Role, grid_ratio Ratio>
inline constexpr bool is_field_role<field_role<T, D, Role, Ratio>> = true;
template <class Role>
inline constexpr bool is_adding = false;
template <class T, int D, grid_ratio Ratio>
inline constexpr bool is_adding<field_role<T, D, access_role::adds, Ratio>> = true;
template <class Role>
inline constexpr bool is_modifying = false;
template <class T, int D, grid_ratio Ratio>
inline constexpr bool is_modifying<field_role<T, D, access_role::modifies, Ratio>> = true;
template <class Role>
inline constexpr bool is_reducing = false;
template <class Accumulator, class T>
inline constexpr bool is_reducing<reducing_role<Accumulator, T>> = true;

/// True if views of the role move from row to row by the same distance.
template <class Role, int D, class Watch>
concept moves_by_rows = requires(row_view<Role, D, Watch>& view) { view.next_row(); };

/// True for views of rows in which two places have one place of a coarser grid.
template <class Row>
concept is_of_pairs = requires { requires Row::is_of_pairs; };

/// True if the places k and k + 1 are a pair for all views that know pairs.
template <class... Rows>
bool have_pair_at(std::int64_t k, Rows const&... rows) {
  auto const has_pair = [k](auto const& row) {
    if constexpr (requires { row.has_pair_at(k); })
      return row.has_pair_at(k);
    else
      return true;
  };
  return (has_pair(rows) && ...);
}

/// The view at the first place, or at the second one, of the n-th pair from `k` on.
template <int OfPair, int D, class Row>
KOKKOS_FORCEINLINE_FUNCTION auto view_in_pair(Row& row, std::int64_t k, std::int64_t n) {
  if constexpr (requires { row.at_pair(k, n, OfPair, unwatched<D>{}); })
    return row.at_pair(k, n, OfPair, unwatched<D>{});
  else
    return row.at(k + 2 * n + OfPair, unwatched<D>{});
}

template <class Role, int D, class Watch>
using view_of = decltype(std::declval<row_view<Role, D, Watch>&>().at(0, std::declval<Watch>()));

} // namespace seam::detail

/// Rows: a kernel's arguments in a row of cells. Bare pointers and distances, which the loop along the
/// row turns into the views that the kernel gets: at(k) is the view at index k on the last axis,
/// next_row() moves the row to the next one along the last axis but one.
#pragma once

#include <seam/stencil/roles/kernel_body.hpp>
#include <seam/stencil/roles/kernel_check.hpp>
#include <seam/stencil/roles/step_roles.hpp>
#include <seam/stencil/roles/step_views.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace seam::detail {

inline bound_access const& bound_of(place_run const& run, kernel_argument const& argument) {
  return run.call->accesses[argument.access];
}

/// The address of the value that a kernel at `first`, with index 0 on the last axis, has as its
/// own.
template <class T>
T* row_address(std::byte* origin, bound_access const& bound, index3 const& first) {
  if (origin == nullptr)
    return nullptr;
  T* at = reinterpret_cast<T*>(origin);
  for (int a = 0; a < 2; ++a)
    at += first[a] * bound.stride[a];
  return at;
}

template <int D>
row_strides<D> strides_of(bound_access const& bound) {
  row_strides<D> strides = unpadded<D>(bound.stride);
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

/// Of fields that are read.
template <class T, int D>
struct row_to_read {
  T const* at0;
  row_strides<D> stride;
  row_to_read(place_run const& run, kernel_argument const& argument)
      : at0(row_address<T>(bound_of(run, argument).read, bound_of(run, argument), run.first)),
        stride(strides_of<D>(bound_of(run, argument))) {}
  template <class Watch = unwatched<D>>
  KOKKOS_FORCEINLINE_FUNCTION reader<T, D, Watch> at(std::int64_t k, Watch watch = {}) const {
    return {at0 + k, stride, watch};
  }
  void next_row() { at0 += row_step<D>(stride); }
};

/// Of fields on a grid with twice or half as many cells.
template <class T, int D, grid_ratio Ratio>
struct row_between_grids {
  static constexpr bool is_of_pairs = Ratio == grid_ratio::coarser;

  T const* at0;
  row_strides<D> stride;
  std::int64_t row = 0, first, behind; ///< of the kernel's places on the last axes; of the field's
  row_between_grids(place_run const& run, kernel_argument const& argument)
      : stride(strides_of<D>(bound_of(run, argument))) {
    bound_access const& bound = bound_of(run, argument);
    at0 = reinterpret_cast<T const*>(bound.read);
    for (int a = 0; a < 2; ++a) {
      row = run.first[a] + bound.kernel_first[a];
      at0 += (scaled(row) - bound.field_first[a]) * bound.stride[a];
    }
    first = bound.kernel_first[2];
    behind = bound.field_first[2];
  }
  static std::int64_t scaled(std::int64_t index) {
    return Ratio == grid_ratio::finer ? 2 * index : index >> 1;
  }
  template <class Watch = unwatched<D>>
  KOKKOS_FORCEINLINE_FUNCTION reader<T, D, Watch> at(std::int64_t k, Watch watch = {}) const {
    return {at0 + (scaled(k + first) - behind), stride, watch};
  }
  void next_row() {
    at0 += (scaled(row + 1) - scaled(row)) * row_step<D>(stride);
    ++row;
  }

  /// True if the places k and k + 1 are a pair, which has the same place of a coarser grid.
  bool has_pair_at(std::int64_t k) const { return ((k + first) & 1) == 0; }
  /// The view of both places of the n-th pair from `k` on.
  KOKKOS_FORCEINLINE_FUNCTION reader<T, D> at_pair(std::int64_t k, std::int64_t n, int) const {
    return {at0 + (scaled(k + first) - behind) + n, stride};
  }
};

/// Of fields that are written.
template <class T, int D>
struct row_to_write {
  written_values<T> at0;
  row_strides<D> stride;
  row_to_write(place_run const& run, kernel_argument const& argument)
      : at0(row_address<T>(bound_of(run, argument).write, bound_of(run, argument), run.first)),
        stride(strides_of<D>(bound_of(run, argument))) {}
  template <class Watch = unwatched<D>>
  KOKKOS_FORCEINLINE_FUNCTION writer<T, D, Watch> at(std::int64_t k, Watch watch = {}) const {
    return {at0 + k, stride, watch};
  }
  void next_row() { at0 += row_step<D>(stride); }
};

/// Of fields whose new values lie beside the old ones.
template <class T, int D>
struct row_to_update {
  T const* from;
  written_values<T> to;
  row_strides<D> stride;
  row_to_update(place_run const& run, kernel_argument const& argument)
      : from(row_address<T>(bound_of(run, argument).read, bound_of(run, argument), run.first)),
        to(row_address<T>(bound_of(run, argument).write, bound_of(run, argument), run.first)),
        stride(strides_of<D>(bound_of(run, argument))) {}
  template <class Watch = unwatched<D>>
  KOKKOS_FORCEINLINE_FUNCTION updater<T, D, Watch> at(std::int64_t k, Watch watch = {}) const {
    return {from + k, to + k, stride, watch};
  }
  void next_row() {
    from += row_step<D>(stride);
    to += row_step<D>(stride);
  }
};

/// Of fields that are modified in place.
/// @tparam AtOffsets  the kernel reads them at other places, too, of another color or before and behind it
template <class T, int D, bool AtOffsets>
struct row_to_modify {
  static constexpr bool is_ordered = AtOffsets;

  written_values<T> at0;
  row_strides<D> stride;
  row_to_modify(place_run const& run, kernel_argument const& argument)
      : at0(row_address<T>(bound_of(run, argument).write, bound_of(run, argument), run.first)),
        stride(strides_of<D>(bound_of(run, argument))) {}
  template <class Watch = unwatched<D>>
  KOKKOS_FORCEINLINE_FUNCTION updater<T, D, Watch> at(std::int64_t k, Watch watch = {}) const {
    return {at0 + k, at0 + k, stride, watch};
  }
  void next_row() { at0 += row_step<D>(stride); }
};

/// Of fields to which the kernel adds.
template <class T, int D>
struct row_to_add {
  static constexpr bool is_adding = true;

  T* to;
  row_strides<D> stride;
  cell_index<D> added;
  row_to_add(place_run const& run, kernel_argument const& argument)
      : stride(strides_of<D>(bound_of(run, argument))), added(unpadded<D>(run.added)) {
    index3 target = run.first; // of the cell at which the kernel is called
    for (int a = 0; a < 3; ++a)
      target[a] += run.added[a];
    to = row_address<T>(bound_of(run, argument).write, bound_of(run, argument), target);
    if (to != nullptr)
      to += run.added[2];
  }
  template <class Watch = unwatched<D>>
  KOKKOS_FORCEINLINE_FUNCTION adder<T, D, Watch> at(std::int64_t k, Watch watch = {}) const {
    return {to + k, added, stride, watch};
  }
  void next_row() { to += row_step<D>(stride); }
};

template <class T, int D>
struct row_of_value {
  T value;
  row_of_value(place_run const&, kernel_argument const& argument)
      : value(static_cast<typed_step_value<T> const*>(argument.value)->now) {}
  template <class Watch = unwatched<D>>
  KOKKOS_FORCEINLINE_FUNCTION T at(std::int64_t, Watch = {}) const {
    return value;
  }
  void next_row() {}
};

/// Of values to which the kernel contributes. Small accumulators are copied into the loop's own, which
/// no store to a field changes; end() merges them.
template <class Accumulator, class T, int D>
struct row_to_reduce {
  static constexpr bool is_small = is_small_accumulator<Accumulator>;
  static constexpr bool is_located = requires { requires Accumulator::is_located; };

  struct none {};

  Accumulator* into = nullptr; ///< null: other ranks count these places
  std::conditional_t<is_small, Accumulator, none> own;
  cell_index<D> index; ///< of the place with index 0 on the last axis, in the whole domain
  row_to_reduce(place_run const& run, kernel_argument const& argument)
      : index(unpadded<D>(run.row)) {
    if (run.call->counts)
      into = &static_cast<typed_step_reduction<Accumulator, T>*>(argument.reduction)
                  ->of_worker(run.call->worker);
  }
  template <class Watch = unwatched<D>>
  KOKKOS_FORCEINLINE_FUNCTION auto at(std::int64_t k, Watch = {}) {
    if constexpr (is_located) {
      cell_index<D> at = index;
      at[D - 1] += k;
      return located_contributor<Accumulator, D>(own, at);
    } else {
      return contributor<Accumulator>(own_or_shared());
    }
  }
  void next_row() { ++index[D > 1 ? D - 2 : 0]; }

  /// After the last place.
  void end() {
    if constexpr (is_small)
      if (into != nullptr)
        into->merge(own);
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION Accumulator* own_or_shared() {
    if constexpr (is_small)
      return &own;
    else
      return into;
  }
};

/// The places of a row, for kernels that take theirs.
template <int D>
struct row_of_places {
  cell_index<D> index; ///< of the place with index 0 on the last axis, in the whole domain
  cell_geometry<D> geometry;
  centering on;
  explicit row_of_places(place_run const& run)
      : index(unpadded<D>(run.row)), geometry(geometry_of<D>(*run.space)), on(run.on) {}

  KOKKOS_FORCEINLINE_FUNCTION place<D> at(std::int64_t k) const {
    place<D> made{index, &geometry, on};
    made.index[D - 1] += k;
    return made;
  }
  void next_row() { ++index[D > 1 ? D - 2 : 0]; }

  bool has_pair_at(std::int64_t k) const { return ((index[D - 1] + k) & 1) == 0; }
  /// In terms that tell the compiler which of the two places has an even index.
  KOKKOS_FORCEINLINE_FUNCTION place<D> at_pair(std::int64_t k, std::int64_t n, int of_pair) const {
    place<D> made{index, &geometry, on};
    made.index[D - 1] = (((index[D - 1] + k) >> 1) + n) * 2 + of_pair;
    return made;
  }
};

/// The row of a role.
template <class T, int D, access_role Role, grid_ratio Ratio>
constexpr auto type_of_row() {
  constexpr role_traits traits = traits_of(Role);
  if constexpr (Ratio != grid_ratio::same)
    return std::type_identity<row_between_grids<T, D, Ratio>>{};
  else if constexpr (traits.adds)
    return std::type_identity<row_to_add<T, D>>{};
  else if constexpr (!traits.writes)
    return std::type_identity<row_to_read<T, D>>{};
  else if constexpr (!traits.reads)
    return std::type_identity<row_to_write<T, D>>{};
  else if constexpr (traits.keeps)
    return std::type_identity<row_to_modify<T, D, traits.at_offsets>>{};
  else
    return std::type_identity<row_to_update<T, D>>{};
}

template <class Role, int D>
struct row_of_role : check_role<Role, D> {};
template <class T, int D, access_role Role, grid_ratio Ratio>
struct row_of_role<field_role<T, D, Role, Ratio>, D> : decltype(type_of_row<T, D, Role, Ratio>()) {
};
template <class T, int D>
struct row_of_role<value_role<T>, D> : std::type_identity<row_of_value<T, D>> {};
template <class Accumulator, class T, int D>
struct row_of_role<reducing_role<Accumulator, T>, D>
    : std::type_identity<row_to_reduce<Accumulator, T, D>> {};

/// True for rows of values that the kernel changes in an order.
template <class Row>
concept is_ordered_row = requires { requires Row::is_ordered; };

template <class Row>
concept is_adding_row = requires { requires Row::is_adding; };

/// True for rows whose views know their places.
template <class Row>
concept is_located_row = requires { requires Row::is_located; };

/// Ends a row, if that has an effect.
template <class Row>
KOKKOS_FORCEINLINE_FUNCTION void end_row(Row& row) {
  if constexpr (requires { row.end(); })
    row.end();
}

/// True for rows in which two places have one place of a coarser grid.
template <class Row>
concept is_of_pairs = requires { requires Row::is_of_pairs; };

/// True if the places k and k + 1 are a pair for all rows that know pairs.
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
template <int OfPair, class Row>
KOKKOS_FORCEINLINE_FUNCTION auto view_in_pair(Row& row, std::int64_t k, std::int64_t n) {
  if constexpr (requires { row.at_pair(k, n, OfPair); })
    return row.at_pair(k, n, OfPair);
  else
    return row.at(k + 2 * n + OfPair);
}

template <class Row, class Watch>
using view_of = decltype(std::declval<Row&>().at(0, Watch{}));

} // namespace seam::detail

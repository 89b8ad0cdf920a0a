/// Field views: how kernels read and write a field, by indices relative to the block.
///
///     index         -2  -1 |  0   1  ...  n-1 |  n  n+1
///                   ghosts | this rank's own  | ghosts
#pragma once

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/steps/regions/box.hpp>
#include <seam/exchange/steps/stamps/view_watch.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <string>

namespace seam {

/// Access of a kernel to a field's block. Copied freely; valid while the field keeps its storage.
///
/// Index 0 on every axis is the first cell that this rank owns; ghosts have negative indices and
/// indices from the block's extent on. A checked program ends with a message on an index beyond the
/// ghosts, which are as wide on each axis as the neighborhood reaches along it, and on a read of a
/// ghost that is out of date: one whose field has been written since the last exchange, or that no
/// exchange and no condition on a border has filled. It finds out about references that a view of
/// values that are not const hands out with the next access of the field by the same thread.
///
/// @tparam Watch  what a checked program is told of accesses
template <class T, int D, class Watch = detail::view_watch<T>>
class field_view {
public:
  field_view() = default;

  /// @param origin  address of the first owned cell
  /// @param local   owned cells and ghosts, in indices of this view; the last axis is contiguous
  field_view(T* origin, box<D> const& local, Watch watch = {})
      : origin_(origin), local_(local), watch_(watch) {
    std::int64_t step = 1;
    for (int a = D - 1; a >= 0; --a) {
      stride_[a] = step;
      step *= local.extent(a);
    }
  }

  /// A view that only reads.
  operator field_view<T const, D, typename Watch::template of<T const>>() const
    requires(!std::is_const_v<T>)
  {
    return {origin_, local_, watch_};
  }

  /// The value at `indices`, one for each axis, slowest first.
  template <std::integral... Index>
    requires(sizeof...(Index) == D)
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(Index... indices) const {
    return (*this)[cell_index<D>{static_cast<std::int64_t>(indices)...}];
  }

  KOKKOS_FORCEINLINE_FUNCTION T& operator[](cell_index<D> const& at) const {
    SEAM_ASSERT(local_.contains(at), out_of_range(at));
    std::int64_t const place = offset(at);
    watch_.take(place);
    return origin_[place];
  }

  /// The address of `count` values that follow each other along the last axis, from `first` on: to be
  /// read, or, where T is not const, to be written, too. A checked program takes it for an access of
  /// all of them; ghosts of a view that writes count as filled.
  KOKKOS_FORCEINLINE_FUNCTION T* row(cell_index<D> const& first, std::int64_t count) const {
    SEAM_ASSERT(local_.contains(first) && first[D - 1] + count <= local_.hi[D - 1],
                out_of_range(first));
    std::int64_t const place = offset(first);
    watch_.take_row(place, count);
    return origin_ + place;
  }

  /// Owned cells and ghosts, in indices of this view.
  box<D> const& local() const noexcept { return local_; }

private:
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t offset(cell_index<D> const& at) const {
    std::int64_t sum = at[D - 1];
    for (int a = 0; a + 1 < D; ++a)
      sum += at[a] * stride_[a];
    return sum;
  }

  std::string out_of_range(cell_index<D> const& at) const {
    std::string text = "the kernel reads or writes index";
    for (int a = 0; a < D; ++a) // appended piece by piece, since GCC 12 warns of sums in vain
      text.append(" ")
          .append(std::to_string(at[a]))
          .append(" of [")
          .append(std::to_string(local_.lo[a]))
          .append(", ")
          .append(std::to_string(local_.hi[a]))
          .append(")");
    return text + ": beyond the ghosts that the neighborhood declares";
  }

  T* origin_ = nullptr;
  cell_index<D> stride_{};
  box<D> local_{};
  [[no_unique_address]] Watch watch_;
};

namespace detail {

/// A view that is never checked.
template <class T, int D>
using bare_view = field_view<T, D, no_watch<T>>;

} // namespace detail
} // namespace seam

/// Field views: how kernels read and write a field, by indices relative to the block.
///
///     index         -2  -1 |  0   1  ...  n-1 |  n  n+1
///                   ghosts | this rank's own  | ghosts
#pragma once

#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/box.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <string>

namespace seam {

/// Access of a kernel to a field's block. Copied freely; valid while the field keeps its storage.
///
/// Index 0 on every axis is the first cell that this rank owns; ghosts have negative indices and
/// indices from the block's extent on. A checked build ends with a message on an index beyond the
/// ghosts, which are as wide on each axis as the neighborhood reaches along it.
template <class T, int D>
class field_view {
public:
  field_view() = default;

  /// @param origin  address of the first owned cell
  /// @param local   owned cells and ghosts, in indices of this view; the last axis is contiguous
  field_view(T* origin, box<D> const& local) : origin_(origin), local_(local) {
    std::int64_t step = 1;
    for (int a = D - 1; a >= 0; --a) {
      stride_[a] = step;
      step *= local.extent(a);
    }
  }

  /// A view that only reads.
  operator field_view<T const, D>() const
    requires(!std::is_const_v<T>)
  {
    return {origin_, local_};
  }

  /// The value at `indices`, one for each axis, slowest first.
  template <std::integral... Index>
    requires(sizeof...(Index) == D)
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(Index... indices) const {
    return (*this)[cell_index<D>{static_cast<std::int64_t>(indices)...}];
  }

  KOKKOS_FORCEINLINE_FUNCTION T& operator[](cell_index<D> const& at) const {
    SEAM_ASSERT(local_.contains(at), out_of_range(at));
    return origin_[offset(at)];
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
    for (int a = 0; a < D; ++a)
      text += " " + std::to_string(at[a]) + " of [" + std::to_string(local_.lo[a]) + ", " +
              std::to_string(local_.hi[a]) + ")";
    return text + ": beyond the ghosts that the neighborhood declares";
  }

  T* origin_ = nullptr;
  cell_index<D> stride_{};
  box<D> local_{};
};

} // namespace seam

/// Contributors: how a kernel of steps contributes to a value that all ranks will know.
#pragma once

#include <Kokkos_Macros.hpp>

namespace seam {
namespace detail {

/// True for accumulators of which each loop has one of its own.
template <class Accumulator>
inline constexpr bool is_small_accumulator = sizeof(Accumulator) <= 64;

} // namespace detail

/// Contributes to a value that all ranks will know.
template <class Accumulator>
class contributor {
public:
  /// @param into  null for large accumulators whose values other ranks count
  explicit contributor(Accumulator* into) : into_(into) {}

  KOKKOS_FORCEINLINE_FUNCTION void operator()(typename Accumulator::value_type value) const {
    if (detail::is_small_accumulator<Accumulator> || into_ != nullptr)
      into_->add(value);
  }

private:
  Accumulator* into_;
};

} // namespace seam

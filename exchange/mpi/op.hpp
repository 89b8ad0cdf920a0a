/// MPI's names for reductions written in C++: standard function objects, MPI's own operations, and
/// function objects of the user.
#pragma once

#include <seam/exchange/mpi/check.hpp>
#include <seam/exchange/mpi/datatype.hpp>

#include <algorithm>
#include <concepts>
#include <functional>
#include <type_traits>

namespace seam {

/// The smaller of two values, as std::plus is their sum.
struct minimum {
  template <class T>
  constexpr T operator()(T const& a, T const& b) const {
    return std::min(a, b);
  }
};

/// The larger of two values.
struct maximum {
  template <class T>
  constexpr T operator()(T const& a, T const& b) const {
    return std::max(a, b);
  }
};

namespace mpi {

/// An MPI operation that calls a function object without state, left operand first. It is taken
/// for associative, but not for commutative. One for each T and F, for the whole run.
template <class T, class F>
MPI_Op op_calling() {
  static_assert(std::is_empty_v<F> && std::is_default_constructible_v<F>,
                "MPI's operations cannot carry state: pass a function object without captures");
  static auto const op = [] {
    MPI_User_function* const apply = [](void* left, void* into, int* count, MPI_Datatype*) {
      auto const* from = static_cast<T const*>(left);
      auto* to = static_cast<T*>(into);
      for (int i = 0; i < *count; ++i)
        to[i] = F{}(from[i], to[i]);
    };
    constexpr int commutes = 0;
    MPI_Op made = MPI_OP_NULL;
    check(MPI_Op_create(apply, commutes, &made), "MPI_Op_create");
    return made;
  }();
  return op;
}

/// True for `Standard<>` and `Standard<T>`.
template <class F, class T, template <class> class Standard>
concept is_standard = std::same_as<F, Standard<void>> || std::same_as<F, Standard<T>>;

/// The MPI operation for `how` on elements of type T.
template <class T, class F>
MPI_Op op_of(F how) {
  if constexpr (std::same_as<F, MPI_Op>)
    return how;
  else if constexpr (is_standard<F, T, std::plus>)
    return MPI_SUM;
  else if constexpr (is_standard<F, T, std::multiplies>)
    return MPI_PROD;
  else if constexpr (is_standard<F, T, std::logical_and>)
    return MPI_LAND;
  else if constexpr (is_standard<F, T, std::logical_or>)
    return MPI_LOR;
  else if constexpr (is_standard<F, T, std::bit_and>)
    return MPI_BAND;
  else if constexpr (is_standard<F, T, std::bit_or>)
    return MPI_BOR;
  else if constexpr (is_standard<F, T, std::bit_xor>)
    return MPI_BXOR;
  else if constexpr (std::same_as<F, minimum>)
    return MPI_MIN;
  else if constexpr (std::same_as<F, maximum>)
    return MPI_MAX;
  else
    return op_calling<T, F>();
}

} // namespace mpi
} // namespace seam

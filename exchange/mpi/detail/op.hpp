/// MPI's operations for reductions written in C++: standard function objects, MPI's own operations,
/// and function objects of the user.
#pragma once

#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/detail/datatype.hpp>
#include <seam/exchange/mpi/detail/names.hpp>

#include <algorithm>
#include <complex>
#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <typeinfo>

namespace seam {

/// The smaller of two values, as std::plus is their sum.
struct smaller {
  template <class T>
  constexpr T operator()(T const& a, T const& b) const {
    return std::min(a, b);
  }
};

/// The larger of two values.
struct larger {
  template <class T>
  constexpr T operator()(T const& a, T const& b) const {
    return std::max(a, b);
  }
};

namespace mpi {

/// An MPI operation that calls a function object without state, left operand first. It is taken
/// for associative, but not for commutative. There is one for each T and F, until the program ends.
template <class T, class F>
MPI_Op op_calling() {
  static_assert(std::is_empty_v<F> && std::is_default_constructible_v<F>,
                "MPI's operations cannot carry state: pass a function object without captures");
  static auto const op = [] {
    MPI_User_function* const apply = [](void* left, void* into, int* count, MPI_Datatype*) {
      auto const* from = static_cast<T const*>(left);
      auto* to = static_cast<T*>(into);
      for (int i = 0; i < *count; ++i)
        to[i] = static_cast<T>(F{}(from[i], to[i]));
    };
    constexpr int commutes = 0;
    MPI_Op made = MPI_OP_NULL;
    check(MPI_Op_create(apply, commutes, &made), "MPI_Op_create");
    keep_name(made, typeid(F).name());
    return made;
  }();
  return op;
}

/// True for `Standard<>` and `Standard<T>`.
template <class F, class T, template <class> class Standard>
concept is_standard = std::same_as<F, Standard<void>> || std::same_as<F, Standard<T>>;

// MPI defines each of its operations only for some kinds of types.

template <class T>
inline constexpr bool is_integer_of_mpi =
    std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

template <class T>
inline constexpr bool is_ordered_by_mpi = is_integer_of_mpi<T> || std::floating_point<T>;
template <class T>
inline constexpr bool is_added_by_mpi = is_ordered_by_mpi<T> || is_complex<T>;
template <class T>
inline constexpr bool is_logical_for_mpi = is_integer_of_mpi<T> || std::same_as<T, bool>;
template <class T>
inline constexpr bool has_bits_for_mpi = is_integer_of_mpi<T> || std::same_as<T, std::byte>;

/// The MPI operation for `how` on elements of type T: MPI's own where it is defined for T.
template <class T, class F>
MPI_Op op_of(F how) {
  if constexpr (std::same_as<F, MPI_Op>)
    return how;
  else if constexpr (is_standard<F, T, std::plus> && is_added_by_mpi<T>)
    return MPI_SUM;
  else if constexpr (is_standard<F, T, std::multiplies> && is_added_by_mpi<T>)
    return MPI_PROD;
  else if constexpr (is_standard<F, T, std::logical_and> && is_logical_for_mpi<T>)
    return MPI_LAND;
  else if constexpr (is_standard<F, T, std::logical_or> && is_logical_for_mpi<T>)
    return MPI_LOR;
  else if constexpr (is_standard<F, T, std::bit_and> && has_bits_for_mpi<T>)
    return MPI_BAND;
  else if constexpr (is_standard<F, T, std::bit_or> && has_bits_for_mpi<T>)
    return MPI_BOR;
  else if constexpr (is_standard<F, T, std::bit_xor> && has_bits_for_mpi<T>)
    return MPI_BXOR;
  else if constexpr (std::same_as<F, smaller> && is_ordered_by_mpi<T>)
    return MPI_MIN;
  else if constexpr (std::same_as<F, larger> && is_ordered_by_mpi<T>)
    return MPI_MAX;
  else
    return op_calling<T, F>();
}

} // namespace mpi
} // namespace seam

/// Reductions: how an arriving element is combined with the element in its place.
#pragma once

#include <seam/exchange/ground/error.hpp>

#include <mpi.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace seam {

/// How a value changes when another arrives for it.
enum class reduction { replace, sum, min, max };

} // namespace seam

namespace seam::detail {

/// Combines arriving elements into those in their place: a function and its context. An empty
/// combiner replaces.
class combiner {
public:
  /// Combines `bytes` of elements at `from` into those at `into`.
  using function = void (*)(void const* context, std::byte* into, std::byte const* from,
                            std::int64_t bytes);

  combiner() = default;
  combiner(std::nullptr_t) {}
  explicit combiner(function apply, std::shared_ptr<void const> context = nullptr)
      : apply_(apply), context_(std::move(context)) {}

  void operator()(std::byte* into, std::byte const* from, std::int64_t bytes) const {
    apply_(context_.get(), into, from, bytes);
  }

  friend bool operator==(combiner const& a, std::nullptr_t) { return a.apply_ == nullptr; }
  friend bool operator==(combiner const& a, combiner const& b) = default;

private:
  function apply_ = nullptr;
  std::shared_ptr<void const> context_;
};

/// Types whose values can be added up: a + b becomes a T.
template <class T>
concept summable = requires(T const& a, T const& b) { static_cast<T>(a + b); };

/// Types whose values can be ordered: a < b is true or false.
template <class T>
concept ordered = requires(T const& a, T const& b) { static_cast<bool>(a < b); };

/// The sum; integers wrap around beyond their type, as MPI's sums do.
template <summable T>
T sum_of(T const& a, T const& b) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) +
                          static_cast<std::make_unsigned_t<T>>(b));
  else
    return static_cast<T>(a + b);
}

/// The T whose bytes lie at `from`, which need not be aligned.
template <class T>
T element_at(std::byte const* from) {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), from, sizeof(T));
  return std::bit_cast<T>(bytes);
}

template <class T, class Combine>
combiner combining(Combine) {
  return combiner([](void const*, std::byte* into, std::byte const* from, std::int64_t bytes) {
    for (std::int64_t at = 0; at < bytes; at += std::int64_t{sizeof(T)}) {
      T const both = Combine{}(element_at<T>(into + at), element_at<T>(from + at));
      std::memcpy(into + at, &both, sizeof(T));
    }
  });
}

[[noreturn]] inline void refuse_to_combine(char const* how, char const* operation,
                                           std::size_t element_bytes) {
  refuse("exchange: reduction::" + std::string(how) + " of elements of " +
         std::to_string(element_bytes) + " bytes whose type has no " + operation +
         " (expected a type that has it, or reduction::replace)");
}

/// The combiner for elements of type T. Neither side needs to be aligned: the wire packs fields of
/// all types one after another.
/// @throws usage_error  T has no + for a sum, or no < for a minimum or maximum
/// Local.
template <class T>
combiner combiner_of(reduction how) {
  static_assert(std::is_trivially_copyable_v<T>, "what is exchanged travels as plain bytes");
  if (how == reduction::replace)
    return nullptr;
  if (how == reduction::sum) {
    if constexpr (summable<T>)
      return combining<T>([](T const& a, T const& b) { return sum_of(a, b); });
    else
      refuse_to_combine("sum", "+", sizeof(T));
  }
  if constexpr (!ordered<T>)
    refuse_to_combine(how == reduction::min ? "min" : "max", "<", sizeof(T));
  else if (how == reduction::min)
    return combining<T>([](T const& a, T const& b) { return b < a ? b : a; });
  else
    return combining<T>([](T const& a, T const& b) { return a < b ? b : a; });
}

/// The combiner into = from op into, for contiguous elements of `type`. Local.
combiner combiner_of(MPI_Op op, MPI_Datatype type);

} // namespace seam::detail

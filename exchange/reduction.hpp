/// Reductions: how an arriving element meets the one that is there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

namespace seam {

/// What becomes of a value when another arrives for it.
enum class reduction { replace, sum, min, max };

/// Combines elements that arrive into those that are there: a function, and what it needs to know.
/// An empty combiner replaces.
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

  friend bool operator==(combiner const& one, std::nullptr_t) { return one.apply_ == nullptr; }

private:
  function apply_ = nullptr;
  std::shared_ptr<void const> context_;
};

/// Integers go round where their sum is beyond their type, as MPI's do.
template <class T>
T sum_of(T a, T b) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) +
                          static_cast<std::make_unsigned_t<T>>(b));
  else
    return static_cast<T>(a + b);
}

/// The combiner for elements of type T. Neither side needs to be aligned: the wire packs fields of
/// all types one behind the other.
template <class T>
combiner combiner_of(reduction how) {
  auto const each = []<class Combine>(Combine) -> combiner {
    return combiner([](void const*, std::byte* into, std::byte const* from, std::int64_t bytes) {
      for (std::int64_t at = 0; at < bytes; at += std::int64_t{sizeof(T)}) {
        T there, arriving;
        std::memcpy(&there, into + at, sizeof(T));
        std::memcpy(&arriving, from + at, sizeof(T));
        there = Combine{}(there, arriving);
        std::memcpy(into + at, &there, sizeof(T));
      }
    });
  };
  switch (how) {
  case reduction::sum: return each([](T a, T b) { return sum_of(a, b); });
  case reduction::min: return each([](T a, T b) { return b < a ? b : a; });
  case reduction::max: return each([](T a, T b) { return a < b ? b : a; });
  case reduction::replace: break;
  }
  return nullptr;
}

} // namespace seam

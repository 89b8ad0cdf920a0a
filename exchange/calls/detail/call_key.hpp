/// What tells calls of collectives apart, so that those that repeat each other share a plan.
#pragma once

#include <seam/exchange/schedule/datatype_blocks.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace seam {

/// What the plan of a call depends on besides the communicator, in numbers: calls with the same
/// name and key share one.
class call_key {
public:
  /// Leaves its room as it is, where a default constructor would fill it with zeros.
  // NOLINTNEXTLINE(modernize-use-equals-default)
  call_key() noexcept {}
  call_key(call_key const& other) : many_(other.many_), length_(other.length_) { take_few(other); }
  call_key(call_key&& other) noexcept : many_(std::move(other.many_)), length_(other.length_) {
    take_few(other);
  }
  call_key& operator=(call_key other) noexcept {
    many_ = std::move(other.many_);
    length_ = other.length_;
    take_few(other);
    return *this;
  }
  ~call_key() = default;

  /// Of a call with these buffers, and a root or an operation.
  template <class... More>
  explicit call_key(elements const& send, elements const& receive, More... more) {
    append(send);
    append(receive);
    (append(number_of(more)), ...);
  }

  /// Of a call with these lists of blocks, each with its length.
  template <class... More>
  call_key(std::span<elements const> sends, std::span<elements const> receives, More... more) {
    (append(number_of(more)), ...);
    append_list(sends);
    append_list(receives);
  }

  /// The same call with so many elements in each block.
  void append_counts(std::span<int const> counts);

  bool is_empty() const noexcept { return length_ == 0; }
  friend bool operator==(call_key const& a, call_key const& b) noexcept {
    return std::ranges::equal(a.numbers(), b.numbers());
  }

private:
  void append_list(std::span<elements const> blocks);
  void append(elements const& what);

  /// Handles are pointers in one MPI library and numbers in another.
  template <class Handle>
  static std::uintptr_t number_of(Handle handle) {
    if constexpr (std::is_pointer_v<Handle>)
      return reinterpret_cast<std::uintptr_t>(handle);
    else
      return static_cast<std::uintptr_t>(handle);
  }

  void take_few(call_key const& other) noexcept {
    if (length_ <= few_.size())
      std::copy_n(other.few_.begin(), length_, few_.begin());
  }

  /// Makes room for `count` numbers more.
  std::uintptr_t* extend(std::size_t count);
  void append(std::uintptr_t number) { *extend(1) = number; }

  std::span<std::uintptr_t const> numbers() const noexcept {
    return {many_.empty() ? few_.data() : many_.data(), length_};
  }

  std::array<std::uintptr_t, 36> few_; ///< of 26 blocks by their counts are as few
  std::vector<std::uintptr_t> many_;   ///< all of them, if they are more
  std::size_t length_ = 0;
};

} // namespace seam

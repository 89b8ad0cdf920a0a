/// Keys of calls of collectives: calls with equal keys share a plan.
#pragma once

#include <seam/exchange/mpi/detail/type_number.hpp>
#include <seam/exchange/schedule/detail/datatype_blocks.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace seam::detail {

/// The arguments that the plan of a call depends on besides the communicator, as numbers: calls
/// with the same name and key share one plan.
class call_key {
public:
  /// Leaves the array uninitialized; a defaulted constructor would fill it with zeros.
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

  /// Adds the buffers of a call, and a root or an operation.
  template <class... More>
  void add(elements const& send, elements const& receive, More... more) {
    append(send);
    append(receive);
    (append(mpi::number_of_handle(more)), ...);
  }

  /// Adds the lists of blocks of a call, each with its length, and a root.
  template <class... More>
  void add_lists(std::span<elements const> sends, std::span<elements const> receives,
                 More... more) {
    (append(mpi::number_of_handle(more)), ...);
    append_list(sends);
    append_list(receives);
  }

  /// Adds the number of elements of each block.
  void add_counts(std::span<int const> counts);

  bool is_empty() const noexcept { return length_ == 0; }
  friend bool operator==(call_key const& a, call_key const& b) noexcept;

private:
  void append_list(std::span<elements const> blocks);
  void append(elements const& values) {
    append(reinterpret_cast<std::uintptr_t>(values.data));
    append(static_cast<std::uintptr_t>(values.count));
    append(mpi::number_of_type(values.type));
  }

  void take_few(call_key const& other) noexcept;

  /// Appends `count` numbers; returns the first, to be written.
  std::uintptr_t* extend(std::ptrdiff_t count);
  void append(std::uintptr_t number) {
    if (length_ < most_few) [[likely]]
      few_[length_++] = number;
    else
      *extend(1) = number;
  }

  std::uintptr_t const* numbers() const noexcept {
    return many_.empty() ? few_.data() : many_.data();
  }

  static constexpr std::ptrdiff_t most_few = 36; ///< enough for 26 blocks by their counts
  std::array<std::uintptr_t, most_few> few_;
  std::vector<std::uintptr_t> many_; ///< all numbers, if they do not fit into `few_`
  std::ptrdiff_t length_ = 0;
};

} // namespace seam::detail

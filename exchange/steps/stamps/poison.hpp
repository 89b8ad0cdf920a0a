/// Poison: what a value that is out of date is replaced by when a caller gets a reference to it. Who
/// leaves it as it is has read it, who replaces it has written.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace seam::detail {

/// The poison of one buffer's elements. Not-a-numbers with a payload; elements of less than four bytes
/// may be poison by chance, so theirs changes each time, and several in turn are evidence.
/// Threads: any.
class poison {
public:
  /// @param is_bool  true if there are but two values
  poison(std::int64_t element_bytes, bool is_bool) noexcept;

  void put(std::byte* element) const;

  /// True if a caller may by chance have written what the poison was.
  bool may_be_chance() const noexcept { return bits_ < enough_bits; }

  /// Notes whether a caller has replaced poison.
  /// @return  true if now there is evidence that it has been read
  bool is_read(bool has_changed) noexcept;

private:
  static constexpr int enough_bits = 32;

  std::int64_t element_bytes_;
  int bits_; ///< of evidence that an element which is left as poison gives for a read
  std::atomic<int> evidence_{0}; ///< [bits]
};

} // namespace seam::detail

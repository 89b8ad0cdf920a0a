/// How far a message that its receiver cannot read in place has been packed, in one word.
#pragma once

#include <cstdint>

namespace seam {

/// Words of an epoch, and of bytes below 2 to the power of `Bits`. Of the epoch the other bits are
/// kept.
template <int Bits>
struct epoch_bytes {
  static constexpr std::uint64_t of(std::uint64_t epoch, std::int64_t bytes) {
    return epoch << Bits | static_cast<std::uint64_t>(bytes);
  }

  static constexpr std::int64_t bytes_of(std::uint64_t word) {
    return static_cast<std::int64_t>(word & ((std::uint64_t{1} << Bits) - 1));
  }

  /// The bytes of `epoch` that `word` tells of; 0 if it tells of another one.
  static constexpr std::int64_t bytes_in(std::uint64_t word, std::uint64_t epoch) {
    std::int64_t const bytes = bytes_of(word);
    return word == of(epoch, bytes) ? bytes : 0;
  }
};

} // namespace seam

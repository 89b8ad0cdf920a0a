/// Words that tell how many bytes of a message its sender has packed, and in which epoch.
#pragma once

#include <cstdint>

namespace seam {

/// Words of an epoch and a number of bytes below 2^Bits. The epoch keeps its lowest 64 - Bits bits.
template <int Bits>
struct epoch_bytes {
  static constexpr std::uint64_t of(std::uint64_t epoch, std::int64_t bytes) {
    return epoch << Bits | static_cast<std::uint64_t>(bytes);
  }

  static constexpr std::int64_t bytes_of(std::uint64_t word) {
    return static_cast<std::int64_t>(word & ((std::uint64_t{1} << Bits) - 1));
  }

  /// The bytes in `word` if it is of `epoch`, otherwise 0.
  static constexpr std::int64_t bytes_in(std::uint64_t word, std::uint64_t epoch) {
    std::int64_t const bytes = bytes_of(word);
    return word == of(epoch, bytes) ? bytes : 0;
  }
};

} // namespace seam

/// A check of lengths: a small number that both ends of messages compute from their lengths.
#pragma once

#include <cstdint>

namespace seam::detail {

/// A number below 65536 that most probably differs if the lengths do, or their order. [bytes]
class length_check {
public:
  void add(std::int64_t bytes) noexcept {
    digest_ = (digest_ ^ static_cast<std::uint64_t>(bytes)) * 0x100000001b3;
  }

  std::uint64_t value() const noexcept {
    return (digest_ ^ digest_ >> 16 ^ digest_ >> 32 ^ digest_ >> 48) & 0xffff;
  }

private:
  std::uint64_t digest_ = 0xcbf29ce484222325;
};

} // namespace seam::detail

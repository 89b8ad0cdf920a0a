#include <seam/exchange/steps/stamps/poison.hpp>

#include <algorithm>

namespace seam::detail {

poison::poison(std::int64_t element_bytes, bool is_bool) noexcept
    : element_bytes_(element_bytes),
      bits_(is_bool ? 1 : static_cast<int>(std::min<std::int64_t>(element_bytes, 4)) * 8) {}

void poison::put(std::byte* element) const {
  if (!may_be_chance()) {
    constexpr std::uint32_t pattern = 0x7ffc5ea3; // ends a float and a double that are quiet NaNs
    for (std::int64_t k = 0; k < element_bytes_; ++k)
      element[k] = static_cast<std::byte>(pattern >> 8 * ((k + 4 - element_bytes_ % 4) % 4));
    return;
  }
  static thread_local std::uint32_t random = 2463534242;
  random ^= random << 13U, random ^= random >> 17U, random ^= random << 5U;
  for (std::int64_t k = 0; k < element_bytes_; ++k)
    element[k] = static_cast<std::byte>(bits_ == 1 ? random >> 7U & 1U : random >> 8U * k);
}

bool poison::is_read(bool has_changed) noexcept {
  if (has_changed) {
    evidence_ = 0;
    return false;
  }
  bool const is_enough = evidence_.fetch_add(bits_) + bits_ >= enough_bits;
  if (is_enough)
    evidence_ = 0;
  return is_enough;
}

} // namespace seam::detail

/// Digests: numbers that most probably differ if what they are made of does (FNV-1a of 64 bits); and numbers
/// that look random.
#pragma once

#include <cstdint>
#include <string_view>

namespace seam::detail {

/// The digest of words and of texts, letter by letter, in their order.
class digest {
public:
  constexpr digest() = default;

  /// Goes on where another one has ended.
  constexpr explicit digest(std::uint64_t value) noexcept : value_(value) {}

  constexpr digest& add(std::uint64_t word) noexcept {
    value_ = (value_ ^ word) * 0x100000001b3;
    return *this;
  }
  constexpr digest& add(std::string_view text) noexcept {
    for (char const letter : text)
      add(static_cast<unsigned char>(letter));
    return *this;
  }

  constexpr std::uint64_t value() const noexcept { return value_; }

  /// All bits in the lower half.
  constexpr std::uint32_t folded() const noexcept {
    return static_cast<std::uint32_t>(value_ ^ value_ >> 32);
  }

  friend constexpr bool operator==(digest const&, digest const&) = default;

private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

/// A number that looks random, another one for each value.
/// Source: splitmix64 (G. Steele, D. Lea, C. Flood: Fast splittable pseudorandom number generators.
/// OOPSLA 2014).
constexpr std::uint64_t scrambled(std::uint64_t value) noexcept {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

} // namespace seam::detail

/// Machine code: programs of logic, compiled when they are known.
///
///     auto const code = machine_code::of(program);        // nothing on other processors
///     (*code)({.arrays = {row, ...}, .second_half = n, .num_words = n});
#pragma once

#include "logic.hpp"

#include <array>
#include <cstdint>
#include <memory>

namespace life {

/// What a program reads and writes.
struct code_arguments {
  std::array<std::uint64_t const*, 6> arrays; ///< by their numbers in the program; some are written
  std::int64_t second_half;                   ///< words from an array to its second half
  std::int64_t num_words;                     ///< multiple of 4
};

/// A program as a function of AVX2 instructions, for x86-64 processors that have them.
class machine_code {
public:
  /// Compiles a program that has no more than 16 values at a time, and offsets of 1 at most.
  /// @return  nothing if the processor has other instructions, or the system denies new code
  /// Local.
  static std::shared_ptr<machine_code const> of(logic const& program);

  machine_code(machine_code const&) = delete;
  machine_code& operator=(machine_code const&) = delete;
  ~machine_code();

  /// Carries the program out for each word.
  /// Local.
  /// Threads: any.
  void operator()(code_arguments const& arguments) const;

private:
  explicit machine_code(std::span<std::uint8_t const> bytes);

  void* memory_ = nullptr;
  std::size_t length_ = 0;
};

} // namespace life

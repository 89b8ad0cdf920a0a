/// Machine code: the next generation of a column of words by a function that is compiled when the
/// rule is known.
///
///     auto const code = machine_code::of(rule{}, instructions::avx2); // nothing on other processors
///     code->advance_column(from, to, num_rows, stride);
#pragma once

#include "packing.hpp"
#include "rule.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace life {

/// Sets of instructions, the fastest first.
enum class instructions : std::uint8_t { avx512_vbmi2, avx512, avx2 };

class machine_code {
public:
  static constexpr std::array all_instructions{instructions::avx512_vbmi2, instructions::avx512,
                                               instructions::avx2};

  /// Compiles a rule.
  /// @return  nothing if the processor has other instructions, the rule needs more registers than
  ///          there are, or the system denies new code
  /// Local.
  /// Cost: some milliseconds.
  static std::shared_ptr<machine_code const> of(rule const& game, instructions set);

  machine_code(machine_code const&) = delete;
  machine_code& operator=(machine_code const&) = delete;
  ~machine_code();

  /// Words of a column, side by side: 4 or 8.
  int num_words() const noexcept { return num_words_; }

  /// Computes a column's next generation.
  /// @param from      its first word; the row before the first one and the row behind the last are
  ///                  read, too, and in all of them the words before and behind
  /// @param to        the first word of those that are written, none of which is read
  /// @param num_rows  at least 1
  /// @param stride    from row to row, of both [words]
  /// Local.
  /// Threads: any.
  void advance_column(word const* from, word* to, std::int64_t num_rows, std::int64_t stride) const;

private:
  machine_code(std::span<std::uint8_t const> bytes, int num_words);

  void* memory_ = nullptr;
  std::size_t length_ = 0;
  int num_words_ = 0;
};

} // namespace life

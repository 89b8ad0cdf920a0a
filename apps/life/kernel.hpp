/// Kernels: one generation of some rows of words, by the widest vectors that the processor has.
///
///     kernel const next(rule{});
///     next({.from = rows, .to = others, .sums = scratch, .num_rows = 126, ...});
#pragma once

#include "machine_code.hpp"
#include "polynomials.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace life {

/// Rows have at least so many words.
constexpr std::int64_t words_of_vector = 8;

/// Rows that end at borders, beyond which cells stay dead.
struct borders {
  bool left = false;     ///< word 0 lies beyond
  bool right = false;    ///< words behind `last` lie beyond
  std::int64_t last = 0; ///< word of a row
  word cells_of_last = ~word{0};
};

/// Rows of words: cells of one generation, and where those of the next go.
struct word_rows {
  word const* from; ///< [num_rows][stride]; the row before and the row behind are read, too
  word* to;         ///< as `from`
  word* sums;       ///< scratch, [6][num_words]
  std::int64_t num_rows;
  std::int64_t num_words; ///< at least words_of_vector; the words before and behind are read
  std::int64_t stride;    ///< from row to row [words]
  borders ends;
};

/// A rule in the forms that kernels take: as polynomials, and as machine code where there is any.
struct rule_forms {
  any_rule polynomials;
  std::shared_ptr<machine_code const> code;
};

/// The generations of one rule by one set of instructions.
class kernel {
public:
  /// The fastest. Local.
  explicit kernel(rule const& game);

  /// All that this processor can run, the fastest first. Local.
  static std::vector<kernel> all_of(rule const& game);

  /// Computes the next generation.
  /// Local.
  /// Threads: any.
  void operator()(word_rows const& rows) const { advance_(rows, forms_); }

private:
  using function = void (*)(word_rows const&, rule_forms const&);
  /// Those that are compiled for the rule as far as there are `count`, and all others.
  static std::vector<kernel> first_of(rule const& game, std::size_t count);

  kernel(function advance, rule_forms forms) : advance_(advance), forms_(std::move(forms)) {}

  function advance_;
  rule_forms forms_;
};

} // namespace life

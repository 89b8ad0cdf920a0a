/// Kernels: one generation of some rows of words, by the widest vectors that the processor has.
///
///     kernel const next(rule{});
///     next({.from = rows, .to = others, .num_rows = 126, ...});
#pragma once

#include "polynomials.hpp"
#include "rule.hpp"
#include "word_rows.hpp"

#include <vector>

namespace life {

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
  void operator()(word_rows const& rows) const;

private:
  using function = void (*)(word_rows const&, rule_forms const&);

  kernel(function advance, rule_forms const& forms) : advance_(advance), forms_(forms) {}

  function advance_;
  rule_forms forms_;
};

/// The forms of a rule.
/// Local.
rule_forms forms_of(rule const& game);

} // namespace life

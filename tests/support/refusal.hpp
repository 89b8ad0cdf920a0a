/// The error line of a call that seam refuses.
#pragma once

#include <support/catch.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>

#include <string>

namespace seam::testing {

/// The line of the usage_error that `act` throws, which says that all ranks throw it.
template <class Act>
std::string refusal_of(Act const& act) {
  try {
    act();
  } catch (usage_error const& problem) {
    CHECK(problem.on_all_ranks());
    return problem.what();
  }
  return "nothing was thrown";
}

/// As above, the same on all ranks.
/// Collective: over `over`.
template <class Act>
std::string refusal_of(mpi::comm_view over, Act const& act) {
  std::string const line = refusal_of(act);
  require_same(over, "error line", line);
  return line;
}

} // namespace seam::testing

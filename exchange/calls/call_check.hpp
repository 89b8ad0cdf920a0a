/// Checks of calls that all ranks make together: every rank tells every other what it is about to
/// do, and they go on only if it fits together. What checked mode (checks.hpp) is made of.
#pragma once

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/waiting/detail/activity.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seam {

/// What one rank does, in the terms in which ranks have to match.
struct call_description {
  std::string call; ///< the same on all ranks: "reduce(sum of MPI_INT, root 2)"
  std::vector<edge_load> leaving, arriving; ///< what leaves along an edge arrives along it
  std::optional<error_report> error;        ///< why this rank cannot go on
};

/// One check in flight, among all ranks of a communicator. Any number may be in flight, if all
/// ranks start them in the same order, and complete in any order.
class call_check {
public:
  /// Tells the others. Local.
  call_check(Communicator const& over, call_description mine);
  call_check(call_check&&) noexcept;
  ~call_check();

  /// The tag by which the call that is checked may start, whose place among the starts of the
  /// communicator is that of this check. Drawn on all ranks, whatever they call.
  int tag_of_call() const;

  /// Makes progress; true if all ranks match.
  /// @throws usage_error  they do not: the same line on all ranks, once
  bool test();
  void wait();

private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Returns if all ranks match. Collective: over `over`.
/// @throws usage_error  they do not: the same line on all ranks
void require_match(Communicator const& over, call_description mine);

/// An activity that starts `then` once all ranks match, without keeping anybody at its start.
std::shared_ptr<activity> start_after(call_check check, std::shared_ptr<activity> then);

} // namespace seam

/// Checks of collective calls in checked mode (checks.hpp): every rank sends a description of its
/// call to every other rank, and the call proceeds only if all descriptions match.
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

namespace seam::detail {

/// One rank's call, in the terms that have to match between ranks.
struct call_description {
  std::string call; ///< the same on all ranks: "reduce(sum of MPI_INT, root 2)"
  std::vector<edge_load> leaving, arriving; ///< bytes along an edge are the same at both ends
  std::optional<error_report> error;        ///< why this rank cannot go on
};

/// One check in flight, among all ranks of a communicator. Any number may be in flight, if all
/// ranks start them in the same order, and complete in any order.
class call_check {
public:
  /// Sends this rank's description to all others. Local.
  call_check(Communicator const& over, call_description own);
  call_check(call_check&&) noexcept;
  ~call_check();

  /// The tag of the checked call, which takes this check's place among the starts of the
  /// communicator. Drawn on all ranks, whatever they call. Local.
  int tag_of_call() const;

  /// Makes progress; true if all ranks match.
  /// @throws usage_error  they do not: the same line on all ranks, once
  bool test();
  void wait();

private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Returns if all ranks match.
///
/// @throws usage_error  they do not: the same line on all ranks
/// Collective: over `over`.
void require_match(Communicator const& over, call_description own);

/// Makes an activity that starts `then` once all ranks match; its own start does not wait. Local.
std::shared_ptr<activity> start_after(call_check check, std::shared_ptr<activity> then);

} // namespace seam::detail

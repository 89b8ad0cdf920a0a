/// Named transports: entries of the table from which an operation gets its transports (choice.hpp).
/// The first that can carry a step carries it; messages of MPI carry those that are left.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/mixed/mixed.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace seam::detail {

/// The steps of schedules that a transport carries.
struct carried_operations {
  std::vector<carried_steps> each; ///< [schedules], or empty: no steps
  bool are_all = false;            ///< no rank has steps that are left
};

/// A transport, and what it can carry. The function of what it never carries is empty.
struct named_transport {
  std::string_view name; ///< in explanations: "the memory of the node"

  /// Chooses the steps that the transport carries of operations that are started many times.
  ///
  /// @param left  the operations' schedules, with the steps that no transport before carries
  /// @throws usage_error  (on all ranks) the two ends of a message differ in length
  /// Collective: over `over`.
  std::function<carried_operations(Communicator const& over, std::span<schedule const> left)>
      operations;

  /// Chooses the steps that the transport carries of a blocking call; nothing if it carries none of
  /// any call. Its transports are started one after another. Those that carry all that is left draw
  /// a tag of `over.tags_of_starts()` at each start, as the messages of other ranks do.
  ///
  /// Collective: over `over`, the first time; local from then on.
  std::function<std::optional<carried_steps>(Communicator const& over, schedule const& left)> calls;

  /// Returns what makes the transports of nonblocking calls on `over`; an empty function if it
  /// carries none of them. These transports carry all steps of a call: at each start they choose
  /// which ones they leave to messages of MPI. Any number of them may be in flight.
  ///
  /// Local, with the same result on all ranks.
  std::function<transport_maker(Communicator const& over)> starts;
};

} // namespace seam::detail

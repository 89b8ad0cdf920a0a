/// The choice of a transport.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/shared/mailboxes.hpp>
#include <seam/exchange/transport/transport.hpp>

#include <span>
#include <vector>

namespace seam {

/// What carries the steps of a schedule.
struct transport_choice {
  transport_maker make;
  bool has_memory = false; ///< of the node, for steps whose peer is on it
};

/// What carries `steps` again and again: the memory of the node where the peer is on it,
/// `by_messages` elsewhere, and everywhere if shared memory is off; long messages also if the
/// node's memory would be slower for one of them. Collective: over `over`.
transport_choice choose_transport(Communicator const& over, schedule const& steps,
                                  transport_maker const& by_messages);

/// The same for each of `all` schedules, agreed on once for all of them.
/// @param all          as many on all ranks, but where shared memory is off or the communicator is
///                     bipartite
/// @param by_messages  [all]
/// @throws usage_error  (on all ranks) the two ends of a message differ in length
/// Collective: over `over`. The number of collective calls does not depend on that of schedules.
std::vector<transport_choice> choose_transports(Communicator const& over,
                                                std::span<schedule const> all,
                                                std::span<transport_maker const> by_messages);

/// What carries the `steps` of a blocking call: mailboxes for those that find room there,
/// `by_messages` for the others, and for all if there are no mailboxes. Each start draws a tag from
/// what makes the messages, whether there are any or not. Local.
transport_maker choose_transport_of_calls(mpi::comm_view context,
                                          std::shared_ptr<mailboxes> const& all,
                                          schedule const& steps, transport_maker by_messages);

} // namespace seam

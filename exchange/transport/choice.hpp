/// The choice of a transport: the memory of the node, or messages of MPI.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/shared/mailboxes.hpp>
#include <seam/exchange/transport/transport.hpp>

#include <span>
#include <vector>

namespace seam {

/// The transport of a schedule.
struct transport_choice {
  transport_maker make;
  bool has_memory = false; ///< steps whose peers are on-node use the memory of the node
};

/// Chooses the transport of an operation that is started many times: the memory of the node for
/// on-node peers, `by_messages` for off-node peers, and for all if shared memory is off; also for
/// long messages if the node's memory would be slower for one of them.
///
/// Collective: over `over`.
transport_choice choose_transport(Communicator const& over, schedule const& steps,
                                  transport_maker const& by_messages);

/// Chooses the transport of each of `all` schedules like choose_transport(), in one agreement.
///
/// @param all          as many on all ranks, unless shared memory is off or the communicator is
///                     bipartite
/// @param by_messages  [all]
/// @throws usage_error  (on all ranks) the two ends of a message differ in length
/// Collective: over `over`.
/// Cost: the number of collective calls does not depend on the number of schedules.
std::vector<transport_choice> choose_transports(Communicator const& over,
                                                std::span<schedule const> all,
                                                std::span<transport_maker const> by_messages);

/// Chooses the transport of a blocking call: mailboxes for the `steps` whose messages fit into
/// them, `by_messages` for the others, and for all if there are no mailboxes. Each start draws a
/// tag for its messages of MPI, even if there are none.
///
/// Local.
transport_maker choose_transport_of_calls(mpi::comm_view context,
                                          std::shared_ptr<mailboxes> const& all,
                                          schedule const& steps, transport_maker by_messages);

} // namespace seam

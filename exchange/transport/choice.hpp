/// The choice of transports: a table; the first that can carry a step carries it.
/// Messages of MPI carry the steps that are left.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/named_transport.hpp>
#include <seam/exchange/transport/transport.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace seam::detail {

/// The table of transports before messages of MPI. Local.
std::span<named_transport const> all_transports();

/// The transport of a schedule.
struct transport_choice {
  transport_maker make;
  std::vector<std::string_view> carriers; ///< [schedule.sends] names of transports; "MPI"
};

/// Chooses the transport of an operation that is started many times.
///
/// @param by_messages  for steps that no transport of the table carries
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
std::vector<transport_choice> choose_transports(
    Communicator const& over, std::span<schedule const> all,
    std::span<transport_maker const> by_messages,
    std::span<named_transport const> table = all_transports());

/// Chooses the transport of a blocking call. Each start draws a tag for its messages of MPI, even
/// if there are none.
///
/// Collective: over `over`, the first time; local from then on.
transport_maker choose_transport_of_call(Communicator const& over, schedule const& steps,
                                         transport_maker by_messages,
                                         std::span<named_transport const> table = all_transports());

/// Chooses the transport of a nonblocking call: the first of the table that carries calls on
/// `over`, or messages of MPI. Each start draws a tag for its messages of MPI, even if there are
/// none.
///
/// Local.
transport_maker choose_transport_of_start(
    Communicator const& over, transport_maker by_messages,
    std::span<named_transport const> table = all_transports());

} // namespace seam::detail

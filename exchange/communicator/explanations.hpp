/// Explanations: programs that are asked to (--explain, SEAM_EXPLAIN=on) tell what their exchanges
/// cost, when these are made. Who exchanges says so to explain(); who talks to people decides with
/// explain_to() where that goes.
///
///     mapping: guillotine: node 24/8 to 16/4; 8 of 16 ranks moved in 1.2 ms on 'node:4 rank:4'
///     exchange among 16 ranks, of which rank 0 sends 256 bytes to 2 others
///       rank 1: 128 bytes, 1 message by the memory of the node
///       rank 4: 128 bytes, 1 message by MPI
///
/// Persistent, partitioned and sparse exchanges say so, and the first call of each collective on a
/// communicator that seam itself carries out.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace seam {

class Communicator;
struct schedule;

/// Sends explanations to `listener` from now on; to nobody if it is empty, as at first. Local.
void explain_to(std::function<void(std::string const&)> listener);

/// True if somebody listens. Local.
bool explanations_are_on();

/// Gives what make_text() returns to the listener on rank 0 of `over`, unless it has been told the
/// same before. Without effect elsewhere, or if nobody listens. Local.
void explain(mpi::comm_view over, std::function<std::string()> const& make_text);

/// What goes to one other process.
struct outgoing_load {
  std::int64_t bytes = 0;
  std::string how; ///< "1 message by MPI"
};

/// Explains what this process sends to whom and how, as above.
/// @param what        the first word or words: "exchange"
/// @param make_loads  for each destination its load, called if somebody listens
/// Local.
void explain_loads(mpi::comm_view over, std::string const& what,
                   std::function<std::map<int, outgoing_load>()> const& make_loads);

/// The same of a schedule. @param has_memory  what goes to the same node, goes through its memory
void explain_schedule(Communicator const& over, std::string const& what, schedule const& steps,
                      bool has_memory);

} // namespace seam

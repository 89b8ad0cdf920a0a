/// Explanations: texts about the cost of exchanges, written when these are made, if the user asks
/// for them (--explain, SEAM_EXPLAIN=on). Exchanges pass their texts to explain(); the program
/// decides by explain_to() where they are printed.
///
///     mapping: guillotine: node 24/8 to 16/4; 8 of 16 ranks moved in 1.2 ms on 'node:4 rank:4'
///     exchange among 16 ranks, of which rank 0 sends 256 bytes to 2 others
///       rank 1: 128 bytes, 1 message by the memory of the node
///       rank 4: 128 bytes, 1 message by MPI
///
/// Persistent, partitioned and sparse exchanges are explained, and the first call of each
/// collective on a communicator that seam itself carries out.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace seam {

namespace detail {
struct schedule;
}

/// Passes explanations to `listener` from now on; drops them if it is empty, as at first. Local.
void explain_to(std::function<void(std::string const&)> listener);

/// True if there is a listener. Local.
bool explanations_are_on();

/// Passes the text of make_text() to the listener on rank 0 of `over`, unless it has got the same
/// text before. Without effect on other ranks, or if there is no listener. Local.
void explain(mpi::comm_view over, std::function<std::string()> const& make_text);

/// The messages to one other process.
struct outgoing_load {
  std::int64_t bytes = 0;
  std::string how; ///< "1 message by MPI"
};

/// Explains how many bytes this process sends to each destination, and how, as above.
///
/// @param what        the first word or words: "exchange"
/// @param make_loads  returns the load of each destination; called if there is a listener
/// Local.
void explain_loads(mpi::comm_view over, std::string const& what,
                   std::function<std::map<int, outgoing_load>()> const& make_loads);

/// Explains the messages of a schedule like explain_loads().
///
/// @param carriers  [steps.sends] names of their transports; or empty: all by MPI
/// Local.
void explain_schedule(mpi::comm_view over, std::string const& what, detail::schedule const& steps,
                      std::span<std::string_view const> carriers = {});

} // namespace seam

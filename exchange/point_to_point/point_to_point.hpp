/// Messages between two processes, along the edges of the communicator's topology and no others.
///
///     send(ring, values, right);
///     receive(ring, values, left);
///     send(ring.base(), values, anybody);
///
/// What MPI does for inter-communicators holds for graphs too: who is not a neighbor cannot be
/// reached, except over base() ([Traeff2021] sec. 2). These are the user's messages: they travel in
/// the context of view(), and match what MPI's own calls send there.
#pragma once

#include <seam/exchange/engine/operation.hpp>
#include <seam/exchange/schedule/datatype_blocks.hpp>

namespace seam {

/// What a receive has got.
struct received_message {
  int source;
  int tag;
  std::int64_t bytes;
};

/// Sends `what` to `destination`: on a graph one of the destinations of this process. Returns when
/// the elements may be overwritten.
/// @throws usage_error  `destination` is no neighbor; at once, on this rank alone
/// Source: [Traeff2021] sec. 2. Threads: any.
void send(Communicator const& over, elements const& what, int destination, int tag = 0);

/// Receives at most `into.count` elements from `source`: on a graph one of the sources of this
/// process; MPI_ANY_SOURCE is any of them, MPI_ANY_TAG any tag. Waits for them. As send().
received_message receive(Communicator const& over, elements const& into, int source, int tag = 0);

/// The same for programs that hold an MPI communicator and its topology (see topology_of). As
/// send().
void send(mpi::comm_view over, Topology const& topology, elements const& what, int destination,
          int tag);
received_message receive(mpi::comm_view over, Topology const& topology, elements const& into,
                         int source, int tag);

/// The same, started: the elements are not touched until it is complete. As send().
[[nodiscard]] in_flight start_send(Communicator const& over, elements const& what, int destination,
                                   int tag = 0);
[[nodiscard]] in_flight start_receive(Communicator const& over, elements const& into, int source,
                                      int tag = 0);

/// The same for contiguous ranges.
template <std::ranges::contiguous_range Range>
void send(Communicator const& over, Range const& values, int destination, int tag = 0) {
  send(over, elements_of(values), destination, tag);
}
template <std::ranges::contiguous_range Range>
received_message receive(Communicator const& over, Range&& into, int source, int tag = 0) {
  return receive(over, elements_of(into), source, tag);
}
template <std::ranges::contiguous_range Range>
[[nodiscard]] in_flight start_send(Communicator const& over, Range const& values, int destination,
                                   int tag = 0) {
  return start_send(over, elements_of(values), destination, tag);
}
template <std::ranges::contiguous_range Range>
[[nodiscard]] in_flight start_receive(Communicator const& over, Range&& into, int source,
                                      int tag = 0) {
  return start_receive(over, elements_of(into), source, tag);
}

/// Says that `peer` cannot be reached from `rank` along `edges`, and who can.
///
/// @param call  what is asked of the peer: "send to"
[[noreturn]] void refuse_stranger(int rank, std::span<edge const> edges, int peer,
                                  char const* call);

} // namespace seam

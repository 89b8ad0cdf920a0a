/// Messages between two processes, along the edges of the communicator's topology and no others.
///
///     send(ring, values, right);
///     receive(ring, values, left);
///     send(ring.base(), values, any_rank);
///
/// As on inter-communicators of MPI, only neighbors can be reached; base() reaches all processes
/// ([Traeff2021] sec. 2). Messages travel in the context of view(), and match sends and receives
/// that the user makes there by MPI's own calls.
#pragma once

#include <seam/exchange/engine/operation.hpp>
#include <seam/exchange/schedule/detail/datatype_blocks.hpp>

namespace seam {

/// The sender, the tag and the length of a message that has been received.
struct received_message {
  int source;
  int tag;
  std::int64_t bytes;
};

/// Sends `values` to `destination`: on a graph one of the destinations of this process. Returns
/// when the elements may be overwritten.
///
/// @throws usage_error  `destination` is no neighbor; at once, only on this rank
/// Threads: any.
/// Source: [Traeff2021] sec. 2.
void send(Communicator const& over, elements const& values, int destination, int tag = 0);

/// Receives at most `into.count` elements from `source`: on a graph one of the sources of this
/// process; MPI_ANY_SOURCE is any of them, MPI_ANY_TAG any tag. Waits for the message. As send().
received_message receive(Communicator const& over, elements const& into, int source, int tag = 0);

/// send() and receive() over an MPI communicator with its topology (see topology_of).
void send(mpi::comm_view over, Topology const& topology, elements const& values, int destination,
          int tag);
received_message receive(mpi::comm_view over, Topology const& topology, elements const& into,
                         int source, int tag);

/// Starts a send or a receive: the elements must not be touched until it is complete. As send().
[[nodiscard]] in_flight start_send(Communicator const& over, elements const& values,
                                   int destination, int tag = 0);
[[nodiscard]] in_flight start_receive(Communicator const& over, elements const& into, int source,
                                      int tag = 0);

/// Prepares a send or a receive that is started again and again, with the values that the elements
/// have at each start. As send().
[[nodiscard]] operation prepare_send(Communicator const& over, elements const& values,
                                     int destination, int tag = 0);
[[nodiscard]] operation prepare_receive(Communicator const& over, elements const& into, int source,
                                        int tag = 0);

/// The calls above for contiguous ranges.
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
template <std::ranges::contiguous_range Range>
[[nodiscard]] operation prepare_send(Communicator const& over, Range const& values, int destination,
                                     int tag = 0) {
  return prepare_send(over, elements_of(values), destination, tag);
}
template <std::ranges::contiguous_range Range>
[[nodiscard]] operation prepare_receive(Communicator const& over, Range&& into, int source,
                                        int tag = 0) {
  return prepare_receive(over, elements_of(into), source, tag);
}

/// Returns if `peer` is MPI_PROC_NULL or at the other end of one of `edges`, those of `rank` that
/// leave or those that arrive. Local.
/// @param call          begins the error line: "send to"
/// @throws usage_error  it is no neighbor
void require_neighbor(int rank, std::span<edge const> edges, int peer, char const* call);

/// Throws a usage_error: `rank` cannot reach `peer` along `edges`; lists the ranks it can reach.
///
/// @param call  begins the line: "send to"
[[noreturn]] void refuse_stranger(int rank, std::span<edge const> edges, int peer,
                                  char const* call);

} // namespace seam

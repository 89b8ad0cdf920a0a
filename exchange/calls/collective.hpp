/// Collectives: one set of operations whose meaning follows from the topology of the communicator
/// that they run on, in forms that are all the same call.
///
///     run(world, allreduce(in, out, std::plus<>()));           // blocking
///     auto flying = start(ring, alltoall(in, out));            // nonblocking
///     operation halo = prepare(ring, allgather(in, out));      // persistent
///
/// A collective is a value: an operation with its buffers. On a complete or bipartite communicator
/// it means what MPI defines. On a graph it takes place along the edges ([Traeff2021] sec. 2); on
/// the graph of all edges, self-edges included, the two are the same. The headers in collectives/
/// make the values; each defines the meaning on a graph.
#pragma once

#include <seam/exchange/calls/detail/call_key.hpp>
#include <seam/exchange/engine/operation.hpp>
#include <seam/exchange/ground/detail/local_function.hpp>
#include <seam/exchange/schedule/detail/datatype_blocks.hpp>

#include <cstddef>

namespace seam {

struct collective_definition;

/// What functions of v-forms capture: the buffers and counts of both directions.
inline constexpr std::size_t bytes_of_counted_blocks = 192;

/// An operation on buffers, without a communicator yet. The buffers outlive all operations that are
/// made of it. Immutable. Threads: any.
///
/// A call that repeats one of the last few is known by its name and key. The definition is made for
/// others only, since that takes as long as a short message.
class collective {
public:
  using definer = detail::local_function<void(collective_definition&), bytes_of_counted_blocks>;

  /// An operation that has no meaning yet.
  /// @param called  as errors say it: "allreduce"; lives as long as the program
  explicit collective(char const* called) noexcept : name(called) {}

  /// How it is carried out; empty if nothing defines it. Local.
  collective_definition definition() const;

  char const* name;
  detail::call_key key{}; ///< empty: no other call shares the plan
  definer define{};       ///< completes the definition; throws nothing about arguments
};

/// Runs the collective, and returns when this process's part is complete.
///
/// The plans of the last few calls are kept with the communicator: a call that repeats one of them
/// costs as little as a prepared one. Messages inside a node go through its memory, unless they are
/// long; the first call finds the node, which involves all processes. On complete and bipartite
/// communicators the MPI library carries out the call, unless few processes of one node do so
/// themselves (native_calls.hpp). All ranks call run() where one does: blocking calls do not match
/// other forms, as in MPI.
///
/// @throws usage_error  the operation has no meaning on this topology, or an argument cannot be:
///         at once, only on this rank unless checks are on, while others wait as they do in MPI
/// Collective: over `over`, in the same order on all ranks.
void run(Communicator const& over, collective const& call);

/// Starts the collective. Any number may be in flight, and complete in any order. Short messages on
/// graphs, and among few processes, go through the memory of a node if its processes share some by
/// then.
///
/// A call that repeats one of the last few reuses its plan if that call is complete and its
/// in_flight destroyed: the start allocates nothing. As run(), but in checked mode a start does not
/// wait: errors are found by wait() or test().
[[nodiscard]] in_flight start(Communicator const& over, collective const& call);

/// Plans the collective once, to be run many times.
///
/// On a Cartesian graph whose messages can be combined, all ranks first compare whether the blocks
/// of an alltoall or allgather of any form are equally long along equal vectors; run() and start()
/// do not, and combine only blocks that need no comparison. Where seam carries it out, each run
/// allocates nothing and involves only neighbors. As run().
///
/// @throws usage_error  as run(), on all ranks
[[nodiscard]] operation prepare(Communicator const& over, collective const& call);

} // namespace seam

/// Collectives: one set of operations whose meaning follows from the topology of the communicator
/// that they run on, in forms that are all the same call.
///
///     run(world, allreduce(in, out, std::plus<>()));           // blocking
///     auto flying = start(ring, alltoall(in, out));            // nonblocking
///     operation halo = prepare(ring, allgather(in, out));      // persistent
///
/// A collective is a value: what to do with which buffers. On a complete or bipartite communicator
/// it means what MPI says. On a graph it takes place along the edges ([Traeff2021] sec. 2); on the
/// graph of all edges, self-edges included, the two are the same. The headers beside this one make
/// the values; each says what it means on a graph.
#pragma once

#include <seam/exchange/operation.hpp>

#include <functional>
#include <string>

namespace seam {

/// The communicator that a collective is planned for, as lists of edges whatever its topology.
struct ports {
  Topology topology; ///< a graph: all edges of complete and bipartite communicators spelled out
  int rank;          ///< of this process among the peers; MPI_PROC_NULL if it is none of them
  int num_peers;     ///< processes that edges can lead to
  std::shared_ptr<cartesian_structure const> structure; ///< of a Cartesian graph, or nullptr
};

/// The edges along which collectives of `over` take place. Local.
ports ports_of(Communicator const& over);

/// An operation on buffers, without a communicator yet. The buffers outlive what is made of it.
/// Immutable. Threads: any.
class collective {
public:
  /// Starts the operation by a call of the MPI library.
  using native_call = std::function<int(MPI_Comm, MPI_Request*)>;
  /// Compiles it to one rank's schedule.
  using planner = std::function<schedule(ports const&)>;

  std::string name{};       ///< as errors say it: "allreduce"
  native_call complete{};   ///< on complete communicators; empty: by the plan
  native_call bipartite{};  ///< on bipartite ones; empty: by the plan
  planner plan{};           ///< on graphs; empty: it has no meaning there
  bool on_bipartite = true; ///< false: it has no meaning there
};

/// Does it, and returns when this process's part is complete.
/// @throws usage_error  the operation has no meaning on this topology, or an argument is impossible
/// Collective: over `over`, in the same order on all ranks.
void run(Communicator const& over, collective const& what);

/// Starts it. Any number may be in flight, to be completed in any order. As run().
[[nodiscard]] in_flight start(Communicator const& over, collective const& what);

/// Plans it once, to be run many times.
/// @throws usage_error  as run(), on all ranks
/// As run(); the steady state allocates nothing and involves the edges' ends alone where seam
/// carries it out.
[[nodiscard]] operation prepare(Communicator const& over, collective const& what);

} // namespace seam

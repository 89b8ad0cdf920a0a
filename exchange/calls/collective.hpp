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

#include <seam/exchange/calls/detail/call_key.hpp>
#include <seam/exchange/engine/operation.hpp>
#include <seam/exchange/ground/detail/local_function.hpp>
#include <seam/exchange/planning/detail/collective_edges.hpp>
#include <seam/exchange/planning/detail/kept_counts.hpp>
#include <seam/exchange/schedule/datatype_blocks.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace seam {

/// What all ranks of a call give alike, for checks.
struct common_terms {
  static constexpr int no_root = -1000; ///< none of MPI's special ranks

  int root = no_root;
  MPI_Op op = MPI_OP_NULL;
  std::optional<elements> values{}; ///< as many bytes on all ranks of a complete communicator
  kept_counts counts{};             ///< of blocks; on bipartite communicators of as many elements
};

/// An operation on buffers, without a communicator yet. The buffers outlive what is made of it.
/// Immutable. Threads: any.
class collective {
public:
  /// Starts the operation by a call of the MPI library; without a request, does it (mpi/forms).
  using native_call = detail::local_function<int(MPI_Comm, MPI_Request*)>;
  /// Compiles it to one rank's schedule.
  using planner = detail::local_function<schedule(collective_edges const&)>;
  /// Says how long this process's blocks are.
  using measure = detail::local_function<edge_bytes(collective_edges const&)>;
  /// Throws if this process sees by itself that it cannot go on with the arguments: see
  /// arguments.hpp.
  using checker = detail::local_function<void(Communicator const&)>;
  /// How many elements MPI's call would count, alike on all ranks.
  using counter = detail::local_function<std::int64_t(Communicator const&)>;

  char const* name = "";   ///< as errors say it: "allreduce"; lives as long as the program
  native_call complete{};  ///< on complete communicators; empty: by the plan
  native_call bipartite{}; ///< on bipartite ones; empty: by the plan
  planner plan{};          ///< on graphs; empty: it has no meaning there
  measure bytes{}; ///< of what prepare() plans by all ranks' blocks; empty: by its own alone
  planner plan_on_complete{}; ///< on complete ones, of what has no `plan`
  counter counted{}; ///< of what `complete` cannot do beyond an int, but `plan_on_complete` can
  bool on_bipartite = true; ///< false: it has no meaning there
  call_key key{};           ///< empty: no other call shares the plan
  common_terms common{};    ///< what checked mode compares
  checker check{};          ///< of the arguments, before the call or its plan is made
};

/// Does it, and returns when this process's part is complete. The plans of the last few calls are
/// kept with the communicator: a call that repeats one of them costs as little as one that is
/// prepared. What goes to a process of the same node goes through its memory, unless messages are
/// long; the first call finds the node, which involves everybody. Among all processes, unless they
/// are few and on one node, the call is the MPI library's (native_calls.hpp). All ranks call run()
/// where one does: other forms are other operations, as MPI has it.
/// @throws usage_error  the operation has no meaning on this topology, or an argument is
/// impossible:
///         at once, on this rank alone unless checks are on, while others wait as they do in MPI
/// Collective: over `over`, in the same order on all ranks.
void run(Communicator const& over, collective const& what);

/// Starts it, by messages. Any number may be in flight, to be completed in any order. A call that
/// repeats one of the last few finds its plan again if that one is complete and its in_flight gone.
/// As run(), but that checked mode, which keeps nobody at a start, finds errors when the operation
/// is waited for.
[[nodiscard]] in_flight start(Communicator const& over, collective const& what);

/// Plans it once, to be run many times. On a Cartesian graph whose messages can be combined, ranks
/// first find out whether the blocks of an alltoall or allgather of any form are equally long along
/// equal vectors; run() and start() ask nobody, and combine only what they need not ask about.
/// @throws usage_error  as run(), on all ranks
/// As run(); the steady state allocates nothing and involves the edges' ends alone where seam
/// carries it out.
[[nodiscard]] operation prepare(Communicator const& over, collective const& what);

} // namespace seam

/// Partitioned collectives along edges, with a channel for each edge that carries data.
#pragma once

#include <seam/exchange/calls/detail/collective_definition.hpp>
#include <seam/exchange/partitioned/detail/buffer.hpp>
#include <seam/exchange/partitioned/partitioned_operation.hpp>
#include <seam/exchange/partitioned/settings.hpp>
#include <seam/exchange/planning/detail/movement.hpp>

#include <string>

namespace seam::detail {

/// The call of a collective, which is the same on all ranks.
struct partitioned_call {
  char const* name;    ///< as error lines name it: "pgather_init"
  std::string terms{}; ///< further arguments that all ranks give alike: "root 2"
  partitioned_settings settings{};
  int number = -1;         ///< see draw_collective_number()
  bool along_edges = true; ///< false: defined only on complete communicators
};

/// Makes the partitioned form of a collective that moves blocks: channels, and copies for edges
/// from the process to itself. Error lines call it "p<name>_init", as MPI does.
///
/// @param call            with `moves`
/// @param sent, received  numbers of partitions of the blocks that leave, and of those that arrive
/// @throws usage_error    arguments are impossible, terms differ, or the ends of an edge differ in
///                        bytes (the same on all ranks)
/// Collective: over `over`.
partitioned_operation make_bundle(Communicator const& over, collective_definition const& call,
                                  partition_counts const& sent, partition_counts const& received,
                                  partitioned_settings const& settings);

/// Refuses, on all ranks, a collective that is not defined on the topology of `over`, and calls
/// that differ. Collective: over `over`.
void check_call(Communicator const& over, partitioned_call const& call);

/// Refuses, on all ranks, ends of edges between the sides of a bipartite communicator that do not
/// fit together, for example because roots differ: their processes would wait in vain. Collective:
/// over `over`.
void require_edges_between_sides(Communicator const& over, char const* name, movement const& moved);

/// True if the block to send is taken from where it is received, as MPI_IN_PLACE says.
inline bool is_in_place(partitioned_buffer const& send) { return send.data == MPI_IN_PLACE; }

} // namespace seam::detail

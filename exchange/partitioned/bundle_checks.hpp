/// Checks of bundles before their channels are made.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/partitioned/bundle.hpp>
#include <seam/exchange/partitioned/edges.hpp>
#include <seam/exchange/planning/detail/collective_edges.hpp>

namespace seam::detail {

/// Finds all errors that this rank can find by itself: nothing may fail once channels are made.
/// @throws usage_error  ends of an edge from the process to itself differ, partitions cannot travel
///                      in the wanted messages, or, in checked mode, buffers overlap
/// Local.
void check_ends(partitioned_call const& call, collective_edges const& edges,
                edge_bundle const& bundle);

/// Refuses, on all ranks, numbers of partitions that differ where the call asserts that they do not.
/// Collective: over `over`.
void check_assertions(Communicator const& over, partitioned_call const& call,
                      edge_bundle const& bundle);

} // namespace seam::detail

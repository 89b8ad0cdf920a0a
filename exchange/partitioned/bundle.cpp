#include <seam/exchange/partitioned/bundle.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/partitioned/partitioned_operation.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam::detail {
namespace {

partitioned_buffer cut(char const* call, elements const& block, int partitions) {
  bool const is_divided = partitions == 0 ? block.count == 0 : block.count % partitions == 0;
  if (!is_divided)
    refuse(fmt::format("{}: {} elements in {} partitions (expected as many in each)", call,
                       block.count, partitions));
  partitioned_buffer const buffer{block.data, partitions,
                                  partitions == 0 ? 0 : block.count / partitions, block.type};
  check_buffer(call, buffer);
  return buffer;
}

/// The ends of the edges that have blocks; partitions_of(e) returns the partitions of block e.
template <class PartitionsOf>
std::vector<edge_end> ends_of(char const* call, moved_blocks const& blocks,
                              PartitionsOf partitions_of) {
  std::vector<edge_end> ends;
  for (int e = 0; e < std::ssize(blocks); ++e)
    if (auto const& block = blocks[e])
      ends.push_back({e, cut(call, block->values, partitions_of(e)), !block->travels});
  return ends;
}

} // namespace

edge_bundle bundle_of(char const* call, movement const& moved, partition_counts const& sent,
                      partition_counts const& received) {
  auto const partitions_sent = [&](int e) {
    auto const& place = moved.leaving[e]->lies_in;
    return place ? received.of(*place) : sent.of(moved.is_for_all ? 0 : e);
  };
  edge_bundle bundle{.leaving = ends_of(call, moved.leaving, partitions_sent),
                     .arriving =
                         ends_of(call, moved.arriving, [&](int e) { return received.of(e); }),
                     .for_all = moved.is_for_all};
  if (moved.has_block && bundle.leaving.empty())
    bundle.leaving.push_back({part_end::no_edge, {nullptr, sent.of(0), 0, MPI_BYTE}, true});
  return bundle;
}

void stage_in_place(char const* call, collective_edges const& over, movement const& moved,
                    edge_bundle& bundle) {
  if (!is_in_place(moved))
    return;
  auto const destinations = over.topology.destinations(), sources = over.topology.sources();
  if (!std::ranges::equal(destinations, sources, {}, &edge::rank, &edge::rank))
    refuse(fmt::format("{}: MPI_IN_PLACE where a block would go to another process than its "
                       "successor comes from (expected the same destinations as sources, in the "
                       "same order)",
                       call));
  for (int e = 0; e < std::ssize(destinations); ++e) {
    if (destinations[e].rank == over.rank || destinations[e].leads_nowhere())
      continue;
    partitioned_buffer const block = bundle.arriving[e].buffer;
    in_place_staging const staging(block);
    bundle.leaving[e].buffer = staging.leaving;
    bundle.arriving[e].buffer = staging.arriving;
    bundle.in_place.push_back({e, block, staging});
  }
}

int destination_of(collective_edges const& edges, edge_end const& end) {
  return end.leads_nowhere ? MPI_PROC_NULL : edges.topology.destinations()[end.edge].rank;
}

int source_of(collective_edges const& edges, edge_end const& end) {
  return end.leads_nowhere ? MPI_PROC_NULL : edges.topology.sources()[end.edge].rank;
}

own_pairs own_buffers(collective_edges const& edges, edge_bundle const& bundle) {
  own_pairs own;
  for (edge_end const& end : bundle.leaving)
    if (destination_of(edges, end) == edges.rank)
      own.from.push_back(&end.buffer);
  for (edge_end const& end : bundle.arriving)
    if (source_of(edges, end) == edges.rank)
      own.into.push_back(&end.buffer);
  return own;
}

} // namespace seam::detail

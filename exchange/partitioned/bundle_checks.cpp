#include <seam/exchange/partitioned/bundle_checks.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/partitioned/channel.hpp>
#include <seam/exchange/partitioned/overlap.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace seam::detail {
namespace {

/// Refuses, on all ranks, ends that differ in their numbers of partitions.
void require_alike(Communicator const& over, partitioned_call const& call, char const* which,
                   std::vector<edge_end> const& ends) {
  int most = std::numeric_limits<int>::min(), fewest = std::numeric_limits<int>::max();
  for (edge_end const& end : ends) {
    most = std::max(most, end.buffer.partitions);
    fewest = std::min(fewest, end.buffer.partitions);
  }
  most = largest_of_all(over.context(), most);
  fewest = -largest_of_all(over.context(), -fewest);
  if (most > fewest)
    throw usage_error(
        fmt::format("{}: {} partitions at one {} and {} at another (expected as many, "
                    "as has been asserted) [{}]",
                    call.name, fewest, which, most, where()),
        true);
}

/// Refuses receive buffers that overlap send buffers, unless a block of the process itself lies in
/// its place.
void check_overlaps(partitioned_call const& call, collective_edges const& edges,
                    edge_bundle const& bundle) {
  std::vector<partitioned_buffer> leaving, arriving;
  auto const own = own_buffers(edges, bundle);
  for (edge_end const& end : bundle.arriving)
    arriving.push_back(end.buffer);
  auto const is_in_its_place = [&](partitioned_buffer const& buffer) {
    return std::ranges::any_of(own.into,
                               [&](auto const* place) { return place->data == buffer.data; });
  };
  for (edge_end const& end : bundle.leaving)
    if (destination_of(edges, end) != MPI_PROC_NULL && !is_in_its_place(end.buffer))
      leaving.push_back(end.buffer);
  check_apart(call.name, leaving, arriving);
}

/// Refuses ends of an edge from the process to itself that differ.
void check_own_edge(partitioned_call const& call, partitioned_buffer const& from,
                    partitioned_buffer const& into) {
  std::int64_t const bytes = wire_bytes(from.all()), room = wire_bytes(into.all());
  if (bytes != room)
    refuse(fmt::format("{}: {} bytes for the process itself, and room for {} (expected as many)",
                       call.name, bytes, room));
  if (call.settings.pairs_are_alike && from.partitions != into.partitions)
    refuse(fmt::format("{}: {} partitions for the process itself, which receives {} (expected as "
                       "many, as has been asserted)",
                       call.name, from.partitions, into.partitions));
}

} // namespace

void check_ends(partitioned_call const& call, collective_edges const& edges,
                edge_bundle const& bundle) {
  auto const [from, into] = own_buffers(edges, bundle);
  partitioned_buffer const none;
  for (int k = 0; k < std::max(std::ssize(from), std::ssize(into)); ++k)
    check_own_edge(call, k < std::ssize(from) ? *from[k] : none,
                   k < std::ssize(into) ? *into[k] : none);
  int most_partitions = 0;
  for (edge_end const& end : bundle.leaving)
    most_partitions = std::max(most_partitions, end.buffer.partitions);
  check_messages(call.name, call.settings, most_partitions);
  if (checks_are_on())
    check_overlaps(call, edges, bundle);
}

void check_assertions(Communicator const& over, partitioned_call const& call,
                      edge_bundle const& bundle) {
  if (call.settings.senders_are_alike)
    require_alike(over, call, "sending end", bundle.leaving);
  if (call.settings.receivers_are_alike || call.settings.leaves_are_alike)
    require_alike(over, call, "receiving end", bundle.arriving);
}

} // namespace seam::detail

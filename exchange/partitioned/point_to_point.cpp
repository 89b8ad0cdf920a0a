#include <seam/exchange/partitioned/point_to_point.hpp>

#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/partitioned/channel.hpp>
#include <seam/exchange/partitioned/lane.hpp>
#include <seam/exchange/partitioned/overlap.hpp>
#include <seam/exchange/planning/detail/edges.hpp>
#include <seam/exchange/point_to_point/point_to_point.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace seam {
using namespace detail;

namespace {

/// @param edges  on a graph: those to, or from, the peers
void check_peer(Communicator const& over, char const* call, char const* end, int peer,
                std::span<edge const> edges) {
  if (peer == MPI_ANY_SOURCE)
    refuse(MPI_ERR_RANK,
           fmt::format("{}: MPI_ANY_SOURCE (expected one {}, or MPI_PROC_NULL)", call, end));
  if (peer == MPI_PROC_NULL)
    return;
  int const size = num_peers_of(over.view().native());
  if (peer < 0 || peer >= size)
    refuse(MPI_ERR_RANK, fmt::format("{}: {} {} (expected 0 to {}, or MPI_PROC_NULL)", call, end,
                                     peer, size - 1));
  if (over.topology().is_graph())
    require_neighbor(over.rank(), edges, peer, fmt::format("{}: {}", call, end).c_str());
}

channel_end end_of(char const* call, char const* direction, partitioned_buffer const& buffer,
                   int peer, int tag) {
  check_buffer(call, buffer);
  if (tag == MPI_ANY_TAG)
    refuse(MPI_ERR_TAG, fmt::format("{}: MPI_ANY_TAG (expected a tag)", call));
  if (tag < 0)
    refuse(MPI_ERR_TAG, fmt::format("{}: tag {} (expected 0 or more)", call, tag));
  std::string const peer_name =
      peer == MPI_PROC_NULL ? "MPI_PROC_NULL" : fmt::format("rank {}", peer);
  return {fmt::format("{} {} {}, tag {}", call, direction, peer_name, tag), peer, tag, buffer};
}

} // namespace

partitioned_operation psend_init(Communicator const& over, partitioned_buffer const& values,
                                 int destination, int tag, partitioned_settings const& settings) {
  check_peer(over, "psend_init", "destination", destination, over.topology().destinations());
  check_messages("psend_init", settings, values.partitions);
  channel_end end = end_of("psend_init", "to", values, destination, tag);
  end.memory = take_lane(over, end);
  if (destination != MPI_PROC_NULL && destination != over.rank())
    explain_loads(over.context(), "psend_init",
                  [&] { return std::map{std::pair(destination, load_of(end))}; });
  partitioned_parts parts{.name = end.name, .keeps = over.keep_alive(), .is_gone = over.is_gone()};
  parts.parts.push_back(make_sending_end(over, end, settings.messages));
  parts.leaving.push_back({parts.parts[0].get(), destination});
  parts.record = call_record::of_peers(over.view(), {&destination, 1});
  return partitioned_operation(std::move(parts));
}

partitioned_operation precv_init(Communicator const& over, partitioned_buffer const& room,
                                 int source, int tag) {
  check_peer(over, "precv_init", "source", source, over.topology().sources());
  channel_end const end = end_of("precv_init", "from", room, source, tag);
  if (checks_are_on())
    check_apart("precv_init", {}, {&room, 1});
  partitioned_parts parts{.name = end.name, .keeps = over.keep_alive(), .is_gone = over.is_gone()};
  parts.parts.push_back(make_receiving_end(over, end));
  parts.arriving.push_back({parts.parts[0].get(), source});
  parts.record = call_record::of_peers(over.view(), {&source, 1});
  return partitioned_operation(std::move(parts));
}

} // namespace seam

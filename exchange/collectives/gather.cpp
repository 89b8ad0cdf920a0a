#include <seam/exchange/collectives/gather.hpp>

#include <seam/exchange/error.hpp>

#include <fmt/format.h>

namespace seam {
namespace {

/// @param receives  [sources] at the root
schedule plan_gather(ports const& over, elements const& send, std::vector<elements> receives,
                     rooted_edges const& edges) {
  bool const in_place = is_in_place(send);
  if (in_place && !edges.is_root)
    refuse("gather: MPI_IN_PLACE at a process that is not the root (expected a block)");
  elements const nothing{nullptr, 0, MPI_BYTE};
  std::vector<elements> sends(over.topology.destinations().size(), nothing);
  if (!edges.is_root)
    receives.assign(over.topology.sources().size(), nothing);
  for (int e : edges.at_leaf)
    sends[static_cast<std::size_t>(e)] = in_place ? nothing : send;
  if (in_place)
    for (std::size_t e = 0; e < receives.size(); ++e)
      if (over.topology.sources()[e].rank == over.rank)
        receives[e] = nothing;
  return along_edges(over, sends, receives);
}

} // namespace

collective gather(elements const& send, elements const& receive, int root) {
  collective what{.name = "gather", .plan = [=](ports const& over) {
                    auto const edges = edges_to_root(over, root);
                    auto const blocks = edges.is_root ? over.topology.sources().size() : 0;
                    return plan_gather(over, send, blocks_from(receive, blocks), edges);
                  }};
  what.common = {.root = root, .values = is_in_place(send) ? receive : send};
  what.key = call_key(send, receive, root);
  if (fits_int(send) && fits_int(receive))
    what.complete = what.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
      return MPI_Igather(send.data, static_cast<int>(send.count), send.type,
                         const_cast<void*>(receive.data), static_cast<int>(receive.count),
                         receive.type, root, comm, request);
    };
  return what;
}

collective gatherw(elements const& send, std::vector<elements> receives, int root) {
  call_key key({send}, receives, root);
  return {.name = "gatherw",
          .plan =
              [=, receives = std::move(receives)](ports const& over) {
                auto const edges = edges_to_root(over, root);
                if (edges.is_root && receives.size() != over.topology.sources().size())
                  refuse(fmt::format("gatherw: {} blocks for {} sources (expected one for each)",
                                     receives.size(), over.topology.sources().size()));
                return plan_gather(over, send, receives, edges);
              },
          .key = std::move(key),
          .common = {.root = root}};
}

collective detail::gather_by_counts(elements const& send, elements const& receive,
                                    std::vector<int> const& counts, int root) {
  auto const blocks = blocks_of_counts(receive, counts);
  collective what = gatherw(send, blocks, root);
  what.key = call_key({send}, blocks, root, receive.count);
  what.plan = [=, plan = std::move(what.plan)](ports const& over) {
    if (edges_to_root(over, root).is_root)
      check_counts("gatherv", receive, counts);
    return plan(over);
  };
  return what;
}

} // namespace seam

#include <seam/exchange/collectives/gather.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/forms.hpp>

#include <fmt/format.h>

#include <memory>

namespace seam {
namespace {

/// Plans one process's part in a gather.
/// @param receives  [sources] at the root
schedule plan_gather(collective_edges const& over, elements const& send,
                     std::vector<elements> receives, rooted_edges const& edges) {
  bool const in_place = is_in_place(send);
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
  return once_to_each(over, sends, receives);
}

void check_degree(collective_edges const& over, std::vector<elements> const& receives,
                  rooted_edges const& edges) {
  std::size_t const degree = over.topology.sources().size();
  if (edges.is_root && receives.size() != degree)
    refuse(fmt::format("gather: {} blocks for {} sources (expected one for each)", receives.size(),
                       degree));
}

/// Checks the root and this process's own block. Returns true if this process is the root.
bool check_leaf(call_arguments const& call, elements const& send, int root) {
  call.check_root(root);
  call.check_at_leaf(send, root, call.num_leaving_to(root));
  return call.is_root(root);
}

} // namespace

collective gather(elements const& send, elements const& receive, int root) {
  collective definition{.name = "gather", .plan = [=](collective_edges const& over) {
                          auto const edges = edges_to_root(over, root);
                          auto const blocks = edges.is_root ? over.topology.sources().size() : 0;
                          return plan_gather(over, send, blocks_from(receive, blocks), edges);
                        }};
  definition.common = {.root = root, .values = is_in_place(send) ? receive : send};
  definition.key = call_key(send, receive, root);
  definition.check = [=](Communicator const& over) {
    call_arguments const call("gather", over);
    if (check_leaf(call, send, root))
      call.check_addressed(receive, call.num_arriving());
  };
  if (fits_int(send) && fits_int(receive))
    definition.complete = definition.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
      return mpi::call(MPI_Gather, MPI_Igather, request, send.data, static_cast<int>(send.count),
                       send.type, const_cast<void*>(receive.data), static_cast<int>(receive.count),
                       receive.type, root, comm);
    };
  return definition;
}

collective gatherw(elements const& send, std::vector<elements> receives, int root) {
  collective definition{.name = "gatherw", .common = {.root = root}};
  definition.key = call_key(std::span(&send, 1), receives, root);
  auto const blocks = std::make_shared<std::vector<elements> const>(std::move(receives));
  definition.plan = [=](collective_edges const& over) {
    auto const edges = edges_to_root(over, root);
    check_degree(over, *blocks, edges);
    return plan_gather(over, send, *blocks, edges);
  };
  definition.check = [=](Communicator const& over) {
    call_arguments const call("gatherw", over);
    if (check_leaf(call, send, root))
      call.check_blocks(*blocks);
  };
  return definition;
}

collective detail::gather_by_counts(elements const& send, elements const& receive,
                                    std::vector<int> const& counts, int root) {
  collective definition{.name = "gatherv", .common = {.root = root}};
  definition.key = call_key(send, receive, root);
  definition.key.append_counts(counts);
  counted_blocks const receives{receive, kept_counts(counts)};
  definition.plan = [=](collective_edges const& over) {
    auto const edges = edges_to_root(over, root);
    auto const blocks = receives.each();
    check_degree(over, blocks, edges);
    return plan_gather(over, send, blocks, edges);
  };
  definition.check = [=](Communicator const& over) {
    call_arguments const call("gatherv", over);
    if (check_leaf(call, send, root))
      call.check_blocks(receives.all, receives.counts.span());
  };
  return definition;
}

} // namespace seam

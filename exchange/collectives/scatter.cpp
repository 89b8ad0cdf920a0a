#include <seam/exchange/collectives/scatter.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/forms.hpp>

#include <fmt/format.h>

#include <memory>
#include <set>

namespace seam {
namespace {

/// Plans one process's part in a scatter.
/// @param sends  [destinations] at the root
schedule plan_scatter(collective_edges const& over, std::vector<elements> sends,
                      elements const& receive, rooted_edges const& edges) {
  bool const in_place = is_in_place(receive);
  elements const nothing{nullptr, 0, MPI_BYTE};
  std::vector<elements> receives(over.topology.sources().size(), nothing);
  if (!edges.is_root)
    sends.assign(over.topology.destinations().size(), nothing);
  std::set<int> reached;
  if (in_place)
    reached.insert(over.rank);
  for (std::size_t e = sends.size(); e-- > 0;)
    if (!reached.insert(over.topology.destinations()[e].rank).second)
      sends[e] = nothing;
  if (!in_place && !edges.at_leaf.empty())
    receives[static_cast<std::size_t>(edges.at_leaf.back())] = receive;
  return along_edges(over, sends, receives);
}

void check_degree(collective_edges const& over, std::vector<elements> const& sends,
                  rooted_edges const& edges) {
  std::size_t const degree = over.topology.destinations().size();
  if (edges.is_root && sends.size() != degree)
    refuse(fmt::format("scatter: {} blocks for {} destinations (expected one for each)",
                       sends.size(), degree));
}

/// Checks the root and this process's own block. Returns true if this process is the root.
bool check_leaf(call_arguments const& call, elements const& receive, int root) {
  call.check_root(root);
  call.check_at_leaf(receive, root, call.num_arriving_from(root));
  return call.is_root(root);
}

} // namespace

collective scatter(elements const& send, elements const& receive, int root) {
  collective definition{.name = "scatter", .plan = [=](collective_edges const& over) {
                          auto const edges = edges_from_root(over, root);
                          auto const blocks =
                              edges.is_root ? over.topology.destinations().size() : 0;
                          return plan_scatter(over, blocks_from(send, blocks), receive, edges);
                        }};
  definition.common = {.root = root, .values = is_in_place(receive) ? send : receive};
  definition.key = call_key(send, receive, root);
  definition.check = [=](Communicator const& over) {
    call_arguments const call("scatter", over);
    if (check_leaf(call, receive, root))
      call.check_addressed(send, call.num_leaving());
  };
  if (fits_int(send) && fits_int(receive))
    definition.complete = definition.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
      return mpi::call(MPI_Scatter, MPI_Iscatter, request, send.data, static_cast<int>(send.count),
                       send.type, const_cast<void*>(receive.data), static_cast<int>(receive.count),
                       receive.type, root, comm);
    };
  return definition;
}

collective scatterw(std::vector<elements> sends, elements const& receive, int root) {
  collective definition{.name = "scatterw", .common = {.root = root}};
  definition.key = call_key(sends, std::span(&receive, 1), root);
  auto const blocks = std::make_shared<std::vector<elements> const>(std::move(sends));
  definition.plan = [=](collective_edges const& over) {
    auto const edges = edges_from_root(over, root);
    check_degree(over, *blocks, edges);
    return plan_scatter(over, *blocks, receive, edges);
  };
  definition.check = [=](Communicator const& over) {
    call_arguments const call("scatterw", over);
    if (check_leaf(call, receive, root))
      call.check_blocks(*blocks);
  };
  return definition;
}

collective detail::scatter_by_counts(elements const& send, std::vector<int> const& counts,
                                     elements const& receive, int root) {
  collective definition{.name = "scatterv", .common = {.root = root}};
  definition.key = call_key(send, receive, root);
  definition.key.append_counts(counts);
  counted_blocks const sends{send, kept_counts(counts)};
  definition.plan = [=](collective_edges const& over) {
    auto const edges = edges_from_root(over, root);
    auto const blocks = sends.each();
    check_degree(over, blocks, edges);
    return plan_scatter(over, blocks, receive, edges);
  };
  definition.check = [=](Communicator const& over) {
    call_arguments const call("scatterv", over);
    if (check_leaf(call, receive, root))
      call.check_blocks(sends.all, sends.counts.span());
  };
  return definition;
}

} // namespace seam

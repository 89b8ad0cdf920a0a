#include <seam/exchange/collectives/scatter.hpp>

#include <seam/exchange/calls/detail/collective_definition.hpp>
#include <seam/exchange/mpi/forms.hpp>

#include <algorithm>
#include <memory>
#include <set>

namespace seam {
using namespace detail;

namespace {

/// Moves a block to each process that the root reaches, the last of several; at the root,
/// blocks_at_root(n) returns the n blocks to send.
template <class Blocks>
movement move_from_root(collective_edges const& over, elements const& receive, int root,
                        Blocks blocks_at_root) {
  auto const sources = over.topology.sources(), destinations = over.topology.destinations();
  auto const edges = edges_from_root(over, root);
  movement moved{.leaving = edges.is_root ? moved_along(blocks_at_root(destinations.size()))
                                          : none_along(destinations),
                 .arriving = none_along(sources)};
  std::set<int> reached;
  if (is_in_place(receive))
    reached.insert(over.rank);
  else if (!edges.at_leaf.empty())
    moved.arriving[edges.at_leaf.back()] = moved_block{receive};
  for (auto e = std::min(std::ssize(destinations), std::ssize(moved.leaving)); e-- > 0;)
    if (moved.leaving[e])
      moved.leaving[e]->travels = reached.insert(destinations[e].rank).second;
  return moved;
}

/// Checks the root and this process's own block. Returns true if this process is the root.
bool check_receiving_leaf(call_arguments const& call, elements const& receive, int root) {
  call.check_root(root);
  call.check_at_leaf(receive, root, call.num_arriving_from(root));
  return call.is_root(root);
}

} // namespace

collective scatter(elements const& send, elements const& receive, int root) {
  collective made("scatter");
  made.key.add(send, receive, root);
  made.define = [=](collective_definition& definition) {
    definition.moves = [=](collective_edges const& over) {
      return move_from_root(over, receive, root,
                            [&](std::int64_t count) { return blocks_from(send, count); });
    };
    definition.common = {.root = root, .values = is_in_place(receive) ? send : receive};
    definition.check = [=](call_arguments const& call) {
      if (check_receiving_leaf(call, receive, root))
        call.check_addressed(send, call.num_leaving());
    };
    if (fits_int(send) && fits_int(receive))
      definition.complete = definition.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
        return mpi::call(MPI_Scatter, MPI_Iscatter, request, send.data,
                         static_cast<int>(send.count), send.type, const_cast<void*>(receive.data),
                         static_cast<int>(receive.count), receive.type, root, comm);
      };
  };
  return made;
}

collective scatterw(std::vector<elements> sends, elements const& receive, int root) {
  collective made("scatterw");
  made.key.add_lists(sends, std::span(&receive, 1), root);
  made.define = [receive, root, sends = std::move(sends)](collective_definition& definition) {
    auto const blocks = std::make_shared<std::vector<elements> const>(sends);
    definition.common.root = root;
    definition.moves = [=](collective_edges const& over) {
      return move_from_root(over, receive, root, [&](std::int64_t) { return *blocks; });
    };
    definition.check = [=](call_arguments const& call) {
      if (check_receiving_leaf(call, receive, root))
        call.check_blocks(*blocks);
    };
  };
  return made;
}

collective detail::scatter_by_counts(elements const& send, std::vector<int> const& counts,
                                     elements const& receive, int root) {
  collective made("scatterv");
  made.key.add(send, receive, root);
  made.key.add_counts(counts);
  counted_blocks const sends{send, kept_counts(counts)};
  made.define = [=](collective_definition& definition) {
    definition.common.root = root;
    definition.moves = [=](collective_edges const& over) {
      return move_from_root(over, receive, root, [&](std::int64_t) { return sends.each(); });
    };
    definition.check = [=](call_arguments const& call) {
      if (check_receiving_leaf(call, receive, root))
        call.check_blocks(sends.all, sends.counts.span());
    };
  };
  return made;
}

} // namespace seam

#include <seam/exchange/collectives/gather.hpp>

#include <seam/exchange/calls/detail/collective_definition.hpp>
#include <seam/exchange/mpi/forms.hpp>

#include <algorithm>
#include <memory>

namespace seam {
using namespace detail;

namespace {

/// Moves a block of each process to the root; there, blocks_at_root(n) returns the n blocks to
/// fill.
template <class Blocks>
movement move_to_root(collective_edges const& over, elements const& send, int root,
                      Blocks blocks_at_root) {
  auto const sources = over.topology.sources(), destinations = over.topology.destinations();
  auto const edges = edges_to_root(over, root);
  bool const in_place = is_in_place(send), is_bipartite = over.rank == MPI_PROC_NULL;
  movement moved{.leaving = none_along(destinations),
                 .arriving = edges.is_root ? moved_along(blocks_at_root(sources.size()))
                                           : none_along(sources),
                 .is_for_all = true,
                 .has_block = !in_place && (!is_bipartite || !edges.at_leaf.empty())};
  for (int e : edges.at_leaf)
    if (!in_place)
      moved.leaving[e] = moved_block{send};
  for (int e = 0; e < std::min(std::ssize(sources), std::ssize(moved.arriving)); ++e)
    if (in_place && moved.arriving[e] && sources[e].rank == over.rank)
      moved.arriving[e]->travels = false;
  return moved;
}

/// Checks the root and this process's own block. Returns true if this process is the root.
bool check_sending_leaf(call_arguments const& call, elements const& send, int root) {
  call.check_root(root);
  call.check_at_leaf(send, root, call.num_leaving_to(root));
  return call.is_root(root);
}

} // namespace

collective gather(elements const& send, elements const& receive, int root) {
  collective made("gather");
  made.key.add(send, receive, root);
  made.define = [=](collective_definition& definition) {
    definition.moves = [=](collective_edges const& over) {
      return move_to_root(over, send, root,
                          [&](std::int64_t count) { return blocks_from(receive, count); });
    };
    definition.common = {.root = root, .values = is_in_place(send) ? receive : send};
    definition.check = [=](call_arguments const& call) {
      if (check_sending_leaf(call, send, root))
        call.check_addressed(receive, call.num_arriving());
    };
    if (fits_int(send) && fits_int(receive))
      definition.complete = definition.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
        return mpi::call(MPI_Gather, MPI_Igather, request, send.data, static_cast<int>(send.count),
                         send.type, const_cast<void*>(receive.data),
                         static_cast<int>(receive.count), receive.type, root, comm);
      };
  };
  return made;
}

collective gatherw(elements const& send, std::vector<elements> receives, int root) {
  collective made("gatherw");
  made.key.add_lists(std::span(&send, 1), receives, root);
  made.define = [send, root, receives = std::move(receives)](collective_definition& definition) {
    auto const blocks = std::make_shared<std::vector<elements> const>(receives);
    definition.common.root = root;
    definition.moves = [=](collective_edges const& over) {
      return move_to_root(over, send, root, [&](std::int64_t) { return *blocks; });
    };
    definition.check = [=](call_arguments const& call) {
      if (check_sending_leaf(call, send, root))
        call.check_blocks(*blocks);
    };
  };
  return made;
}

collective detail::gather_by_counts(elements const& send, elements const& receive,
                                    std::vector<int> const& counts, int root) {
  collective made("gatherv");
  made.key.add(send, receive, root);
  made.key.add_counts(counts);
  counted_blocks const receives{receive, kept_counts(counts)};
  made.define = [=](collective_definition& definition) {
    definition.common.root = root;
    definition.moves = [=](collective_edges const& over) {
      return move_to_root(over, send, root, [&](std::int64_t) { return receives.each(); });
    };
    definition.check = [=](call_arguments const& call) {
      if (check_sending_leaf(call, send, root))
        call.check_blocks(receives.all, receives.counts.span());
    };
  };
  return made;
}

} // namespace seam

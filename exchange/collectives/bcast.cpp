#include <seam/exchange/collectives/bcast.hpp>

#include <seam/exchange/calls/detail/collective_definition.hpp>
#include <seam/exchange/mpi/forms.hpp>

#include <set>

namespace seam {
using namespace detail;

namespace {

/// Moves the root's elements along the first of several edges to one process, and not to itself.
movement move_from_root(collective_edges const& over, elements const& buffer, int root) {
  auto const sources = over.topology.sources(), destinations = over.topology.destinations();
  auto const edges = edges_from_root(over, root);
  movement moved{.leaving = none_along(destinations),
                 .arriving = none_along(sources),
                 .is_for_all = true,
                 .has_block = edges.is_root};
  std::set<int> reached{over.rank};
  for (int e : edges.at_root)
    if (reached.insert(destinations[e].rank).second)
      moved.leaving[e] = moved_block{buffer};
  if (!edges.is_root && !edges.at_leaf.empty())
    moved.arriving[edges.at_leaf.front()] = moved_block{buffer};
  return moved;
}

void check(call_arguments const& call, elements const& buffer, int root) {
  call.check_root(root);
  if (call.is_root(root))
    call.check_addressed(buffer, call.num_leaving());
  else if (call.is_leaf(root))
    call.check_addressed(buffer, call.num_arriving_from(root));
}

} // namespace

collective bcast(elements const& buffer, int root) {
  collective made("bcast");
  made.key.add(buffer, buffer, root);
  made.define = [=](collective_definition& definition) {
    definition.moves = [=](collective_edges const& over) {
      return move_from_root(over, buffer, root);
    };
    definition.common = {.root = root, .values = buffer};
    definition.check = [=](call_arguments const& call) { check(call, buffer, root); };
    if (fits_int(buffer))
      definition.complete = definition.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
        return mpi::call(MPI_Bcast, MPI_Ibcast, request, const_cast<void*>(buffer.data),
                         static_cast<int>(buffer.count), buffer.type, root, comm);
      };
  };
  return made;
}

} // namespace seam

#include <seam/exchange/collectives/bcast.hpp>

#include <seam/exchange/mpi/forms.hpp>

#include <set>

namespace seam {
namespace {

schedule plan_bcast(collective_edges const& over, elements const& buffer, int root) {
  auto const edges = edges_from_root(over, root);
  elements const nothing{buffer.data, 0, buffer.type};
  std::vector<elements> sends(over.topology.destinations().size(), nothing);
  std::vector<elements> receives(over.topology.sources().size(), nothing);
  // The root sends along the first of several edges to one process, and not to itself.
  std::set<int> reached{over.rank};
  for (int e : edges.at_root)
    if (reached.insert(over.topology.destinations()[static_cast<std::size_t>(e)].rank).second)
      sends[static_cast<std::size_t>(e)] = buffer;
  if (!edges.is_root && !edges.at_leaf.empty())
    receives[static_cast<std::size_t>(edges.at_leaf.front())] = buffer;
  return along_edges(over, sends, receives);
}

void check(Communicator const& over, elements const& buffer, int root) {
  call_arguments const call("bcast", over);
  call.check_root(root);
  if (call.is_root(root))
    call.check_addressed(buffer, call.num_leaving());
  else if (call.is_leaf(root))
    call.check_addressed(buffer, call.num_arriving_from(root));
}

} // namespace

collective bcast(elements const& buffer, int root) {
  collective definition{.name = "bcast", .plan = [=](collective_edges const& over) {
                          return plan_bcast(over, buffer, root);
                        }};
  definition.common = {.root = root, .values = buffer};
  definition.key = call_key(buffer, buffer, root);
  definition.check = [=](Communicator const& over) { check(over, buffer, root); };
  if (fits_int(buffer))
    definition.complete = definition.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
      return mpi::call(MPI_Bcast, MPI_Ibcast, request, const_cast<void*>(buffer.data),
                       static_cast<int>(buffer.count), buffer.type, root, comm);
    };
  return definition;
}

} // namespace seam

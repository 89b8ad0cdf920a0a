#include <seam/exchange/planning/detail/collective_edges.hpp>

#include <seam/exchange/mpi/detail/context.hpp>

namespace seam::detail {

int num_peers_of(MPI_Comm comm) {
  if (mpi::context const* const endpoints = mpi::context_of(comm))
    return static_cast<int>(std::ssize(endpoints->peers()));
  int size = 0;
  if (mpi::is_bipartite(comm))
    mpi::check(MPI_Comm_remote_size(comm, &size), "MPI_Comm_remote_size");
  else
    mpi::check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  return size;
}

collective_edges edges_of(Communicator const& over) {
  if (over.topology().is_graph())
    return {over.topology(), over.rank(), over.size(), over.structure()};
  return edges_to_all_peers(over);
}

collective_edges edges_to_all_peers(Communicator const& over) {
  int const num_peers = num_peers_of(over.view().native());
  bool const bipartite = over.topology().is_bipartite();
  std::vector<edge> edges;
  for (int rank = 0; rank < num_peers; ++rank)
    edges.push_back({rank});
  return {Topology::graph(edges, edges), bipartite ? MPI_PROC_NULL : over.rank(), num_peers,
          nullptr};
}

} // namespace seam::detail

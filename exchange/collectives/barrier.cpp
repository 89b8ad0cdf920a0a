#include <seam/exchange/collectives/barrier.hpp>

#include <seam/exchange/endpoints/detail/collectives.hpp>
#include <seam/exchange/mpi/forms.hpp>
#include <seam/exchange/planning/detail/edges.hpp>

#include <array>

namespace seam {
using namespace detail;

collective barrier() {
  auto const native = [](MPI_Comm comm, MPI_Request* request) {
    return mpi::call(MPI_Barrier, MPI_Ibarrier, request, comm);
  };
  elements const nothing{nullptr, 0, MPI_DATATYPE_NULL};
  collective made("barrier");
  made.key.add(nothing, nothing);
  made.define = [=](collective_definition& definition) {
    definition.complete = native;
    definition.bipartite = &mpi::barrier_between_sides;
    definition.among_endpoints = &detail::barrier;
    definition.plan = [](collective_edges const& over) {
      auto const token = std::make_shared<std::array<std::byte, 2>>();
      elements const sent{&(*token)[0], 1, MPI_BYTE}, received{&(*token)[1], 1, MPI_BYTE};
      schedule steps = along_edges(over, std::vector(over.topology.destinations().size(), sent),
                                   std::vector(over.topology.sources().size(), received), true);
      steps.keeps.push_back(token);
      return steps;
    };
  };
  return made;
}

} // namespace seam

#include <seam/exchange/collectives/barrier.hpp>

#include <seam/exchange/calls/detail/collective_definition.hpp>
#include <seam/exchange/endpoints/detail/collectives.hpp>
#include <seam/exchange/mpi/forms.hpp>
#include <seam/exchange/planning/detail/edges.hpp>

#include <array>
#include <memory>
#include <set>
#include <span>
#include <vector>

namespace seam {
using namespace detail;

namespace {

/// For each edge the sign, a byte; nothing for edges behind the first one with a process, and for those
/// to the process itself.
std::vector<elements> signs_along(std::span<edge const> edges, int self, elements const& sign) {
  std::set<int> known{self};
  std::vector<elements> signs;
  for (edge const& listed : edges)
    signs.push_back(known.insert(listed.rank).second ? sign : elements{sign.data, 0, sign.type});
  return signs;
}

/// One byte to each process that edges lead to, and from each that they come from.
schedule plan_of_signs(collective_edges const& over) {
  auto const bytes = std::make_shared<std::array<std::byte, 2>>();
  elements const sent{bytes->data(), 1, MPI_BYTE}, received{bytes->data() + 1, 1, MPI_BYTE};
  schedule steps = along_edges(over, signs_along(over.topology.destinations(), over.rank, sent),
                               signs_along(over.topology.sources(), over.rank, received), true);
  steps.keeps.push_back(bytes);
  return steps;
}

} // namespace

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
    definition.plan = &plan_of_signs;
  };
  return made;
}

} // namespace seam

#include <seam/exchange/communicator/refuse_topology.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

namespace seam::detail {
namespace {

std::string_view name_of(topology_kind kind) {
  switch (kind) {
  case topology_kind::complete: return "complete";
  case topology_kind::bipartite: return "bipartite";
  case topology_kind::graph: break;
  }
  return "graph";
}

} // namespace

void refuse_topology(Communicator const& over, std::string_view call, std::string_view expected,
                     source_place place) {
  constexpr bool on_all_ranks = true;
  throw usage_error(fmt::format("{}: has no meaning on a {} communicator (expected {}, such as "
                                "base()) [{}]",
                                call, name_of(over.topology().kind()), expected, where(place)),
                    on_all_ranks, MPI_ERR_COMM);
}

} // namespace seam::detail

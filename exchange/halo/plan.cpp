#include <seam/exchange/halo/plan.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

namespace seam {
using namespace detail;

namespace {

void check_lists(std::span<edge const> edges, regions_of_edges const& regions,
                 char const* direction) {
  if (std::ssize(edges) != regions.num_edges())
    refuse(fmt::format("plan: {} region lists for {} {} (expected one list for each edge)",
                       regions.num_edges(), edges.size(), direction));
}

} // namespace

plan::plan(Topology topology, regions_of_edges sends, regions_of_edges receives)
    : topology_(std::move(topology)), sends_(std::move(sends)), receives_(std::move(receives)) {
  check_lists(topology_.destinations(), sends_, "destinations");
  check_lists(topology_.sources(), receives_, "sources");
}

std::int64_t plan::volume(int rank) const {
  std::int64_t sum = 0;
  for (int e = 0; e < sends_.num_edges(); ++e)
    if (topology_.destinations()[e].rank != rank)
      sum += sends_.num_elements(e);
  return sum;
}

} // namespace seam

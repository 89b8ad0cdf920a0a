/// Rounds of halos that are written by hand, for tests of functions that take rounds.
#pragma once

#include <seam/stencil/detail/halo_plan.hpp>

#include <utility>
#include <vector>

namespace seam::testing {

/// A round that brings ghosts from the given ranks; their regions do not matter.
template <int D>
detail::halo_round<D> round_bringing(std::vector<std::pair<int, box<D>>> const& ghosts) {
  std::vector<edge> sources;
  std::vector<region> receives;
  std::vector<box<D>> boxes;
  for (auto const& [rank, cells] : ghosts) {
    sources.push_back({rank, 1});
    receives.emplace_back();
    boxes.push_back(cells);
  }
  return {plan(Topology::graph(std::move(sources), {}), regions_of_edges(std::vector<region>{}),
               regions_of_edges(std::move(receives))),
          std::move(boxes),
          {}};
}

} // namespace seam::testing

/// Plans: the elements that a rank sends along its outgoing and receives along its incoming edges.
/// A plan has neither buffers nor element types; it serves all fields of one layout.
///
///     rank 0          rank 1            sends()[e]      regions of the rim,  r
///     . . r g    ->   g r . .           receives()[e]   regions of ghosts,   g
///     . . r g    <-   g r . .
#pragma once

#include <seam/exchange/communicator/topology.hpp>
#include <seam/exchange/schedule/detail/region.hpp>

namespace seam {

/// An exchange along the edges of a topology, in elements of one array layout. An immutable value.
///
/// The elements of sends()[e] are sent along destination e, those of receives()[e] arrive along
/// source e, in the order of their regions. Received regions may not overlap each other.
class plan {
public:
  /// Makes a plan of one region list for each edge. Local.
  /// @throws usage_error  the numbers of edges and of region lists differ
  plan(Topology topology, regions_of_edges sends, regions_of_edges receives);

  Topology const& topology() const noexcept { return topology_; }
  regions_of_edges const& sends() const noexcept { return sends_; }
  regions_of_edges const& receives() const noexcept { return receives_; }

  /// The reverse exchange: every received element is sent back to the element that it came from.
  /// With reduction::sum it adds ghosts to their owners' elements.
  plan inverse() const { return {topology_.inverse(), receives_, sends_}; }

  /// Number of elements that are sent to other processes than `rank`.
  std::int64_t volume(int rank) const;

private:
  Topology topology_;
  regions_of_edges sends_, receives_;
};

} // namespace seam

/// Plans: who sends which elements to whom. A plan knows neither buffers nor element types; the
/// same plan moves any number of fields that are laid out alike.
#pragma once

#include <seam/exchange/communicator/topology.hpp>
#include <seam/exchange/schedule/region.hpp>

namespace seam {

/// An exchange along the edges of a topology, in elements of one array layout. An immutable value.
///
/// Along destination e travel the elements sends()[e], along source e arrive receives()[e], in the
/// order of their regions. Regions that are received may not overlap each other.
class plan {
public:
  /// @throws usage_error  the numbers of edges and of region lists differ. Local.
  plan(Topology topology, regions_of_edges sends, regions_of_edges receives);

  Topology const& topology() const noexcept { return topology_; }
  regions_of_edges const& sends() const noexcept { return sends_; }
  regions_of_edges const& receives() const noexcept { return receives_; }

  /// The way back: every element returns from where it arrives to where it came from. With a
  /// reduction this is the sum of ghosts into their owners.
  plan inverse() const { return {topology_.inverse(), receives_, sends_}; }

  /// Elements sent to other processes than `rank`. [elements]
  std::int64_t volume(int rank) const;

private:
  Topology topology_;
  regions_of_edges sends_, receives_;
};

} // namespace seam

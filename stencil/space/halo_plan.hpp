/// Halo plans: the messages that fill the ghosts at the sides of a block.
///
/// Two plans fill the same ghosts. The direct one has an edge for each side, corners included. The
/// other goes axis after axis, the fastest in memory first: a block's messages along an axis carry
/// the ghosts that it received along the axes before, and so corners travel with the faces:
///
///     round 0, axis 1          round 1, axis 0
///     . | . . . | .            x | x x x | x       x: arrive in this round
///     --+-------+--            --+-------+--
///     x | own   | x            o | own   | o       o: sent on to the next block
///
/// On axes that a process has to itself it copies its own cells to its ghosts, corners included, in
/// round 0, and waits for no message.
#pragma once

#include <seam/exchange/halo/plan.hpp>
#include <seam/stencil/space/ghosts.hpp>
#include <seam/stencil/space/grid_space.hpp>

#include <vector>

namespace seam::detail {

/// A plan, and the boxes of cells that its edges read and fill, in indices relative to the block.
struct halo_round {
  plan what;
  std::vector<box3> sources, destinations; ///< ghosts and rims, in the order of the edges

  /// The round from ghosts to rims.
  halo_round inverse() const { return {what.inverse(), destinations, sources}; }
};

/// The plan in which each side's ghosts come directly from the rank that owns them.
///
/// @param sides  from ghost_sides(); elements are those of an array of the rank's block and ghosts of
///               width_of(sides) around it
/// Local.
halo_round make_direct_halo(grid_space const& grid, std::vector<ghost_side> const& sides);

/// Rounds to be carried out one after another that fill the ghosts at `sides`, with at most two
/// slabs for each axis. Axes that do not need each other's ghosts share a round; copies inside a
/// process are in the first. Some ghosts at corners that no side needs may be written too. Each
/// slab is cut into at most `most_parts` parts of about `cells_of_part` cells, which can leave and
/// arrive one by one; both ends of an edge have the same parts. Other parameters are those above;
/// all ranks get the same number of rounds. Local. Source: [Traeff2021] sec. 3.5, on not sending
/// data of corners twice.
std::vector<halo_round> make_halo_parts(grid_space const& grid,
                                        std::vector<ghost_side> const& sides,
                                        std::int64_t cells_of_part, int most_parts);

/// The plans of all rounds.
/// Local.
std::vector<plan> plans_of(std::vector<halo_round> const& rounds);

/// The boxes of all rounds that their edges read, or fill.
/// @param end  &halo_round::destinations or &halo_round::sources
/// Local.
std::vector<box3> boxes_of(std::vector<halo_round> const& rounds,
                           std::vector<box3> halo_round::*end);

} // namespace seam::detail

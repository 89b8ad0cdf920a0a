/// Halo plans: from the sides of a block that a neighborhood reaches into to messages.
///
/// Two plans fill the same ghosts. The direct one has an edge for each side, corners included. The
/// other goes axis after axis, the fastest in memory first: what a block sends along an axis
/// carries the ghosts that it received along the axes before, and so corners travel with the faces:
///
///     round 0, axis 1          round 1, axis 0
///     . | . . . | .            x | x x x | x       x: arrive in this round
///     --+-------+--            --+-------+--
///     x | own   | x            o | own   | o       o: sent on to the next block
#pragma once

#include <seam/exchange/plan.hpp>
#include <seam/mapping/cartesian_naming.hpp>
#include <seam/stencil/ghosts.hpp>

#include <vector>

namespace seam {

/// The plan by which each side's ghosts come straight from the rank that owns them.
///
/// @param naming  names the processes; blocks in a row have the same extents across it
/// @param block   the cells of `rank`, in global indices
/// @param sides   from ghost_sides(); elements are those of an array of the block and ghosts of
///                width_of(sides) around it
/// Local.
template <int D>
plan make_halo_plan(CartesianNaming const& naming, int rank, box<D> const& block,
                    std::vector<ghost_side<D>> const& sides);

/// Plans to be carried out one after another that fill the ghosts at `sides`, with at most two
/// edges for each axis. Axes that do not need each other's ghosts share a round. Some ghosts at
/// corners that no side asks for may be written too. Parameters as above; as many plans on all
/// ranks. Local. Source: [Traeff2021] sec. 3.5, on not sending data of corners twice.
template <int D>
std::vector<plan> make_halo_rounds(CartesianNaming const& naming, int rank, box<D> const& block,
                                   std::vector<ghost_side<D>> const& sides);

} // namespace seam

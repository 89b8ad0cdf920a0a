/// Ghost messages: which parts of arrays a rank sends and receives on a grid, from what each rank needs
/// of others. Every rank computes what others need of it, so that nothing is asked.
#pragma once

#include <seam/exchange/steps/program/step_space.hpp>
#include <seam/stencil/space/needed_values.hpp>

#include <functional>
#include <vector>

namespace seam::detail {

/// A box of an array that a rank needs, of values at `on` of a grid.
struct needed_box {
  int number; ///< of the array and its component
  grid_space const* grid;
  centering on;
  box3 needed;
};
using needed_by_rank = std::function<std::vector<needed_box>(int rank)>;

/// What leaves this rank and arrives here, this rank's own included among what arrives.
/// @param reach  bound of the distance between a block and what its rank needs, the same on all
/// Local.
step_partners partners_within(grid_space const& grid, index3 const& reach,
                              needed_by_rank const& needed_by);

} // namespace seam::detail

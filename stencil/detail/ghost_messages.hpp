/// Ghost messages: which regions of arrays a rank sends and receives, from what each rank needs of others.
/// Every rank computes what others need of it, so that nothing is asked.
#pragma once

#include <seam/exchange/halo/exchange.hpp>
#include <seam/stencil/detail/needed_values.hpp>

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace seam::detail {

/// Parts that one rank needs, each of an array that has a number, in an order on which both ends agree.
using numbered_parts = std::vector<std::pair<int, owned_part>>;
using owners2parts = std::map<int, numbered_parts>;

/// Adds the parts of `needed` of the array `number`, by owners.
void add_parts(owners2parts& parts, grid_space const& grid, centering on, box3 const& needed,
               int number);

/// The ends of messages on this rank: the ranks at the other ends, ascending, and what they carry.
struct message_ends {
  std::vector<int> ranks;
  std::vector<std::vector<array_region>> regions; ///< [ranks]

  std::vector<edge> edges() const { return {ranks.begin(), ranks.end()}; }
};

struct ghost_messages {
  message_ends leaving, arriving;
};

/// The messages of this rank; one to itself, if it needs parts of its own.
/// @param reach      bound of the distance between a block and what its rank needs, the same on all
/// @param needed_by  what a rank needs
/// @param region_of  the place of a box of an array in memory
/// Local.
ghost_messages messages_of(grid_space const& grid, index3 const& reach,
                           std::function<owners2parts(int rank)> const& needed_by,
                           std::function<array_region(int number, box3 const&)> const& region_of);

} // namespace seam::detail

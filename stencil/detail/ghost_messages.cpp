#include <seam/stencil/detail/ghost_messages.hpp>

namespace seam::detail {

void add_parts(owners2parts& parts, grid_space const& grid, centering on, box3 const& needed,
               int number) {
  for (owned_part const& part : owned_parts(grid, on, needed))
    parts[part.owner].emplace_back(number, part);
}

ghost_messages messages_of(grid_space const& grid, index3 const& reach,
                           std::function<owners2parts(int rank)> const& needed_by,
                           std::function<array_region(int number, box3 const&)> const& region_of) {
  auto const add = [&](message_ends& ends, int other, numbered_parts const& parts,
                       box3 owned_part::*end) {
    ends.ranks.push_back(other);
    ends.regions.emplace_back();
    for (auto const& [number, part] : parts)
      ends.regions.back().push_back(region_of(number, part.*end));
  };
  ghost_messages made;
  for (int const other : ranks_within(grid, grid.rank(), reach)) {
    auto const parts = needed_by(other);
    if (auto const own = parts.find(grid.rank()); own != parts.end())
      add(made.leaving, other, own->second, &owned_part::owned);
  }
  for (auto const& [owner, parts] : needed_by(grid.rank()))
    add(made.arriving, owner, parts, &owned_part::needed);
  return made;
}

} // namespace seam::detail

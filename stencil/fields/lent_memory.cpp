#include <seam/stencil/fields/field_arrays.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace seam::detail {
namespace {

/// Refuses a view whose extents are not those of a block with ghosts.
void check_extents(grid_space const& space, std::string const& name, field_options const& options,
                   std::vector<std::int64_t> const& extents) {
  int const axes = space.num_axes(), more = static_cast<int>(std::ssize(extents)) - axes;
  bool fits =
      more == 0 ? options.components == 1 : more == 1 && extents.front() == options.components;
  std::vector<std::int64_t> least;
  if (more == 1)
    least.push_back(options.components);
  for (int a = space.first_axis(); a < 3; ++a) {
    std::int64_t const below = space.ghosts().below[a], above = space.ghosts().above[a];
    std::int64_t const own = space.owned(options.on).extent(a),
                       found = extents[a - 3 + more + axes];
    least.push_back(own + below + above);
    bool const is_wider = (found - own) % 2 == 0 && (found - own) / 2 >= std::max(below, above);
    fits = fits && (found == least.back() || is_wider);
  }
  if (!fits)
    refuse(
        fmt::format("field '{}': a view of {} values for {} component{} (expected {} on rank {}: "
                    "its block with ghosts, or more ghosts, as many on both sides)",
                    name, fmt::join(extents, "x"), options.components,
                    options.components > 1 ? "s" : "", fmt::join(least, "x"), space.rank()));
}

} // namespace

void check_lent(grid_space const& space, std::string const& name, field_options const& options,
                lent_memory const& lent) {
  if (!lent.is_owned)
    refuse(
        fmt::format("field '{}': a view that does not own its memory (expected one that does, or "
                    "memory_lifetime::of_caller: it outlives the field and what uses it)",
                    name));
  if (options.levels != 1)
    refuse(fmt::format("field '{}': {} levels on a view (expected one)", name, options.levels));
  if (!lent.is_dense)
    refuse(fmt::format("field '{}': a view with gaps, or whose last axis is not the contiguous one "
                       "(expected LayoutRight)",
                       name));
  check_extents(space, name, options, lent.extents);
}

ghost_width<3> ghosts_of(grid_space const& space, centering on, lent_memory const& lent) {
  ghost_width<3> made = space.ghosts();
  index3 const own = space.owned(on).extents();
  for (int a = space.first_axis(); a < 3; ++a) {
    std::int64_t const more = *(lent.extents.end() - 3 + a) - own[a];
    if (more != made.below[a] + made.above[a])
      made.below[a] = made.above[a] = more / 2;
  }
  return made;
}

} // namespace seam::detail

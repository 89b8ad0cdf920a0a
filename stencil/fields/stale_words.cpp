#include <seam/stencil/fields/stale_words.hpp>

#include <seam/stencil/space/ghosts.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace seam::detail {
namespace {

box3 owned_by(buffer_layout const& layout) {
  return {{}, layout.space->owned(layout.options.on).extents()};
}

/// Owned values that neither neighbors nor conditions on borders read.
box3 inner_of(buffer_layout const& layout) {
  box3 const owned = owned_by(layout);
  index3 width{};
  for (int a = 0; a < 3; ++a)
    width[a] = std::max(owned.lo[a] - layout.local.lo[a], layout.local.hi[a] - owned.hi[a]) +
               (layout.space->is_low(layout.options.on, a)
                    ? 1
                    : 0); // faces on a border mirror the next but one
  return shrink(owned, width, width);
}

index3 cell_of(std::int64_t number, box3 const& all) {
  index3 at{};
  for (int a = 2; a >= 0; --a) {
    at[a] = all.lo[a] + number % all.extent(a);
    number /= all.extent(a);
  }
  return at;
}

/// "the low side of axis 0 and the high side of axis 1".
std::string sides_of(index3 const& ghost, buffer_layout const& layout) {
  box3 const owned = owned_by(layout);
  std::string text;
  for (int a = 0; a < 3; ++a)
    if (ghost[a] < owned.lo[a] || ghost[a] >= owned.hi[a])
      text += fmt::format("{}the {} side of axis {}", text.empty() ? "" : " and ",
                          ghost[a] < owned.lo[a] ? "low" : "high", layout.space->number_of(a));
  return text;
}

bool is_beyond_border(buffer_layout const& layout, index3 const& ghost) {
  box3 const domain = layout.space->domain(layout.options.on);
  index3 const first = layout.space->owned(layout.options.on).lo;
  for (int a = 0; a < 3; ++a) {
    std::int64_t const at = ghost[a] + first[a];
    if (!layout.space->is_periodic(a) && (at < domain.lo[a] || at >= domain.hi[a]))
      return true;
  }
  return false;
}

std::string expected_instead(buffer_layout const& layout, char const* name, index3 const& ghost,
                             element_kind kind, stale_reason why) {
  bool const is_on_its_way = why == stale_reason::is_in_flight;
  if (!is_on_its_way && is_beyond_border(layout, ghost))
    return fmt::format(
        "fill_borders() of '{}' or a loop that fills the ghost, behind the last write "
        "of '{}' and the halo",
        name, name);
  if (!is_on_its_way && kind == element_kind::ghost_out_of_reach)
    return "a neighborhood of the grid with an offset that reaches there, and a halo";
  return expected_exchange(name, why);
}

} // namespace

std::vector<element_kind> kinds_of_elements(buffer_layout const& layout) {
  box3 const owned = owned_by(layout), inner = inner_of(layout);
  std::vector<box3> in_reach;
  for (ghost_side const& side : layout.space->sides())
    in_reach.push_back(ghosts_at(owned, side));
  auto const kind_of = [&](index3 const& at) {
    if (owned.contains(at))
      return inner.contains(at) ? element_kind::inner : element_kind::rim;
    bool const is_reached =
        std::ranges::any_of(in_reach, [&](box3 const& ghosts) { return ghosts.contains(at); });
    return is_reached ? element_kind::ghost : element_kind::ghost_out_of_reach;
  };
  std::vector<element_kind> kinds;
  kinds.reserve(layout.options.components * layout.local.num_cells());
  for (int c = 0; c < layout.options.components; ++c)
    for_each_cell(layout.local, [&](index3 const& at) { kinds.push_back(kind_of(at)); });
  return kinds;
}

std::string words_of_stale_ghost(buffer_layout const& layout, char const* name,
                                 std::int64_t element, stale_reason why) {
  std::int64_t const cells = layout.local.num_cells(), component = element / cells;
  index3 const ghost = cell_of(element % cells, layout.local);
  element_kind kind = element_kind::ghost_out_of_reach;
  for (ghost_side const& side : layout.space->sides())
    if (ghosts_at(owned_by(layout), side).contains(ghost))
      kind = element_kind::ghost;
  return fmt::format(
      "stale ghost: rank {} of {} reads ({}) of '{}'{}, on {}, which {} (expected {})",
      layout.space->rank(), layout.space->size(), fmt::join(layout.space->entries_of(ghost), ", "),
      name, layout.options.components > 1 ? fmt::format(", component {}", component) : "",
      sides_of(ghost, layout), words_of_stale(why),
      expected_instead(layout, name, ghost, kind, why));
}

} // namespace seam::detail

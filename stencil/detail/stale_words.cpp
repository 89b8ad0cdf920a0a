#include <seam/stencil/detail/stale_words.hpp>

#include <seam/stencil/detail/ghosts.hpp>
#include <seam/stencil/step_offsets.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace seam::detail {
namespace {

template <int D>
std::vector<ghost_side<D>> sides_in_reach(Grid<D> const& grid) {
  return ghost_sides<D>(offsets_of<D>(grid.neighborhood()));
}

template <int D>
box<D> owned_by(buffer_layout<D> const& layout) {
  return {{}, layout.grid.owned(layout.options.on).extents()};
}

/// Owned values that neither neighbors nor conditions on borders read.
template <int D>
box<D> inner_of(buffer_layout<D> const& layout) {
  box<D> const owned = owned_by(layout);
  cell_index<D> width{};
  for (int a = 0; a < D; ++a)
    width[a] = std::max(owned.lo[a] - layout.local.lo[a], layout.local.hi[a] - owned.hi[a]) +
               (layout.options.on.is_low(a) ? 1 : 0); // faces on a border mirror the next but one
  return shrink(owned, width, width);
}

template <int D>
cell_index<D> cell_of(std::int64_t number, box<D> const& all) {
  cell_index<D> at{};
  for (int a = D - 1; a >= 0; --a) {
    at[a] = all.lo[a] + number % all.extent(a);
    number /= all.extent(a);
  }
  return at;
}

/// "the low side of axis 0 and the high side of axis 1".
template <int D>
std::string sides_of(cell_index<D> const& ghost, box<D> const& owned) {
  std::string text;
  for (int a = 0; a < D; ++a)
    if (ghost[a] < owned.lo[a] || ghost[a] >= owned.hi[a])
      text += fmt::format("{}the {} side of axis {}", text.empty() ? "" : " and ",
                          ghost[a] < owned.lo[a] ? "low" : "high", a);
  return text;
}

template <int D>
bool is_beyond_border(buffer_layout<D> const& layout, cell_index<D> const& ghost) {
  box<D> const domain = layout.grid.domain(layout.options.on);
  cell_index<D> const first = layout.grid.owned(layout.options.on).lo;
  for (int a = 0; a < D; ++a) {
    std::int64_t const at = ghost[a] + first[a];
    if (!layout.grid.is_periodic(a) && (at < domain.lo[a] || at >= domain.hi[a]))
      return true;
  }
  return false;
}

template <int D>
std::string expected_instead(buffer_layout<D> const& layout, char const* name,
                             cell_index<D> const& ghost, element_kind kind, stale_reason why) {
  if (why == stale_reason::is_in_flight)
    return "wait() for the exchange that is in flight, before the read";
  if (is_beyond_border(layout, ghost))
    return fmt::format(
        "fill_borders() of '{}' or a loop that fills the ghost, behind the last write "
        "of '{}' and the halo",
        name, name);
  if (kind == element_kind::ghost_out_of_reach)
    return "a neighborhood of the grid with an offset that reaches there, and a halo";
  return fmt::format("a run of a halo of '{}', as make_halo({}).run(), behind its last write", name,
                     name);
}

char const* words_of(stale_reason why) {
  switch (why) {
  case stale_reason::is_in_flight: return "is on its way";
  case stale_reason::was_never_filled: return "no exchange has filled";
  case stale_reason::has_changed: break;
  }
  return "is out of date";
}

} // namespace

template <int D>
std::vector<element_kind> kinds_of_elements(buffer_layout<D> const& layout) {
  box<D> const owned = owned_by(layout), inner = inner_of(layout);
  std::vector<box<D>> in_reach;
  for (ghost_side<D> const& side : sides_in_reach(layout.grid))
    in_reach.push_back(ghosts_at(owned, side));
  auto const kind_of = [&](cell_index<D> const& at) {
    if (owned.contains(at))
      return inner.contains(at) ? element_kind::inner : element_kind::rim;
    bool const is_reached =
        std::ranges::any_of(in_reach, [&](box<D> const& ghosts) { return ghosts.contains(at); });
    return is_reached ? element_kind::ghost : element_kind::ghost_out_of_reach;
  };
  std::vector<element_kind> kinds;
  kinds.reserve(layout.options.components * layout.local.num_cells());
  for (int c = 0; c < layout.options.components; ++c)
    for_each_cell(layout.local, [&](cell_index<D> const& at) { kinds.push_back(kind_of(at)); });
  return kinds;
}

template <int D>
std::string words_of_stale_ghost(buffer_layout<D> const& layout, char const* name,
                                 std::int64_t element, stale_reason why) {
  std::int64_t const cells = layout.local.num_cells(), component = element / cells;
  cell_index<D> const ghost = cell_of<D>(element % cells, layout.local);
  box<D> const owned = owned_by(layout);
  element_kind kind = element_kind::ghost_out_of_reach;
  for (ghost_side<D> const& side : sides_in_reach(layout.grid))
    if (ghosts_at(owned, side).contains(ghost))
      kind = element_kind::ghost;
  return fmt::format(
      "stale ghost: rank {} of {} reads ({}) of '{}'{}, on {}, which {} (expected {})",
      layout.grid.rank(), layout.grid.size(), fmt::join(ghost, ", "), name,
      layout.options.components > 1 ? fmt::format(", component {}", component) : "",
      sides_of<D>(ghost, owned), words_of(why),
      expected_instead<D>(layout, name, ghost, kind, why));
}

#define SEAM_FOR_DIMENSION(D)                                                                      \
  template std::vector<element_kind> kinds_of_elements(buffer_layout<D> const&);                   \
  template std::string words_of_stale_ghost(buffer_layout<D> const&, char const*, std::int64_t,    \
                                            stale_reason);
SEAM_FOR_DIMENSION(1)
SEAM_FOR_DIMENSION(2)
SEAM_FOR_DIMENSION(3)
#undef SEAM_FOR_DIMENSION

} // namespace seam::detail

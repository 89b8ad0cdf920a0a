#include <seam/stencil/detail/field_exchange.hpp>

#include <seam/stencil/detail/needed_values.hpp>
#include <seam/stencil/layout.hpp>
#include <seam/stencil/step_offsets.hpp>

#include <map>
#include <vector>

namespace seam::detail {
namespace {

/// What one rank needs of others: for each owner the parts, as arrays' numbers and boxes.
template <int D>
std::map<int, std::vector<std::pair<int, owned_part<D>>>>
needed_by(int rank, std::span<std::shared_ptr<field_state<D>> const> fields) {
  std::map<int, std::vector<std::pair<int, owned_part<D>>>> owners2parts;
  for (int f = 0; f < std::ssize(fields); ++f) {
    field_state<D> const& field = *fields[f];
    centering const on = field.options.on;
    box<D> const own = field.grid.owned_by(rank, on);
    needed_values<D> needs(field.grid, on, own);
    for (auto const& offset : offsets_of<D>(stencil(field.grid.neighborhood())))
      needs.add(shift(own, offset));
    for (box<D> const& zone : needs.received())
      for (owned_part<D> const& part : owned_parts<D>(field.grid, on, zone))
        owners2parts[part.owner].emplace_back(f, part);
  }
  return owners2parts;
}

} // namespace

template <int D>
bool has_layout_of_grid(field_state<D> const& field) {
  return field.options.on == on_cells && field.options.components == 1 &&
         field.width.below == field.grid.ghosts().below &&
         field.width.above == field.grid.ghosts().above;
}

template <int D>
operation make_field_exchange(std::span<std::shared_ptr<field_state<D>> const> fields,
                              std::span<exchanged_array const> arrays, bool reverse) {
  Grid<D> const& grid = fields.front()->grid;
  cell_index<D> to_local = grid.owned().lo, reach{};
  for (int a = 0; a < D; ++a) {
    to_local[a] = -to_local[a];
    reach[a] = grid.ghosts().of(a) + 2;
  }
  auto const regions = [&](std::vector<array_region>& into, int f, box<D> const& global) {
    field_state<D> const& field = *fields[f];
    for (int c = 0; c < field.options.components; ++c) {
      region where = region_of(shift(global, to_local), field.local());
      where.offset += c * field.local().num_cells();
      into.push_back({f, where});
    }
  };
  std::vector<edge> sources, destinations;
  std::vector<std::vector<array_region>> sends, receives;
  for (int const other : ranks_within<D>(grid, grid.rank(), reach)) {
    auto const parts = needed_by<D>(other, fields);
    if (auto const mine = parts.find(grid.rank()); mine != parts.end()) {
      destinations.push_back({other});
      sends.emplace_back();
      for (auto const& [f, part] : mine->second)
        regions(sends.back(), f, part.owned);
    }
  }
  for (auto const& [owner, parts] : needed_by<D>(grid.rank(), fields)) {
    sources.push_back({owner});
    receives.emplace_back();
    for (auto const& [f, part] : parts)
      regions(receives.back(), f, part.needed);
  }
  return reverse ? make_exchange(grid.base(), Topology::graph(destinations, sources), receives,
                                 sends, arrays)
                 : make_exchange(grid.base(), Topology::graph(sources, destinations), sends,
                                 receives, arrays);
}

#define SEAM_FOR_DIMENSION(D)                                                                      \
  template bool has_layout_of_grid(field_state<D> const&);                                         \
  template operation make_field_exchange(std::span<std::shared_ptr<field_state<D>> const>,         \
                                         std::span<exchanged_array const>, bool);
SEAM_FOR_DIMENSION(1)
SEAM_FOR_DIMENSION(2)
SEAM_FOR_DIMENSION(3)
#undef SEAM_FOR_DIMENSION

} // namespace seam::detail

#include <seam/stencil/ghosts/halo.hpp>

#include <seam/exchange/steps/flow/step_exchanges.hpp>
#include <seam/stencil/space/ghost_messages.hpp>
#include <seam/stencil/space/needed_values.hpp>

#include <vector>

namespace seam::detail {
namespace {

using field_list = std::span<std::shared_ptr<field_state> const>;

/// The components of all fields, as parts are numbered.
std::vector<numbered_component> components_of(field_list fields) {
  std::vector<numbered_component> all;
  for (int f = 0; f < std::ssize(fields); ++f)
    for (int c = 0; c < fields[f]->options.components; ++c)
      all.push_back({f, fields[f].get(), c});
  return all;
}

/// What one rank needs of others, of each component.
std::vector<needed_box> needed_by(int rank, field_list fields) {
  std::vector<needed_box> boxes;
  int number = 0;
  for (auto const& field : fields) {
    centering const on = field->options.on;
    box3 const own = field->space->owned_by(rank, on);
    needed_values needs(*field->space, on, own);
    for (index3 const& offset : field->space->offsets())
      needs.add(shift(own, offset));
    for (int c = 0; c < field->options.components; ++c, ++number)
      for (box3 const& zone : needs.received())
        boxes.push_back({number, field->space.get(), on, zone});
  }
  return boxes;
}

} // namespace

bool has_layout_of_grid(field_state const& field) {
  return field.options.on == on_cells && field.options.components == 1 &&
         field.width == field.space->ghosts();
}

operation make_field_exchange(field_list fields, std::span<exchanged_array const> arrays,
                              bool reverse) {
  grid_space const& grid = *fields.front()->space;
  index3 reach{};
  for (int a = 0; a < 3; ++a)
    reach[a] = grid.ghosts().of(a) + 2;
  auto const components = components_of(fields);
  auto parts = partners_within(grid, reach, [&](int rank) { return needed_by(rank, fields); });
  if (auto const own = parts.arriving.find(grid.rank()); own != parts.arriving.end())
    parts.leaving.insert(*own); // a message to itself
  auto const leaving = ends_of(parts.leaving, &travelling_part::owned, components);
  auto const arriving = ends_of(parts.arriving, &travelling_part::needed, components);
  auto const& from = reverse ? arriving : leaving;
  auto const& to = reverse ? leaving : arriving;
  return make_exchange(grid.base(), Topology::graph(to.edges(), from.edges()), from.regions,
                       to.regions, arrays);
}

} // namespace seam::detail

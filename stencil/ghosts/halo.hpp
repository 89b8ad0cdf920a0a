/// Halos of grids: fields whose ghosts are brought up to date together (see
/// exchange/halo/halo.hpp).
///
///     auto halo = make_halo(u, v);        // owner -> ghost
///     halo.run();                         // or: auto flying = halo.start(); ... flying.wait();
///     auto back = make_reverse_halo(reduction::sum, f);   // ghost -> owner, adding up
#pragma once

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/halo/exchange.hpp>
#include <seam/exchange/halo/halo.hpp>
#include <seam/stencil/fields/field.hpp>

#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace seam {

namespace detail {

/// True if a field's array has the layout of the grid's halo plan.
bool has_layout_of_grid(field_state const& field);

/// An exchange of the ghosts, directly from owners, that the grid's neighborhood reaches, around values of each field.
/// @param fields   of one grid, at least one
/// @param arrays   [fields]
/// @param reverse  from ghosts to owners
/// Collective: over the grid.
/// Cost of a run: at most one message for each neighbor.
operation make_field_exchange(std::span<std::shared_ptr<field_state> const> fields,
                              std::span<exchanged_array const> arrays, bool reverse);

/// A field's array for an exchange along the grid's plans. What they bring beyond the neighborhood's
/// reach depends on the division, and is not taken for brought.
template <class T, int D>
exchanged_array exchanged_in_reach(Field<T, D> const& field, reduction how) {
  exchanged_array array = field.exchanged(how);
  array.watch = field.shared()->watch(false);
  return array;
}

/// A function that describes fields of one grid, which outlive it.
template <class First, class... More>
halo_fields in_halo(reduction how, First const& first, More const&... more) {
  return [how, &first, &more...] {
    if (!(true && ... && (more.grid() == first.grid())))
      refuse("halo: fields of different grids (expected fields of one grid)");
    return std::vector<exchanged_array>{exchanged_in_reach(first, how),
                                        exchanged_in_reach(more, how)...};
  };
}

/// The halo of fields of which one has another layout than the grid's plan.
template <class T, int D, class... More>
Halo make_direct_halo_of(char const* call, reduction how, Field<T, D>& first, More&... more) {
  std::array const fields{first.shared(), more.shared()...};
  auto arrays = collectively(first.grid().base().context(), in_halo(how, first, more...));
  operation exchange = make_field_exchange(fields, arrays, how != reduction::replace);
  exchange.rename(call);
  return Halo(std::move(exchange), std::move(arrays));
}

} // namespace detail

/// The exchange that gives every ghost of the fields its owner's value: the ghosts that the grid's
/// neighborhood reaches from owned cells, faces or corners.
/// @param first, more  fields of one grid, of any types
/// @throws usage_error  the fields belong to different grids (on all ranks)
/// Collective: over the grid.
/// Cost of a run: at most two messages for each axis, no allocation. With fields on faces or
/// corners, of several components or with wider ghosts: at most one message for each neighbor.
template <class T, int D, class... More>
Halo make_halo(Field<T, D>& first, More&... more) {
  Grid<D> const& grid = first.grid();
  if (!(detail::has_layout_of_grid(*first.shared()) && ... &&
        detail::has_layout_of_grid(*more.shared())))
    return detail::make_direct_halo_of("make_halo", reduction::replace, first, more...);
  return make_halo("make_halo", grid.graph(), grid.halo_rounds(),
                   detail::in_halo(reduction::replace, first, more...));
}

/// The exchange that combines every ghost into its owner; the ghosts keep their values.
/// Contributions are combined in a fixed order.
/// @throws usage_error  the fields belong to different grids, or the type of one has no + for a
///         sum, no < for a minimum or maximum (on all ranks)
/// Collective: over the grid.
/// Cost of a run: at most one message for each side of the block, no allocation.
template <class T, int D, class... More>
Halo make_reverse_halo(reduction how, Field<T, D>& first, More&... more) {
  if (!(detail::has_layout_of_grid(*first.shared()) && ... &&
        detail::has_layout_of_grid(*more.shared())))
    return detail::make_direct_halo_of("make_reverse_halo", how, first, more...);
  plan const back = first.grid().halo_plan().inverse();
  return make_halo("make_reverse_halo", first.grid().graph(), {&back, 1},
                   detail::in_halo(how, first, more...));
}

} // namespace seam

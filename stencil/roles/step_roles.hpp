/// Roles: what a kernel of steps does with its arguments, in the order of its parameters.
///
///     reads(u, star(1))      old values at offsets; reads(u) at the place; reads(u[-1]) of a level
///     writes(u)              a new value in every cell
///     updates(u, star(1))    reads old values, writes new ones
///     modifies(u)            in place: cells may keep their value
///     adds(u, line(0, 0, 1)) adds to values at offsets
///     minimum(v) maximum(v) sum(v)   contributes to a value that all ranks know
///     with(v)                such a value
///     sets(v)                of kernels on values: a reference to one
///     reads_finer(u, ...)    on a coarser grid: offsets from place 2 i;  reads_coarser: from i / 2
///
/// Roles are local; what is wrong with one, such as a component or a level that there is not, is
/// refused when the steps are planned, on all ranks.
#pragma once

#include <seam/exchange/steps/roles/value_roles.hpp>
#include <seam/stencil/fields/field.hpp>
#include <seam/stencil/roles/grid_declaration.hpp>
#include <seam/stencil/roles/located_extreme.hpp>
#include <seam/stencil/roles/step_offsets.hpp>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace seam {

/// The least or largest value that kernels contribute, and where: `Value<located<double, 2>>`.
template <class T, int D>
struct located {
  T value{};
  cell_index<D> index{}; ///< of the cell, face or corner, in the whole domain; -1: there is none

  explicit operator double() const { return static_cast<double>(value); }
  static located at(T value, detail::index3 const& index) {
    return {value, detail::unpadded<D>(index)};
  }
};

namespace detail {

template <class T, int D, access_role Role, grid_ratio Ratio = grid_ratio::same>
struct field_role : declared_field {
  field_role(field_part<T, D> const& part, std::vector<stencil> its_offsets)
      : declared_field(part.state, Role, Ratio, part.level, part.first, part.count,
                       std::move(its_offsets)) {}
};

template <access_role Role, grid_ratio Ratio = grid_ratio::same, class T, int D>
field_role<T, D, Role, Ratio> role_of(field_part<T, D> const& part, std::vector<stencil> offsets) {
  return {part, std::move(offsets)};
}

} // namespace detail

/// Reads old values at offsets.
/// A list of stencils has the offsets of each component: [components of the argument].
template <class T, int D>
auto reads(field_part<T, D> const& part, stencil const& offsets = {}) {
  return detail::role_of<detail::access_role::reads>(part, {offsets});
}
template <class T, int D>
auto reads(field_part<T, D> const& part, std::vector<stencil> each) {
  return detail::role_of<detail::access_role::reads>(part, std::move(each));
}
template <class T, int D>
auto reads(Field<T, D> const& field, stencil const& offsets = {}) {
  return reads(field.whole(), offsets);
}
template <class T, int D>
auto reads(Field<T, D> const& field, std::vector<stencil> each) {
  return reads(field.whole(), std::move(each));
}

/// Reads a field of a grid with twice as many cells on each axis, at offsets from place 2 i.
template <class T, int D>
auto reads_finer(Field<T, D> const& field, stencil const& offsets) {
  return detail::role_of<detail::access_role::reads, detail::grid_ratio::finer>(field.whole(),
                                                                                {offsets});
}

/// Reads a field of a grid with half as many cells on each axis, at offsets from place i / 2.
template <class T, int D>
auto reads_coarser(Field<T, D> const& field, stencil const& offsets = {}) {
  return detail::role_of<detail::access_role::reads, detail::grid_ratio::coarser>(field.whole(),
                                                                                  {offsets});
}

/// Writes a new value in every cell, or in every cell of where().
template <class T, int D>
auto writes(field_part<T, D> const& part) {
  return detail::role_of<detail::access_role::writes>(part, {stencil()});
}
template <class T, int D>
auto writes(Field<T, D>& field) {
  return writes(field.whole());
}

/// Reads old values at offsets, and writes a new value in every cell. The old ones become level -1;
/// where one level is kept, the memory of the new ones is the library's. A field of one component
/// that is read at the place alone is updated in place: read it, and its oldest level, before it is
/// written.
template <class T, int D>
auto updates(field_part<T, D> const& part, stencil const& offsets = {}) {
  return detail::role_of<detail::access_role::updates>(part, {offsets});
}
template <class T, int D>
auto updates(field_part<T, D> const& part, std::vector<stencil> each) {
  return detail::role_of<detail::access_role::updates>(part, std::move(each));
}
template <class T, int D>
auto updates(Field<T, D>& field, stencil const& offsets = {}) {
  return updates(field.whole(), offsets);
}
template <class T, int D>
auto updates(Field<T, D>& field, std::vector<stencil> each) {
  return updates(field.whole(), std::move(each));
}

/// Reads and writes in place. Offsets other than the place itself need colors or an order (see
/// in_colors and in_order).
template <class T, int D>
auto modifies(field_part<T, D> const& part) {
  return detail::role_of<detail::access_role::modifies>(part, {stencil()});
}
template <class T, int D>
auto modifies(field_part<T, D> const& part, stencil const& offsets) {
  return detail::role_of<detail::access_role::modifies_at_offsets>(part, {offsets});
}
template <class T, int D>
auto modifies(Field<T, D>& field) {
  return modifies(field.whole());
}
template <class T, int D>
auto modifies(Field<T, D>& field, stencil const& offsets) {
  return modifies(field.whole(), offsets);
}

/// Adds to values at offsets: to each value by the kernel's calls at the places from which it lies
/// at the first, second, ... offset, in the order in which stencil::expand() lists them.
/// Cost: the kernel is called once for each offset of each cell.
template <class T, int D>
auto adds(field_part<T, D> const& part, stencil const& offsets = {}) {
  return detail::role_of<detail::access_role::adds>(part, {offsets});
}
template <class T, int D>
auto adds(Field<T, D>& field, stencil const& offsets = {}) {
  return adds(field.whole(), offsets);
}

/// The least or largest of what all cells contribute, and where it is contributed: at the lowest index
/// of several, the last axis the fastest, on any ranks and threads.
/// Cost: a kernel that contributes to such a value is computed one cell after another.
template <class T, int D>
auto minimum(Value<located<T, D>> const& value) {
  using detail::located_extreme;
  return detail::reducing_role<located_extreme<detail::least_of<T>, located<T, D>>, located<T, D>>(
      value);
}
template <class T, int D>
auto maximum(Value<located<T, D>> const& value) {
  using detail::located_extreme;
  return detail::reducing_role<located_extreme<detail::largest_of<T>, located<T, D>>,
                               located<T, D>>(value);
}

} // namespace seam

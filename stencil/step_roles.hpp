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
#pragma once

#include <seam/stencil/detail/step_program.hpp>
#include <seam/stencil/field.hpp>
#include <seam/stencil/step_offsets.hpp>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace seam {

/// A number that all ranks know. Copies are handles of the same value.
template <class T>
class Value {
public:
  /// A value that a kernel has to set before others take it.
  explicit Value(std::string name)
      : state_(std::make_shared<detail::typed_step_value<T>>(std::move(name), T{})) {}

  /// @param first  the same on all ranks
  Value(std::string name, T first)
      : state_(std::make_shared<detail::typed_step_value<T>>(std::move(name), first)) {
    state_->is_set = true;
  }

  /// The present value. While steps run, of the kernels that have run.
  T get() const { return state_->now; }
  operator T() const { return get(); }

  /// Sets the value, between runs. The same on all ranks.
  void set(T value) {
    state_->now = value;
    state_->is_set = true;
  }

  std::shared_ptr<detail::typed_step_value<T>> const& shared() const noexcept { return state_; }

private:
  std::shared_ptr<detail::typed_step_value<T>> state_;
};

namespace detail {

/// The ratio of the places of a kernel and of a field.
enum class grid_ratio { same, finer, coarser };

template <class T, int D, access_role Role, grid_ratio Ratio = grid_ratio::same>
struct field_role {
  field_part<T, D> part;
  std::vector<stencil> offsets; ///< [1] of all components, or of each one
};

template <class T>
struct value_role {
  std::shared_ptr<typed_step_value<T>> value;
};
template <class T>
struct setting_role {
  std::shared_ptr<typed_step_value<T>> value;
};
template <class Accumulator, class T>
struct reducing_role {
  std::shared_ptr<typed_step_value<T>> value;
};

template <access_role Role, grid_ratio Ratio, class T, int D>
field_role<T, D, Role, Ratio> role_of(field_part<T, D> part, std::vector<stencil> offsets) {
  return {std::move(part), std::move(offsets)};
}

} // namespace detail

/// Reads old values at offsets.
/// A list of stencils has the offsets of each component: [components of the argument].
template <class T, int D>
auto reads(field_part<T, D> part, stencil const& offsets = {}) {
  using enum detail::access_role;
  return detail::role_of<reads, detail::grid_ratio::same>(std::move(part), {offsets});
}
template <class T, int D>
auto reads(field_part<T, D> part, std::vector<stencil> each) {
  using enum detail::access_role;
  return detail::role_of<reads, detail::grid_ratio::same>(std::move(part), std::move(each));
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
auto writes(field_part<T, D> part) {
  return detail::role_of<detail::access_role::writes, detail::grid_ratio::same>(std::move(part),
                                                                                {stencil()});
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
auto updates(field_part<T, D> part, stencil const& offsets = {}) {
  return detail::role_of<detail::access_role::updates, detail::grid_ratio::same>(std::move(part),
                                                                                 {offsets});
}
template <class T, int D>
auto updates(field_part<T, D> part, std::vector<stencil> each) {
  return detail::role_of<detail::access_role::updates, detail::grid_ratio::same>(std::move(part),
                                                                                 std::move(each));
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
auto modifies(field_part<T, D> part, stencil const& offsets = {}) {
  return detail::role_of<detail::access_role::modifies, detail::grid_ratio::same>(std::move(part),
                                                                                  {offsets});
}
template <class T, int D>
auto modifies(Field<T, D>& field, stencil const& offsets = {}) {
  return modifies(field.whole(), offsets);
}

/// Adds to values at offsets: to each value by the kernel's calls at the places from which it lies
/// at the first, second, ... offset, in the order in which stencil::expand() lists them.
/// Cost: the kernel is called once for each offset of each cell.
template <class T, int D>
auto adds(field_part<T, D> part, stencil const& offsets = {}) {
  return detail::role_of<detail::access_role::adds, detail::grid_ratio::same>(std::move(part),
                                                                              {offsets});
}
template <class T, int D>
auto adds(Field<T, D>& field, stencil const& offsets = {}) {
  return adds(field.whole(), offsets);
}

/// The value itself.
template <class T>
detail::value_role<T> with(Value<T> const& value) {
  return {value.shared()};
}

/// A reference to the value, for kernels on values alone.
template <class T>
detail::setting_role<T> sets(Value<T> const& value) {
  return {value.shared()};
}

/// The least or largest of what all cells contribute, of all ranks.
template <class T>
detail::reducing_role<detail::least_of<T>, T> minimum(Value<T> const& value) {
  return {value.shared()};
}
template <class T>
detail::reducing_role<detail::largest_of<T>, T> maximum(Value<T> const& value) {
  return {value.shared()};
}

/// The exact sum of what all cells contribute, of all ranks: the same bits on any ranks and
/// threads.
template <class T>
detail::reducing_role<detail::total_of<T>, T> sum(Value<T> const& value) {
  return {value.shared()};
}

} // namespace seam

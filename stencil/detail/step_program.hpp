/// Step programs: kernels with what they read and write, as plain values. Steps makes one from its
/// declarations; dataflow, plans and explanations follow from it.
#pragma once

#include <seam/stencil/box.hpp>
#include <seam/stencil/centering.hpp>
#include <seam/stencil/detail/field_state.hpp>
#include <seam/stencil/detail/grid_space.hpp>
#include <seam/stencil/detail/step_value.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seam::detail {

class kernel_body;
class step_recorder;

/// What a kernel does with a field; traits_of() has what follows from it.
enum class access_role { reads, writes, updates, modifies, modifies_at_offsets, adds };

/// What holds for a role. A new combination of these is a row of the table below, and a function in
/// step_roles.hpp.
struct role_traits {
  char const* name;
  bool reads = false;      ///< values from before the kernel
  bool writes = false;     ///< values
  bool keeps = false;      ///< values that are not written; else each has to be
  bool at_offsets = false; ///< reads, at other places, what the kernel writes
  bool adds = false;       ///< at offsets, in their order
};

/// In the order of access_role.
inline constexpr role_traits all_role_traits[] = {
    {.name = "reads", .reads = true},
    {.name = "writes", .writes = true},
    {.name = "updates", .reads = true, .writes = true},
    {.name = "modifies", .reads = true, .writes = true, .keeps = true},
    {.name = "modifies", .reads = true, .writes = true, .keeps = true, .at_offsets = true},
    {.name = "adds", .reads = true, .writes = true, .keeps = true, .adds = true},
};

constexpr role_traits const& traits_of(access_role role) {
  return all_role_traits[static_cast<int>(role)];
}

constexpr char const* name_of(access_role role) { return traits_of(role).name; }

/// One argument of a kernel that is a field, or some of its components.
struct step_access {
  int field = 0; ///< number in the program
  access_role role = access_role::reads;
  int level = 0;
  int first = 0, count = 1;                        ///< components
  std::vector<std::vector<index3>> offsets = {{}}; ///< [1] of all components, or [count]
  std::int64_t multiplier = 1, divisor = 1; ///< place read = floor(place * multiplier / divisor)
  int borders = -1; ///< conditions of the kernel's own, numbered in the program; -1: the field's
  bool is_mask = false; ///< read where values are written, not where the kernel is called for them

  bool is_read() const { return traits_of(role).reads; }
  bool is_written() const { return traits_of(role).writes; }
  /// True for new values beside the old ones, which may be in another array.
  bool is_moved() const { return is_read() && is_written() && !traits_of(role).keeps; }
  /// True for values that the kernel changes where they are.
  bool is_modified() const { return traits_of(role).keeps && !traits_of(role).adds; }
  bool is_added() const { return traits_of(role).adds; }
  std::vector<index3> const& offsets_of(int component) const {
    return offsets[offsets.size() == 1 ? 0 : component - first];
  }

  /// The values that kernels at `cells` read by one offset, and the smallest box for all offsets.
  box3 read_at(box3 const& cells, index3 const& offset) const {
    box3 read = cells;
    for (int a = 0; a < 3; ++a) {
      read.lo[a] = place_of(cells.lo[a]) + offset[a];
      read.hi[a] = place_of(cells.hi[a] - 1) + offset[a] + 1;
    }
    return read;
  }
  box3 read_by(box3 const& cells) const {
    index3 least{}, most{};
    bool is_first = true;
    for (auto const& list : offsets)
      for (auto const& offset : list) {
        for (int a = 0; a < 3; ++a) {
          least[a] = is_first ? offset[a] : std::min(least[a], offset[a]);
          most[a] = is_first ? offset[a] : std::max(most[a], offset[a]);
        }
        is_first = false;
      }
    box3 read = read_at(cells, least);
    read.hi = read_at(cells, most).hi;
    return is_first || cells.is_empty() ? box3{} : read;
  }
  bool reads_neighbors() const {
    for (auto const& list : offsets)
      for (auto const& offset : list)
        if (offset != index3{})
          return true;
    return false;
  }

private:
  std::int64_t place_of(std::int64_t place) const {
    std::int64_t const scaled = place * multiplier;
    return scaled >= 0 ? scaled / divisor : -((-scaled + divisor - 1) / divisor);
  }
};

/// The memory of one argument while a kernel computes. Strides are in values.
struct bound_access {
  std::byte *read = nullptr, *write = nullptr; ///< values with index 0 of the first component
  index3 stride{};
  std::int64_t component_stride = 0;
  std::int64_t multiplier = 1, divisor = 1;
  index3 kernel_first{}, field_first{}; ///< global indices of the blocks' first values
};

/// Where a kernel writes: at the places where one of its arguments is not zero.
struct step_mask {
  int access = -1; ///< of the kernel, by which it reads the mask; -1: it runs everywhere

  /// In the row of places that `first` lies in, the first index in [from, end) at which the mask is
  /// not zero (is_set), or is zero; or `end`.
  std::int64_t (*find)(bound_access const& mask, index3 const& first, std::int64_t from,
                       std::int64_t end, bool is_set) = nullptr;
};

/// The order in which a kernel that changes values in place takes the layers along an axis.
struct step_order {
  bool is_on = false;
  int axis = 0; ///< as users number it
  bool is_backward = false;
};

/// A call of a kernel for a box of cells.
struct tile_call {
  box3 cells;               ///< in indices relative to the block
  index3 first{}, domain{}; ///< global index of the block's first cell; cells of the domain
  std::array<bool, 3> periodic{};
  bound_access const* accesses = nullptr; ///< [accesses of the kernel]
  int worker = 0;                         ///< number of the thread
  bool counts = true; ///< false: other ranks own the cells, and reductions count them there
  int color = 0, num_colors = 1;
  step_order order{};
  box3 where{}; ///< the part of `cells` in which values are computed; others are copied
  step_mask mask{};
};

/// A parameter of a kernel: one of the three.
struct kernel_argument {
  int access = -1; ///< number among the kernel's accesses
  step_value* value = nullptr;
  step_reduction* reduction = nullptr;
};

/// An argument of which tiles copy the values that the kernel does not write.
struct carried_access {
  int access;
  int first, end;     ///< all components of the field, relative to the argument's first
  std::int64_t bytes; ///< of a value
};

/// One kernel.
struct step_kernel {
  std::string name;
  std::vector<step_access> accesses;            ///< in relation to the places that are written
  std::vector<step_access> declared;            ///< in relation to the kernel's own place
  std::vector<int> reads_values, reduces, sets; ///< numbers of values
  std::vector<std::shared_ptr<step_reduction>> reductions; ///< [reduces]
  shared_space space; ///< whose places the kernel computes; null: none
  centering on{};
  std::function<box3(box3 const& domain)> where; ///< empty: everywhere
  step_mask mask;
  int num_colors = 1;
  step_order order;
  int num_parts =
      1; ///< of an ordered kernel's blocks, each of which is a turn (see step_turns.hpp)
  std::int64_t every = 1;
  std::vector<kernel_argument> arguments;  ///< [parameters]
  std::shared_ptr<kernel_body const> body; ///< what the kernel computes
  bool is_on_values = false;               ///< on values alone, at no places

  // Of the plan.
  std::vector<carried_access> carried;
  std::shared_ptr<std::vector<step_recorder>> recorders; ///< [threads]; of checked mode, else null

  /// Offsets to which the kernel adds; the place itself if it adds to none.
  std::vector<index3> added{index3{}};

  /// The axis of the order, and the processes along it.
  int axis_of_order() const { return space->axis_of(order.axis); }
  int processes_in_order() const { return space->processes()[axis_of_order()]; }

  /// The places of the domain at which the kernel is called, but for its mask.
  box3 places() const {
    box3 const all = space->domain(on);
    return where ? intersection(where(all), all) : all;
  }

  bool adds_to_neighbors() const { return added != std::vector<index3>{index3{}}; }

  /// The places at which the kernel is called for `cells`: for each offset in `added` those from
  /// which cells lie at that offset, inside the domain.
  std::vector<box3> sources(box3 const& cells) const {
    std::vector<box3> all;
    for (index3 const& offset : added) {
      box3 from = cells;
      for (int a = 0; a < 3; ++a) {
        from.lo[a] -= offset[a];
        from.hi[a] -= offset[a];
        if (added.size() == 1 && offset[a] == 0)
          continue;
        if (!space->is_periodic(a)) {
          from.lo[a] = std::max(from.lo[a], space->domain(on).lo[a]);
          from.hi[a] = std::min(from.hi[a], space->domain(on).hi[a]);
        }
      }
      if (!from.is_empty())
        all.push_back(from);
    }
    return all;
  }

  /// The places at which the kernel is called for `cells`, and reads by an access.
  std::vector<box3> sources(step_access const& access, box3 const& cells) const {
    return access.is_mask ? std::vector<box3>{cells} : sources(cells);
  }

  /// The smallest box of what an access reads for `cells`.
  box3 read_by(step_access const& access, box3 const& cells) const {
    if (access.is_added())
      return cells;
    box3 read;
    for (box3 const& from : sources(access, cells))
      read = hull(read, access.read_by(from));
    return read;
  }

  /// True if the kernel leaves some values of an array that it writes.
  bool is_partial(step_access const& access, field_state const& field) const {
    return where || mask.access >= 0 || num_colors > 1 || traits_of(access.role).keeps ||
           access.count < field.options.components;
  }
};

/// Conditions that a kernel has for ghosts of a field. Where there are none, the field's own hold.
struct kernel_borders {
  int field;
  std::vector<filled_border> borders; ///< as the field's
};

/// One statement: a kernel, or the exchange of two fields' newest levels.
struct step_statement {
  int kernel = -1;
  int swapped[2] = {-1, -1};
};

/// All of it.
struct step_program {
  int num_axes = 3; ///< of the grids
  std::vector<std::shared_ptr<field_state>> fields;
  std::vector<std::shared_ptr<step_value>> values;
  std::deque<step_kernel> kernels; ///< their addresses stay
  std::vector<step_statement> statements;
  std::vector<kernel_borders> borders;
  std::shared_ptr<step_value> time; ///< that conditions on borders get, or null

  /// Border number `k` of a field, with the condition for a component.
  /// @param own  conditions of a kernel's own, or -1
  filled_border const& border_of(int field, int own, int k, int component) const {
    if (own >= 0 && borders[own].borders[k].has_condition(component))
      return borders[own].borders[k];
    return fields[field]->borders[k];
  }

  /// Calls visit(border, component) for all borders of a field and each component with a condition.
  template <class Visit>
  void for_each_condition(int field, int own, Visit const& visit) const {
    for (int k = 0; k < static_cast<int>(fields[field]->borders.size()); ++k)
      for (int c = 0; c < fields[field]->options.components; ++c)
        if (auto const& border = border_of(field, own, k, c); border.has_condition(c))
          visit(border, c);
  }
};

/// @throws usage_error  a kernel is restricted to `layers` along an axis, one of which is impossible
/// Local.
void check_layers(std::string const& kernel, int axis, int layers, int num_axes);

} // namespace seam::detail

/// Filled borders: borders of the domain with the conditions that fill the ghosts beyond them, whatever
/// the type of a field's values.
#pragma once

#include <seam/exchange/steps/regions/box.hpp>
#include <seam/exchange/steps/regions/three_axes.hpp>
#include <seam/exchange/steps/run/parallel.hpp>
#include <seam/stencil/fields/buffer_memory.hpp>
#include <seam/stencil/space/border.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace seam::detail {

class field_state;

/// What a condition gets beside the ghost cell and its mirror image.
struct border_inputs {
  double time = 0;
  component_memory other{}; ///< of the field whose values it reads, if there is one
};

/// Fills ghosts of one component in a part of a border.
using border_fill = std::function<void(component_memory const&, box3 const& part,
                                       border_inputs const&, by_threads)>;

/// A component of another field whose values a condition reads, at the ghosts' images inside the
/// domain.
struct border_source {
  std::weak_ptr<field_state> field{}; ///< fields may read each other
  int component = -1;                 ///< -1: no field is read
  bool is_used() const { return component >= 0; }
};

/// A condition on a border, for one component.
struct component_condition {
  std::function<border_fill(border<3> const&)> make;
  bool is_fixed = false; ///< ghosts depend on nothing but their places
  border_source source{};
  bool reads_time = false;
  bool reads_values = false; ///< it may hold handles of values, such as Value
  std::int64_t num_seen = 0; ///< values next to the border that it sees, beside the mirror image

  /// True if steps fill the ghosts of both at the same times, from the same values inside.
  bool is_due_as(component_condition const& other) const {
    return !source.is_used() && !other.source.is_used() && reads_time == other.reads_time &&
           reads_values == other.reads_values && num_seen == other.num_seen;
  }
};

/// A border of the domain, with the conditions there.
struct filled_border {
  border<3> where;
  std::vector<component_condition> conditions{}; ///< [components] or empty
  std::vector<border_fill> fills{};              ///< [components] or empty

  bool has_condition(int component) const {
    return component < static_cast<int>(fills.size()) && fills[component];
  }

  /// True if each component has a condition.
  bool is_complete() const;

  /// Uses a condition for a component of `num_components`, or, if it is -1, for all.
  void put(int component, int num_components, component_condition const& condition);

  /// The same conditions where the ghosts are others.
  filled_border at(border<3> const& now) const;
};

} // namespace seam::detail

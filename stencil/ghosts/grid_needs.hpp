/// Needs of steps on grids: what the readers of an array read of it on one rank.
#pragma once

#include <seam/exchange/steps/flow/step_dataflow.hpp>
#include <seam/exchange/steps/program/step_program.hpp>
#include <seam/stencil/fields/field_state.hpp>
#include <seam/stencil/space/needed_values.hpp>

#include <vector>

namespace seam::detail {

/// A field of a program, and the layout of an array.
inline field_state const& field_of(step_program const& program, int number) {
  return static_cast<field_state const&>(*program.fields[number]);
}
inline field_state const& field_of(step_dataflow const& flow, int array) {
  return static_cast<field_state const&>(flow.layout(array));
}

/// @param regions    that the rank computes [instances]
/// @param readers    of one array, whose layout is that of `field`
/// @param component  -1: all, as the smallest box for all offsets
/// @throws usage_error  as needed_values::add()
/// Local.
needed_values needs_of(field_state const& field, step_dataflow const& flow, int rank,
                       computed_regions const& regions, std::vector<supply_reader> const& readers,
                       int component);

} // namespace seam::detail

/// Declares what a step program consists of: fields, values, kernels, swaps. Local; the same on all
/// ranks.
#pragma once

#include <seam/exchange/steps/program/step_program.hpp>

#include <memory>

namespace seam::detail {

/// The number of a field, or of a value, in a program, to which it is added if it is new.
int number_of(step_program& program, std::shared_ptr<step_field> const& field);
int number_of(step_program& program, std::shared_ptr<step_value> const& value);

/// Adds a kernel as the next statement. Its address stays.
step_kernel& add_kernel(step_program& program, step_kernel kernel);

/// Adds the exchange of two fields, given by their numbers.
void add_swap(step_program& program, int first, int second);

/// The conditions that a kernel has for a field's values beyond the ends of the space, in place of the
/// field's: a null pointer that becomes the caller's, if it has had none.
/// @throws usage_error  the kernel does not read the field
std::shared_ptr<step_conditions>& conditions_of(step_program& program, step_kernel& kernel,
                                                std::shared_ptr<step_field> const& field);

/// Adds the fields that conditions on borders of the program's fields read, and theirs.
void add_fields_beside(step_program& program);

} // namespace seam::detail

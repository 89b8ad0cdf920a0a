/// Step programs: kernels with what they read and write, as plain values. Steps makes one from its
/// declarations; dataflow, plans and explanations follow from it.
#pragma once

#include <seam/exchange/steps/program/step_kernel.hpp>

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace seam::detail {

/// Conditions that a kernel has for ghosts of a field. Where there are none, the field's own hold.
struct kernel_borders {
  int field;
  std::shared_ptr<step_conditions> conditions;
};

/// One statement: a kernel, or the exchange of two fields' newest levels.
struct step_statement {
  int kernel = -1;
  int swapped[2] = {-1, -1};
};

/// All of it.
struct step_program {
  int num_axes = 3; ///< of the space
  std::vector<std::shared_ptr<step_field>> fields;
  std::vector<std::shared_ptr<step_value>> values;
  std::deque<step_kernel> kernels; ///< their addresses stay
  std::vector<step_statement> statements;
  std::vector<kernel_borders> borders;
  std::shared_ptr<step_value> time; ///< that conditions on borders get, or null

  /// The number of a field, or of a value, which is added if it is new.
  int number_of(std::shared_ptr<step_field> const& field);
  int number_of(std::shared_ptr<step_value> const& value);

  /// Adds a kernel. Its address stays.
  step_kernel& add(step_kernel kernel);

  /// Adds the exchange of two fields, given by their numbers.
  void add_swap(int first, int second);

  /// Adds the fields that conditions on borders of the program's fields read, and theirs.
  void add_fields_beside();

  /// Conditions of a kernel's own for a field that it reads; none at first.
  /// @throws usage_error  it does not read it
  std::shared_ptr<step_conditions>& conditions_of(step_kernel& kernel,
                                                  std::shared_ptr<step_field> const& field);

  /// Conditions of a kernel's own; null for -1.
  step_conditions const* conditions(int own) const {
    return own < 0 ? nullptr : borders[own].conditions.get();
  }
};

/// The place among a field's buffers, newest level first, into which a kernel updates it; 0: in
/// place.
int buffer_to_update(step_kernel const& kernel, step_access const& access, step_field const& field);

/// The argument by which a kernel writes its new values where it reads old ones by `read`, so that it
/// has to read them first; -1: there is none.
/// @param field  of `read`
int overwriting_access(step_kernel const& kernel, step_access const& read, step_field const& field);

/// The line about such a value that a kernel reads too late.
std::string words_of_late_read(std::string const& kernel, std::string const& field);

} // namespace seam::detail

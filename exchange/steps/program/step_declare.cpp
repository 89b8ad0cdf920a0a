#include <seam/exchange/steps/program/step_declare.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/steps/program/step_space.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace seam::detail {
namespace {

template <class T>
int number_in(std::vector<std::shared_ptr<T>>& all, std::shared_ptr<T> const& wanted) {
  auto const found = std::ranges::find(all, wanted);
  if (found != all.end())
    return static_cast<int>(found - all.begin());
  all.push_back(wanted);
  return static_cast<int>(std::ssize(all)) - 1;
}

/// Notes that kernels write components of a field. The check of a kernel refuses those that it lacks.
void note_computed(step_program& program, int field, int first, int count) {
  auto& origins = program.fields[field]->origins;
  for (int c = std::max(0, first); c < std::min<std::int64_t>(first + count, std::ssize(origins));
       ++c)
    origins[c].is_computed = true;
}

} // namespace

int number_of(step_program& program, std::shared_ptr<step_field> const& field) {
  return number_in(program.fields, field);
}

int number_of(step_program& program, std::shared_ptr<step_value> const& value) {
  return number_in(program.values, value);
}

step_kernel& add_kernel(step_program& program, step_kernel kernel) {
  program.statements.push_back({static_cast<int>(program.kernels.size()), {-1, -1}});
  for (step_access const& access : kernel.accesses)
    if (access.is_written())
      note_computed(program, access.field, access.first, access.count);
  program.kernels.push_back(std::move(kernel));
  return program.kernels.back();
}

void add_swap(step_program& program, int first, int second) {
  for (int const field : {first, second})
    note_computed(program, field, 0, program.fields[field]->components);
  program.statements.push_back({-1, {first, second}});
}

std::shared_ptr<step_conditions>& conditions_of(step_program& program, step_kernel& kernel,
                                                std::shared_ptr<step_field> const& field) {
  int const f = number_of(program, field);
  bool is_read = false;
  int number = -1;
  for (step_access const& access : kernel.accesses)
    if (access.field == f) {
      is_read = is_read || access.is_read();
      number = std::max(number, access.borders);
    }
  if (!is_read)
    refuse(fmt::format("steps: boundary conditions of kernel '{}' for '{}' (expected a field that "
                       "it reads)",
                       kernel.name, field->name));
  if (number < 0) {
    number = std::ssize(program.borders);
    program.borders.push_back({f, nullptr});
  }
  for (step_access& access : kernel.accesses)
    if (access.field == f)
      access.borders = number;
  return program.borders[number].conditions;
}

void add_fields_beside(step_program& program) {
  auto const add_of = [&](int f, int own) {
    for (auto const& field : program.fields[f]->beyond(program.conditions(own)).fields)
      number_of(program, field);
  };
  for (int own = 0; own < std::ssize(program.borders); ++own)
    add_of(program.borders[own].field, own);
  for (int f = 0; f < std::ssize(program.fields); ++f)
    add_of(f, -1);
}

} // namespace seam::detail

#include <seam/exchange/steps/program/step_program.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/steps/program/step_space.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
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
void note_computed(step_program const& program, int field, int first, int count) {
  auto& origins = program.fields[field]->origins;
  for (int c = std::max(0, first); c < std::min<std::int64_t>(first + count, std::ssize(origins));
       ++c)
    origins[c].is_computed = true;
}

} // namespace

int step_program::number_of(std::shared_ptr<step_field> const& field) {
  return number_in(fields, field);
}

int step_program::number_of(std::shared_ptr<step_value> const& value) {
  return number_in(values, value);
}

step_kernel& step_program::add(step_kernel kernel) {
  statements.push_back({static_cast<int>(kernels.size()), {-1, -1}});
  for (step_access const& access : kernel.accesses)
    if (access.is_written())
      note_computed(*this, access.field, access.first, access.count);
  return kernels.emplace_back(std::move(kernel));
}

void step_program::add_swap(int first, int second) {
  for (int const field : {first, second})
    note_computed(*this, field, 0, fields[field]->components);
  statements.push_back({-1, {first, second}});
}

void step_program::add_fields_beside() {
  auto const add_of = [&](int f, int own) {
    for (auto const& field : fields[f]->beyond(conditions(own)).fields)
      number_of(field);
  };
  for (int own = 0; own < std::ssize(borders); ++own)
    add_of(borders[own].field, own);
  for (int f = 0; f < std::ssize(fields); ++f)
    add_of(f, -1);
}

std::shared_ptr<step_conditions>& step_program::conditions_of(
    step_kernel& kernel, std::shared_ptr<step_field> const& field) {
  int const f = number_of(field);
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
    number = std::ssize(borders);
    borders.push_back({f, nullptr});
  }
  for (step_access& access : kernel.accesses)
    if (access.field == f)
      access.borders = number;
  return borders[number].conditions;
}

int buffer_to_update(step_kernel const& kernel, step_access const& access,
                     step_field const& field) {
  int const levels = field.levels;
  bool const is_partial = kernel.is_partial(access, field.components);
  bool const is_several = field.components > 1; // one is written before another is read
  bool newest_at_neighbors = false, oldest_at_neighbors = false;
  for (step_access const& other : kernel.accesses)
    if (other.field == access.field && other.level == 1 - levels && levels > 1 &&
        (is_partial || is_several))
      oldest_at_neighbors = true; // the values that are kept are copied before it is read
    else if (other.field == access.field && other.reads_neighbors()) {
      newest_at_neighbors = newest_at_neighbors || other.level == 0;
      oldest_at_neighbors = oldest_at_neighbors || other.level == 1 - levels;
    }
  if (levels == 1)
    return newest_at_neighbors || is_several ? 1 : 0;
  return oldest_at_neighbors ? levels : levels - 1;
}

int overwriting_access(step_kernel const& kernel, step_access const& read,
                       step_field const& field) {
  for (int a = 0; a < std::ssize(kernel.accesses); ++a)
    if (step_access const& written = kernel.accesses[a];
        written.is_moved() && written.field == read.field &&
        buffer_to_update(kernel, written, field) == -read.level)
      return a;
  return -1;
}

std::string words_of_late_read(std::string const& kernel, std::string const& field) {
  return fmt::format("steps: kernel '{}' reads '{}' after it has written it (expected reads first: "
                     "without neighbors, updates() changes values in place)",
                     kernel, field);
}

} // namespace seam::detail

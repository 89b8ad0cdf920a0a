#include <seam/exchange/steps/program/step_check.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/steps/program/step_space.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace seam::detail {
namespace {

/// Checks one program.
class program_check {
public:
  program_check(step_program const& program, step_space const& space)
      : program_(program), space_(space) {}

  void all() const {
    if (program_.statements.empty())
      refuse("steps: no kernel (expected at least one call of each())");
    for (step_kernel const& kernel : program_.kernels)
      check_kernel(kernel);
    for (step_statement const& statement : program_.statements)
      if (statement.kernel < 0)
        check_swap(field(statement.swapped[0]), field(statement.swapped[1]));
    check_values();
    check_first_values();
  }

private:
  step_field const& field(int number) const { return *program_.fields[number]; }

  void check_kernel(step_kernel const& kernel) const {
    if (kernel.is_on_values)
      return;
    if (!kernel.space)
      refuse(fmt::format("steps: kernel '{}' has no field (expected reads() or writes() of one)",
                         kernel.name));
    if (kernel.every < 1 || kernel.num_colors < 1)
      refuse(fmt::format("steps: kernel '{}' every {} steps, in {} colors (expected at least 1)",
                         kernel.name, kernel.every, kernel.num_colors));
    if (kernel.phase < 0 || kernel.phase >= kernel.every)
      refuse(fmt::format("steps: kernel '{}' every {} steps from step {} on (expected a first step "
                         "from 0 to {})",
                         kernel.name, kernel.every, kernel.phase, kernel.every - 1));
    for (step_access const& access : kernel.accesses)
      check_access(kernel, access);
    for (int a = 0; a < std::ssize(kernel.accesses); ++a)
      for (int b = a + 1; b < std::ssize(kernel.accesses); ++b)
        check_pair(kernel, kernel.accesses[a], kernel.accesses[b]);
    check_moved(kernel);
    check_adders(kernel);
    check_reductions(kernel);
    space_.check(program_, kernel);
  }

  /// Refuses a value to which a kernel contributes in two ways.
  void check_reductions(step_kernel const& kernel) const {
    for (int a = 0; a < std::ssize(kernel.reduces); ++a)
      for (int b = a + 1; b < std::ssize(kernel.reduces); ++b)
        if (kernel.reduces[a] == kernel.reduces[b])
          refuse(fmt::format("steps: kernel '{}' contributes to '{}' as {} and as {} (expected one "
                             "role for a value)",
                             kernel.name, program_.values[kernel.reduces[a]]->name,
                             kernel.reductions[a]->how(), kernel.reductions[b]->how()));
  }

  void check_access(step_kernel const& kernel, step_access const& access) const {
    step_field const& used = field(access.field);
    if (access.first < 0 || access.count < 1 || access.first + access.count > used.components)
      refuse(fmt::format("steps: kernel '{}': components {} to {} of '{}' (expected 0 to {})",
                         kernel.name, access.first, access.first + access.count - 1, used.name,
                         used.components - 1));
    if (access.level > 0 || access.level <= -used.levels ||
        (access.level != 0 && access.is_written()))
      refuse(fmt::format("steps: kernel '{}' {} level {} of '{}' (expected {})", kernel.name,
                         name_of(access.role), access.level, used.name,
                         access.is_written() ? "level 0"
                                             : fmt::format("0 to {}", 1 - used.levels)));
    if (access.offsets.size() != 1 && std::ssize(access.offsets) != access.count)
      refuse(
          fmt::format("steps: kernel '{}' gives '{}' {} lists of offsets (expected 1, or {}: one "
                      "for each component)",
                      kernel.name, used.name, access.offsets.size(), access.count));
    if (access.is_modified() && access.reads_neighbors() && kernel.num_colors == 1 &&
        !kernel.order.is_on)
      refuse(fmt::format("steps: kernel '{}' modifies '{}' in place and reads its neighbors "
                         "(expected updates(), or in_colors() or in_order())",
                         kernel.name, used.name));
    if (!access.is_read() && !access.is_added() && access.reads_neighbors())
      refuse(fmt::format("steps: kernel '{}' writes '{}' at offsets (expected updates() or adds())",
                         kernel.name, used.name));
  }

  void check_pair(step_kernel const& kernel, step_access const& a, step_access const& b) const {
    bool const share = a.first < b.first + b.count && b.first < a.first + a.count;
    if (a.field != b.field || a.level != b.level || !share || (!a.is_written() && !b.is_written()))
      return;
    refuse(
        fmt::format("steps: kernel '{}' {} and {} '{}' (expected one role for a field: updates() "
                    "to read and write)",
                    kernel.name, name_of(a.role), name_of(b.role), field(a.field).name));
  }

  /// Refuses reads of neighbors in what is modified, if other components are updated: tiles copy to new
  /// memory what stays, each its own places.
  void check_moved(step_kernel const& kernel) const {
    for (step_access const& updated : kernel.accesses)
      for (step_access const& modified : kernel.accesses)
        if (updated.is_moved() && modified.is_modified() && updated.field == modified.field &&
            modified.reads_neighbors())
          refuse(
              fmt::format("steps: kernel '{}' updates components of '{}', and modifies others and "
                          "reads their neighbors (expected two kernels)",
                          kernel.name, field(updated.field).name));
  }

  void check_adders(step_kernel const& kernel) const {
    bool const adds =
        std::ranges::any_of(kernel.accesses, [](auto const& access) { return access.is_added(); });
    if (!adds)
      return;
    for (step_access const& access : kernel.accesses)
      if (access.is_written() && !access.is_added())
        refuse(fmt::format("steps: kernel '{}' adds, and {} '{}' (expected a kernel of its own)",
                           kernel.name, name_of(access.role), field(access.field).name));
    if (!kernel.reduces.empty())
      refuse(fmt::format("steps: kernel '{}' adds, and reduces '{}' (expected a kernel of its own)",
                         kernel.name, program_.values[kernel.reduces.front()]->name));
  }

  void check_swap(step_field const& a, step_field const& b) const {
    if (&a == &b || !a.is_like(b))
      refuse(fmt::format("steps: a swap of '{}' and '{}' (expected two fields alike)", a.name,
                         b.name));
    if (a.is_lent() || b.is_lent())
      refuse(fmt::format("steps: a swap of '{}' and '{}', of which one lies on a view (expected "
                         "fields that own their memory)",
                         a.name, b.name));
  }

  /// A value that kernels compute is not taken before that, unless it has a first value.
  void check_values() const {
    std::vector<bool> is_set;
    for (auto const& value : program_.values)
      is_set.push_back(value->is_set);
    for (step_kernel const& kernel : program_.kernels) {
      for (int const v : kernel.reads_values)
        if (!is_set[v])
          refuse(fmt::format("steps: kernel '{}' takes value '{}', which has none yet (expected a "
                             "first value, or a kernel before it that makes one)",
                             kernel.name, program_.values[v]->name));
      for (int const v : kernel.reduces)
        is_set[v] = true;
      for (int const v : kernel.sets)
        is_set[v] = true;
    }
  }

  /// A field of which kernels write only a part is not read as a whole if no caller has set it.
  void check_first_values() const {
    std::vector<int> written(program_.fields.size()); // 1: a part, 2: all
    for (step_kernel const& kernel : program_.kernels) {
      for (step_access const& access : kernel.accesses)
        if (int const f = access.field; !access.is_written() && !kernel.is_restricted() &&
                                        written[f] == 1 && !field(access.field).is_set)
          refuse(fmt::format("steps: kernel '{}' reads all of '{}', of which only a part has been "
                             "written (expected fill(), or a kernel before that writes the rest)",
                             kernel.name, field(access.field).name));
      for (step_access const& access : kernel.accesses)
        if (!access.is_read()) {
          int& how = written[access.field];
          how = std::max(how, kernel.is_partial(access, field(access.field).components) ? 1 : 2);
        }
    }
  }

  step_program const& program_;
  step_space const& space_;
};

/// Describes a component that is read and has no values.
std::string words_of_unset(std::string const& reader, step_field const& field, int component) {
  std::string const part = field.components > 1 ? fmt::format("component {} of ", component) : "";
  return fmt::format("steps: {} reads {}'{}', which is neither filled nor written by a kernel "
                     "(expected fill(), of zeros, too, or values through view())",
                     reader, part, field.name);
}

/// The components of fields that have values, on any rank. [fields] [components, or none if unknown]
/// Collective: over the space.
std::vector<std::vector<bool>> components_with_values(step_program const& program,
                                                      step_space const& space) {
  std::vector<int> all;
  for (auto const& field : program.fields)
    for (value_origin const& origin : field->origins)
      all.push_back(origin.is_set || origin.is_computed);
  largest_of_all(space.base().context(), all);
  std::vector<std::vector<bool>> of_fields;
  auto next = all.begin();
  for (auto const& field : program.fields) {
    auto const end = next + std::ssize(field->origins);
    of_fields.emplace_back(next, end);
    next = end;
  }
  return of_fields;
}

} // namespace

std::string words_of_unset_input(step_program const& program, step_space const& space) {
  auto const has_values = components_with_values(program, space);
  for (step_kernel const& kernel : program.kernels)
    for (step_access const& access : kernel.accesses) {
      auto const& known = has_values[access.field];
      for (int c = access.first; c < access.first + access.count && !known.empty(); ++c)
        if (!known[c])
          return words_of_unset(fmt::format("kernel '{}'", kernel.name),
                                *program.fields[access.field], c);
      if (!access.is_read() || !access.reads_neighbors())
        continue;
      step_field const& read = *program.fields[access.field];
      for (auto const& beside : read.beyond(program.conditions(access.borders)).fields) {
        auto const at = std::ranges::find(program.fields, beside) - program.fields.begin();
        if (at == std::ssize(program.fields) || has_values[at].empty() ||
            std::ranges::find(has_values[at], true) != has_values[at].end())
          continue;
        return words_of_unset(fmt::format("a boundary condition of '{}'", read.name), *beside, 0);
      }
    }
  return "";
}

void check_program(step_program const& program, step_space const& space) {
  program_check(program, space).all();
}

bool serves_callers_alone(step_program const& program, step_kernel const& kernel) {
  auto const is_written = [](step_access const& access) { return access.is_written(); };
  if (kernel.reduces.empty() || std::ranges::any_of(kernel.accesses, is_written))
    return false;
  auto const is_taken_beyond = [&](int field, int own) {
    auto const read = program.fields[field]->beyond(program.conditions(own));
    return read.reads_values || (read.reads_time && program.time != nullptr);
  };
  for (int f = 0; f < std::ssize(program.fields); ++f)
    if (is_taken_beyond(f, -1))
      return false;
  for (int own = 0; own < std::ssize(program.borders); ++own)
    if (is_taken_beyond(program.borders[own].field, own))
      return false;
  for (step_kernel const& other : program.kernels)
    for (auto const* const taken : {&other.reads_values, &other.sets})
      for (int const v : *taken)
        if (std::ranges::find(kernel.reduces, v) != kernel.reduces.end())
          return false;
  return true;
}

} // namespace seam::detail

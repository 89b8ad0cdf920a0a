#include <seam/mesh/roles/entity_watch.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/steps/program/step_program.hpp>
#include <seam/mesh/space/mesh_space.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam::detail {
namespace {

/// Memory of what a thread's watch notes as written: each tile has a watch, and allocates nothing.
std::vector<std::vector<bool>>& memory_of_thread(std::size_t num_accesses) {
  thread_local std::vector<std::vector<bool>> memory;
  if (memory.size() < num_accesses)
    memory.resize(num_accesses);
  return memory;
}

} // namespace

entity_watch::entity_watch(Mesh const& mesh, step_kernel const& kernel, step_fields const& fields,
                           step_call const* call)
    : mesh_(mesh),
      kernel_(kernel),
      fields_(fields),
      call_(call),
      written_(memory_of_thread(kernel.accesses.size())) {}

void entity_watch::begin(int dimension, local_id place) {
  dimension_ = dimension;
  place_ = place;
  reads_finite_ = true;
  made_ = {};
  for (auto& components : written_)
    components.clear();
}

std::string entity_watch::place_in_words() const {
  return fmt::format("entity {} of the {}", mesh_.entities(dimension_).ids[place_],
                     name_of_entities(mesh_, dimension_));
}

void entity_watch::check_component(char const* does, int access, int component,
                                   int num_components) const {
  if (component < 0 || component >= num_components)
    refuse(fmt::format("steps: kernel '{}' {} component {} of '{}' (expected 0 to {})",
                       kernel_.name, does, component, fields_[access]->name, num_components - 1));
}

void entity_watch::note_around(int access, int component, int num_components, int k, int count) {
  bool const adds = kernel_.accesses[access].is_added();
  check_component(adds ? "adds to" : "reads", access, component, num_components);
  if (k < 0 || k >= count)
    refuse(fmt::format(
        "steps: kernel '{}' {} '{}' at neighbor {} of {}, which has {} (expected {})", kernel_.name,
        adds ? "adds to" : "reads", fields_[access]->name, k, place_in_words(), count,
        count > 0 ? fmt::format("0 to {}", count - 1) : "none"));
}

void entity_watch::note_own(int access, int component, int num_components) {
  check_component("reads", access, component, num_components);
  int const kind = static_cast<int>(fields_[access]->kind());
  if (kind != dimension_)
    refuse(
        fmt::format("steps: kernel '{}' reads '{}' of {} at its own place among the {} (expected "
                    "the k-th around it, as {}(k))",
                    kernel_.name, fields_[access]->name, name_of_entities(mesh_, kind),
                    name_of_entities(mesh_, dimension_), fields_[access]->name));
  int const by = overwriting_access(kernel_, kernel_.accesses[access], *fields_[access]);
  if (by >= 0 && component < std::ssize(written_[by]) && written_[by][component])
    refuse(words_of_late_read(kernel_.name, fields_[access]->name));
}

void entity_watch::note_own_number(bool is_there) const {
  if (!is_there)
    refuse(
        fmt::format("steps: kernel '{}' reads a number of {}, where a std::vector has one for each "
                    "entry of its list (expected that of the k-th entry, as n(k))",
                    kernel_.name, place_in_words()));
}

void entity_watch::note_number(int k, int count) const {
  if (k < 0 || k >= count)
    refuse(fmt::format("steps: kernel '{}' reads number {} of {}, which has {} (expected {})",
                       kernel_.name, k, place_in_words(), count,
                       count > 0 ? fmt::format("0 to {}", count - 1)
                                 : "its own, as n(), or a list with as many entries as numbers"));
}

bool entity_watch::note_write(int access, int component, int num_components) {
  check_component("writes", access, component, num_components);
  auto& written = written_[access];
  written.resize(num_components);
  written[component] = true;
  return !is_probe();
}

void entity_watch::note_made_value(int access, int component, double not_finite) {
  if (not_finite == 0 || made_.is_found() || is_probe() || !kernel_.findings)
    return;
  made_.where = {call_->step,
                 kernel_.findings->kernel,
                 access,
                 component,
                 0,
                 0,
                 mesh_.entities(dimension_).ids[place_]};
  made_.value = not_finite;
}

void entity_watch::end() const {
  if (made_.is_found() && reads_finite_) {
    not_finite_value& first = kernel_.findings->of_workers[call_->worker];
    if (made_.where < first.where) {
      first = made_;
      first.inputs = inputs_in_words(kernel_);
    }
  }
  for (int a = 0; a < std::ssize(kernel_.accesses); ++a) {
    auto const& role = traits_of(kernel_.accesses[a].role);
    if (role.writes && !role.keeps && !role.adds &&
        (written_[a].empty() || std::ranges::find(written_[a], false) != written_[a].end()))
      refuse(
          fmt::format("steps: kernel '{}' leaves '{}' without a value at {} (expected a value at "
                      "every place; modifies() and sets of entities are for those that keep "
                      "theirs)",
                      kernel_.name, fields_[a]->name, place_in_words()));
  }
}

} // namespace seam::detail

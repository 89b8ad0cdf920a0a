#include <seam/mesh/fields/stale_copies.hpp>

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/steps/stamps/ghost_stamps.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mesh/fields/mesh_field.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace seam::detail {
namespace {

/// Own values of which others have copies are the rim.
std::vector<element_kind> kinds_of(mesh_entities const& of, int num_components) {
  std::vector<element_kind> rows(of.num_local(), element_kind::inner), kinds;
  for (local_id const entity : of.copies.ranks2entities.ab2b)
    rows[entity] = element_kind::rim;
  std::fill(rows.begin() + of.num_owned, rows.end(), element_kind::ghost);
  for (element_kind const row : rows)
    kinds.insert(kinds.end(), num_components, row);
  return kinds;
}

std::string words_of_copy(mesh_entities const& of, int num_components, int rank, char const* name,
                          std::int64_t element, stale_reason why) {
  std::int64_t const row = element / num_components;
  return fmt::format(
      "stale ghost: rank {} reads the copy of entity {} of '{}'{}, on rank {}, which {} (expected "
      "{})",
      rank, of.ids[row], name,
      num_components > 1 ? fmt::format(", component {}", element % num_components) : "",
      of.owners[row], words_of_stale(why), expected_exchange(name, why));
}

/// Tells stamps of values about rows.
class stamped_rows final : public array_watch {
public:
  stamped_rows(std::shared_ptr<ghost_stamps> stamps, int num_components)
      : values_(std::move(stamps), true), num_components_(num_components) {}

  void begin() override { values_.begin(); }
  void expect(region const& rows) override { values_.expect(of_values(rows)); }
  void arrive(region const& rows) override { values_.arrive(of_values(rows)); }
  void end() override { values_.end(); }

private:
  region of_values(region rows) const {
    rows.offset *= num_components_;
    rows.extent[2] *= num_components_;
    return rows;
  }

  stamped_array values_;
  int num_components_;
};

} // namespace

void add_stamps(mesh_field_state& field) {
  field.copies.reset();
  if (!program_is_checked() || !checks_are_on())
    return;
  auto const words = [mesh = field.mesh, dimension = field.dimension,
                      num_components = field.num_components](char const* name, std::int64_t element,
                                                             stale_reason why) {
    return words_of_copy(mesh.entities(dimension), num_components, mesh.base().rank(), name,
                         element, why);
  };
  auto const stamps = std::make_shared<ghost_stamps>(
      field.memory.get(), field.component_bytes, *field.type == typeid(bool),
      kinds_of(field.mesh.entities(field.dimension), field.num_components), words);
  stamps->belong_to(lasting_name(field.name));
  stamps->vouch_for_ghosts(); // loops may add to them, until others send theirs
  field.memory = with_stamps(field.memory, stamps);
  field.copies = std::make_shared<stamped_copies>();
  field.copies->stamps = stamps;
}

std::shared_ptr<array_watch> watch_of(mesh_field_state const& field) {
  if (!field.copies)
    return nullptr;
  return std::make_shared<stamped_rows>(field.copies->stamps, field.num_components);
}

void note_change(mesh_field_state const& field) {
  if (field.copies)
    field.copies->stamps->note_change();
}

void note_copies(mesh_field_state const& field) {
  if (field.copies)
    field.copies->stamps->vouch_for_ghosts();
}

void touch_value(mesh_field_state const& field, std::int64_t element) {
  if (field.copies && !field.copies->is_given_up.load(std::memory_order_relaxed))
    field.copies->stamps->touch(element);
}

void note_pointer(mesh_field_state const& field) {
  if (field.copies)
    field.copies->is_given_up.store(true, std::memory_order_relaxed);
}

} // namespace seam::detail

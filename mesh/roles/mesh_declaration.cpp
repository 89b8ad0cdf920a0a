#include <seam/mesh/roles/mesh_declaration.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/roles/mesh_roles.hpp>
#include <seam/mesh/space/mesh_step_field.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace seam::detail {
namespace {

/// How many entries stand behind a larger one in their row, by numbers that entities have.
template <class Number>
std::int64_t count_descents(adjacency const& rows, Number const& number_of) {
  std::int64_t count = 0;
  for (local_id row = 0; row < rows.num_rows(); ++row)
    for (std::size_t n = 1; n < rows[row].size(); ++n)
      count += number_of(rows[row][n]) < number_of(rows[row][n - 1]) ? 1 : 0;
  return count;
}

} // namespace

mesh_declaration::mesh_declaration(step_machine& machine, std::shared_ptr<mesh_space const> space,
                                   std::string name, mesh_set const* at)
    : step_declaration(machine, std::move(name)), space_(std::move(space)), at_(at) {
  kernel_.space = space_;
}

void mesh_declaration::take(declared_entities const& role) {
  step_access access;
  access.role = role.role;
  kernel_.arguments.push_back({.access = static_cast<int>(kernel_.accesses.size())});
  kernel_.accesses.push_back(std::move(access));
  roles_.push_back(role);
}

step_kernel& mesh_declaration::add(std::unique_ptr<mesh_body> body) {
  collectively(space_->base().context(), [&] {
    check_meshes();
    find_dimensions();
    for (int a = 0; a < std::ssize(roles_); ++a)
      find_reach(a);
    check_tables();
  });
  require_same(space_->base().context(),
               "steps:", fmt::format("kernel '{}' in each()", kernel_.name));
  check_orders();
  find_places();
  kernel_.is_for_owners = serves_owners();
  for (int a = 0; a < std::ssize(roles_); ++a) {
    auto const field = step_field_of(roles_[a].field);
    kernel_.accesses[a].field = machine_.number_of(field);
    body->fields.push_back(field);
  }
  body->dimension = called_;
  kernel_.declared = kernel_.accesses;
  kernel_.body = std::move(body);
  return machine_.add(std::move(kernel_));
}

void mesh_declaration::check_meshes() const {
  for (declared_entities const& role : roles_)
    if (!role.field->mesh.is_same(space_->mesh()))
      refuse(fmt::format("steps: kernel '{}': field '{}' belongs to another mesh (expected the "
                         "steps' own)",
                         kernel_.name, role.field->name));
  if (at_ != nullptr && !at_->mesh.is_same(space_->mesh()))
    refuse(
        fmt::format("steps: kernel '{}' at {} of another mesh (expected a set of the steps' own)",
                    kernel_.name, at_->name));
  if (roles_.empty())
    refuse(fmt::format("steps: kernel '{}' has no field (expected reads() or writes() of one)",
                       kernel_.name));
}

/// Finds at which entities the kernel is called, and which it computes.
void mesh_declaration::find_dimensions() {
  Mesh const& mesh = space_->mesh();
  int written = -1, added = -1, read = -1;
  for (declared_entities const& role : roles_) {
    role_traits const& traits = traits_of(role.role);
    int const dimension = role.field->dimension;
    if (!traits.writes) {
      if (read < 0 && !role.around.is_named())
        read = dimension;
      continue;
    }
    int& known = traits.adds ? added : written;
    if (known >= 0 && known != dimension)
      refuse(
          fmt::format("steps: kernel '{}' {} '{}' of {} (expected {}, as the other fields that it "
                      "writes)",
                      kernel_.name, traits.name, role.field->name,
                      name_of_entities(mesh, dimension), name_of_entities(mesh, known)));
    known = dimension;
  }
  called_ = at_ != nullptr ? at_->dimension : written >= 0 ? written : read;
  if (called_ < 0)
    refuse(fmt::format("steps: kernel '{}' {} at no entity of its own (expected a set, such as "
                       "mesh.all(sides), before its roles)",
                       kernel_.name, added >= 0 ? "adds" : "reads"));
  if (written >= 0 && written != called_)
    refuse(fmt::format("steps: kernel '{}' at {} writes fields of {} (expected a set of these, or "
                       "adds())",
                       kernel_.name, at_->name, name_of_entities(mesh, written)));
  kernel_.kind = static_cast<unsigned>(added >= 0 ? added : called_);
}

/// Finds the entities around a kernel's own that a role names.
void mesh_declaration::find_reach(int access) {
  Mesh const& mesh = space_->mesh();
  declared_entities const& role = roles_[access];
  int const to = role.field->dimension;
  std::string const what = fmt::format("steps: kernel '{}' at {} {} '{}' of {}", kernel_.name,
                                       name_of_entities(mesh, called_), name_of(role.role),
                                       role.field->name, name_of_entities(mesh, to));
  if (role.around.list != nullptr) {
    kernel_.accesses[access].reach = list_for(role);
  } else if (!role.around.is_named()) {
    if (to != called_)
      refuse(
          fmt::format("{} at their own place (expected a part of the mesh after the field, as in "
                      "{}({}, {}))",
                      what, name_of(role.role), role.field->name, name_of_entities(mesh, to)));
  } else if (int const around = mesh.dimension_of(*role.around.part); around != to) {
    refuse(fmt::format("{} around them as of {} (expected {})", what,
                       name_of_entities(mesh, around), name_of_entities(mesh, to)));
  } else {
    kernel_.accesses[access].reach = space_->rows(called_, to);
  }
}

/// The rows of a list of the user's own.
std::shared_ptr<entity_rows const> mesh_declaration::list_for(declared_entities const& role) const {
  Mesh const& mesh = space_->mesh();
  adjacency const& list = *role.around.list;
  auto const& entities = mesh.entities(role.field->dimension);
  std::string const what =
      fmt::format("steps: kernel '{}': a list of '{}'", kernel_.name, role.field->name);
  bool const adds = std::ranges::any_of(kernel_.accesses, &step_access::is_added);
  auto const& callers = mesh.entities(called_);
  local_id const rows = adds ? callers.num_local() : callers.num_owned;
  if (list.num_rows() != rows && list.num_rows() != callers.num_local())
    refuse(fmt::format("{} with {} rows (expected {}, one for each {} entity of the {})", what,
                       list.num_rows(), rows, adds ? "local" : "own",
                       name_of_entities(mesh, called_)));
  if (!std::ranges::is_sorted(list.a2ab) || list.a2ab.front() != 0 ||
      list.a2ab.back() != std::ssize(list.ab2b))
    refuse(fmt::format(
        "{} whose rows begin at {} and end at {} (expected ascending offsets, from 0 to "
        "its {} entries)",
        what, list.a2ab.front(), list.a2ab.back(), list.ab2b.size()));
  for (local_id const e : list.ab2b)
    if (e < 0 || e >= entities.num_local())
      refuse(fmt::format("{} has entity {} (expected local {}, 0 to {})", what, e,
                         name_of_entities(mesh, role.field->dimension), entities.num_local() - 1));
  return space_->rows(list, called_, role.field->dimension);
}

/// Refuses lists that are in the order of local numbers on all ranks, and not everywhere in that of ids:
/// they depend on ranks. In lists with few entries another order may be that of local numbers by chance.
void mesh_declaration::check_orders() const {
  constexpr std::int64_t no_chance = 8;                  // entries
  std::vector<std::int64_t> descents(2 * roles_.size()); // by local numbers, by ids
  for (int a = 0; a < std::ssize(roles_); ++a) {
    if (roles_[a].around.list == nullptr)
      continue;
    auto const& rows = *roles_[a].around.list;
    auto const& ids = space_->mesh().entities(roles_[a].field->dimension).ids;
    descents[2 * a] = count_descents(rows, std::identity());
    descents[2 * a + 1] = count_descents(rows, [&](local_id e) { return ids[e]; });
  }
  mpi::allreduce(space_->base().context(), std::span(descents), MPI_SUM);
  for (int a = 0; a < std::ssize(roles_); ++a)
    if (descents[2 * a] == 0 && descents[2 * a + 1] >= no_chance)
      throw usage_error(
          fmt::format("steps: kernel '{}': a list of '{}' is in the order of local numbers, which "
                      "depends on ranks (expected ascending ids, or another order that does not)",
                      kernel_.name, roles_[a].field->name),
          true);
}

/// Checks that the numbers that a kernel gets as vectors fit its entities, or the entries of its list.
void mesh_declaration::check_tables() const {
  auto const& entities = space_->mesh().entities(called_);
  bool const adds = std::ranges::any_of(kernel_.accesses, &step_access::is_added);
  std::ptrdiff_t num_entries = -1;
  for (step_access const& access : kernel_.accesses)
    if (access.reach && rows_of(access).is_list() && num_entries < 0)
      num_entries = std::ssize(rows_of(access).rows().ab2b);
  std::ptrdiff_t const least = adds ? entities.num_local() : entities.num_owned;
  for (std::ptrdiff_t const size : table_sizes_)
    if (size != num_entries && size != least && size != entities.num_local())
      refuse(fmt::format(
          "steps: kernel '{}' reads {} numbers (expected {}, one for each {} entity of "
          "the {}{})",
          kernel_.name, size, least, adds ? "local" : "own",
          name_of_entities(space_->mesh(), called_),
          num_entries < 0 ? ""
                          : fmt::format(", or {}, one for each entry of its list", num_entries)));
}

/// True if the kernel has a list, or on some rank numbers of own entities alone.
/// Collective: over the space, if it has numbers.
bool mesh_declaration::serves_owners() const {
  for (step_access const& access : kernel_.accesses)
    if (access.reach && rows_of(access).is_list())
      return true;
  if (table_sizes_.empty())
    return false;
  local_id const num_local = space_->mesh().entities(called_).num_local();
  bool const lacks_copies =
      std::ranges::any_of(table_sizes_, [&](auto size) { return size != num_local; });
  return mpi::allreduce(space_->base().context(), lacks_copies ? 1 : 0, MPI_MAX) != 0;
}

/// Finds the places of a set, and the sources of a kernel that adds.
void mesh_declaration::find_places() {
  mesh_set const at =
      at_ != nullptr ? *at_
                     : mesh_set{space_->mesh(), called_, name_of_entities(space_->mesh(), called_),
                                space_->mesh().entities(called_).num_global, nullptr};
  kernel_.set_name = fmt::format("{} {}", at.num_global, at.name);
  if (std::ranges::any_of(kernel_.accesses, &step_access::is_added))
    kernel_.sources = space_->sources(at, static_cast<int>(kernel_.kind));
  else if (at.has)
    kernel_.places = std::make_shared<chosen_places const>(at);
}

declared_entities::declared_entities(std::shared_ptr<mesh_field_state> its_field,
                                     access_role its_role, named_around const& its_around)
    : field(std::move(its_field)), role(its_role), around(its_around) {}
declared_entities::declared_entities(declared_entities const&) = default;
declared_entities::~declared_entities() = default;

} // namespace seam::detail

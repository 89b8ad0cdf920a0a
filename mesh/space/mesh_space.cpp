#include <seam/mesh/space/mesh_space.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/exchange/steps/program/step_program.hpp>
#include <seam/mesh/space/entity_rows.hpp>
#include <seam/mesh/space/mesh_step_field.hpp>
#include <seam/mesh/space/mesh_tiling.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace seam::detail {
namespace {

step_region first_ids(local_id count) {
  id_list ids(count);
  std::iota(ids.begin(), ids.end(), 0);
  return list_of(std::move(ids));
}

chosen_places const* places_of(step_kernel const& kernel) {
  return static_cast<chosen_places const*>(kernel.places.get());
}

/// True if the kernel gives its places other memory, into which the rest is to be copied.
bool moves(step_kernel const& kernel) {
  return std::ranges::any_of(kernel.accesses, &step_access::is_moved);
}

bool collects(step_kernel const& kernel) {
  return std::ranges::any_of(kernel.accesses, [](step_access const& access) {
    return access.role == access_role::collects;
  });
}

/// The access whose neighbors a kernel in colors reads while it changes them; null if there is none.
step_access const* colored_access(step_kernel const& kernel) {
  for (step_access const& access : kernel.accesses)
    if (access.is_modified() && access.reach)
      return &access;
  return nullptr;
}

} // namespace

mesh_space::mesh_space(Mesh mesh) : step_space(mesh.base().base()), mesh_(std::move(mesh)) {
  for (int dimension = 0; dimension <= mesh_.num_dimensions(); ++dimension) {
    owned_.push_back(first_ids(mesh_.entities(dimension).num_owned));
    stored_.push_back(first_ids(mesh_.entities(dimension).num_local()));
  }
}

std::shared_ptr<mesh_space const> space_of(Mesh const& mesh) {
  auto known = std::static_pointer_cast<mesh_space const>(mesh.space_of_steps().lock());
  if (!known) {
    known = std::make_shared<mesh_space const>(mesh);
    mesh.space_of_steps() = known;
  }
  return known;
}

std::shared_ptr<entity_rows const> mesh_space::rows(int from, int to) const {
  auto& known = rows_[{from, to}];
  if (!known)
    known = std::make_shared<entity_rows const>(mesh_, from, to);
  return known;
}

std::shared_ptr<entity_rows const> mesh_space::rows(adjacency const& list, int from, int to) const {
  for (auto const& known : lists_)
    if (known->from == from && known->to == to && known->rows() == list)
      return known;
  return lists_.emplace_back(std::make_shared<entity_rows const>(list, from, to));
}

std::shared_ptr<entity_sources const> mesh_space::sources(mesh_set const& at, int targets) const {
  for (known_sources const& known : sources_)
    if (known.set == at.has && known.from == at.dimension && known.targets == targets)
      return known.sources;
  auto made = std::make_shared<entity_sources const>(at, rows(at.dimension, targets));
  sources_.push_back({at.has, at.dimension, targets, made});
  return made;
}

step_region mesh_space::turn_of(step_kernel const& kernel, int rank, int pass) const {
  SEAM_ASSERT(rank == this->rank(), "a rank knows its own entities only");
  if (kernel.num_colors > 1)
    return intersection(changed(kernel, pass), owned_[kernel.kind]);
  if (kernel.sources && !collects(kernel))
    return sources_of(kernel)->targets();
  step_region const& own = owned_[kernel.kind];
  return kernel.places && !moves(kernel) ? intersection(own, places_of(kernel)->all) : own;
}

std::vector<step_region> mesh_space::computed(step_kernel const& kernel,
                                              step_region const& region) const {
  return {kernel.places ? intersection(region, places_of(kernel)->all) : region};
}

step_region mesh_space::read_by(step_kernel const& kernel, step_access const& access,
                                step_region const& places) const {
  if (access.is_added() || places.is_empty())
    return places;
  auto const from = kernel.sources ? sources_of(kernel)->of(places) : places;
  return access.reach ? rows_of(access).joined(from) : from;
}

bool mesh_space::knows_changes(step_kernel const& kernel) const {
  return !kernel.sources && (kernel.num_colors > 1 || kernel.places);
}

step_region mesh_space::changed(step_kernel const& kernel, int pass) const {
  step_region const all = kernel.places ? places_of(kernel)->all : stored_[kernel.kind];
  return kernel.num_colors > 1 ? intersection(all, rows_of(*colored_access(kernel)).colors[pass])
                               : all;
}

std::string mesh_space::against_fusion(step_kernel const& kernel) const {
  if (kernel.num_colors > 1)
    return fmt::format(
        "kernel '{}' runs in colors, between which messages renew copies (expected no "
        "fusion)",
        kernel.name);
  if (kernel.is_for_owners)
    return fmt::format(
        "kernel '{}' has a list, or numbers of own entities alone (expected parts of "
        "the mesh, and numbers of all local entities, or no fusion)",
        kernel.name);
  return "";
}

std::string mesh_space::against(step_dataflow const& flow) const {
  return against_layers(*this, flow);
}

std::string mesh_space::restrictions_in_words(step_kernel const& kernel) const {
  return ", at " + kernel.set_name;
}

/// Tiles call a kernel that adds at all sources of their targets, so that some are called twice, and
/// copies on the rank of their owner, too.
std::string mesh_space::calls_in_words(step_kernel const& kernel, std::int64_t calls) const {
  if (!kernel.sources)
    return "";
  entity_sources const& sources = *sources_of(kernel);
  step_region const all = sources.of(sources.targets());
  int const from = sources.from_sources->from;
  std::int64_t const num_copies = all.size() - intersection(all, owned_[from]).size();
  return fmt::format(
      "  kernel '{}' adds tile by tile of its {}: rank {} calls it {} times at {} {} "
      "({:.1f} % more), of which {} are copies\n",
      kernel.name, name_of_entities(mesh_, static_cast<int>(kernel.kind)), rank(), calls,
      all.size(), name_of_entities(mesh_, from),
      all.is_empty()
          ? 0.0
          : 100.0 * static_cast<double>(calls - all.size()) / static_cast<double>(all.size()),
      num_copies);
}

void mesh_space::check(step_program const& program, step_kernel const& kernel) const {
  for (step_access const& access : kernel.accesses) {
    auto const& field = static_cast<mesh_step_field const&>(*program.fields[access.field]);
    if (field.has_migrated())
      refuse(fmt::format("steps: kernel '{}': field '{}' has migrated (expected steps on the mesh "
                         "that it is on now)",
                         kernel.name, field.name));
  }
  if (kernel.num_colors > 1 && colored_access(kernel) == nullptr)
    refuse(
        fmt::format("steps: kernel '{}' in colors (expected modifies() of a field whose neighbors "
                    "it reads)",
                    kernel.name));
}

void mesh_space::prepare(step_program const& /*program*/, step_kernel& kernel,
                         int /*parts_in_order*/) const {
  if (kernel.num_colors == 1)
    return;
  entity_rows const& rows = rows_of(*colored_access(kernel));
  if (rows.colors.empty())
    rows.colors = find_colors(mesh_, rows);
  kernel.num_colors = static_cast<int>(std::ssize(rows.colors));
}

step_partners mesh_space::partners(
    step_dataflow const& /*flow*/,
    std::function<std::vector<asked_part>(int rank)> const& needed_by) const {
  struct question {
    int number;
    unsigned kind;
    global_id id;
  };
  step_partners made;
  std::vector<question> questions;
  std::vector<int> owners;
  for (auto const& [number, field, needed] : needed_by(rank())) {
    auto const& entities = mesh_.entities(static_cast<int>(field->kind()));
    std::map<int, id_list> owners2ids;
    for (local_id const id : needed.ids()) {
      owners2ids[entities.owners[id]].push_back(id);
      questions.push_back({number, field->kind(), entities.ids[id]});
      owners.push_back(entities.owners[id]);
    }
    for (auto& [owner, ids] : owners2ids)
      made.arriving[owner].push_back({number, list_of(std::move(ids)), {}});
  }
  auto const asked = send_records<question>(base(), questions, owners);
  for (std::size_t first = 0, end = 0; first < asked.records.size(); first = end) {
    auto const& [number, kind, id] = asked.records[first];
    int const sender = asked.senders[first];
    id_list ids;
    for (; end < asked.records.size() && asked.senders[end] == sender &&
           asked.records[end].number == number;
         ++end)
      ids.push_back(own_with(kind, asked.records[end].id));
    made.leaving[sender].push_back({number, {}, list_of(std::move(ids))});
  }
  return made;
}

/// The own entity of an id.
local_id mesh_space::own_with(unsigned kind, global_id id) const {
  auto const& entities = mesh_.entities(static_cast<int>(kind));
  auto const end = entities.ids.begin() + entities.num_owned;
  auto const found = std::lower_bound(entities.ids.begin(), end, id);
  SEAM_ASSERT(found != end && *found == id, "an owner lacks an entity");
  return static_cast<local_id>(found - entities.ids.begin());
}

std::unique_ptr<step_tiling> mesh_space::tiling(step_dataflow const& flow,
                                                computed_regions const& regions,
                                                tile_settings const& settings) const {
  return std::make_unique<mesh_tiling>(mesh_, settings.extent, flow, regions);
}

char const* name_of_entities(Mesh const& mesh, int dimension) {
  if (dimension == mesh.num_dimensions())
    return "cells";
  if (dimension == 0)
    return "vertices";
  return dimension + 1 == mesh.num_dimensions() ? "sides" : "edges";
}

} // namespace seam::detail

#include <seam/mesh/fields/mesh_halo.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/numbering/order.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam {
namespace {

/// Appends runs of consecutive entities.
void add_runs(std::vector<region>& to, std::span<local_id const> entities) {
  std::size_t const first = to.size();
  for (local_id const e : entities)
    if (to.size() > first && to.back().offset + to.back().extent[2] == e)
      ++to.back().extent[2];
    else
      to.push_back({.offset = e});
}

/// For each neighbor the runs of own entities that it has copies of.
regions_of_edges leaving(mesh_entities const& of, std::span<edge const> neighbors) {
  std::vector<int> offsets{0};
  std::vector<region> runs;
  for (edge const& neighbor : neighbors) {
    auto const found = std::ranges::lower_bound(of.copies.ranks, neighbor.rank);
    if (found != of.copies.ranks.end() && *found == neighbor.rank)
      add_runs(runs, of.copies.ranks2entities[local_id(found - of.copies.ranks.begin())]);
    offsets.push_back(static_cast<int>(runs.size()));
  }
  return {std::move(offsets), std::move(runs)};
}

/// For each neighbor the copies of its entities, which are contiguous.
regions_of_edges arriving(mesh_entities const& of, std::span<edge const> neighbors) {
  std::vector<region> ranges;
  auto const copies = std::span(of.owners).subspan(static_cast<std::size_t>(of.num_owned));
  for (edge const& neighbor : neighbors) {
    auto const of_neighbor = detail::those_with(neighbor.rank, copies);
    ranges.push_back({.offset = of.num_owned + (of_neighbor.data() - copies.data()),
                      .extent = {1, 1, std::ssize(of_neighbor)}});
  }
  return regions_of_edges(std::move(ranges));
}

void check_fields(std::span<std::shared_ptr<detail::mesh_field_state> const> fields) {
  detail::mesh_field_state const& first = *fields.front();
  for (auto const& field : fields)
    if (field->dimension != first.dimension || !field->mesh.is_same(first.mesh))
      refuse(fmt::format("halo: field '{}' on entities of dimension {} of {} mesh as field '{}' "
                         "(expected dimension {} of the same)",
                         field->name, field->dimension,
                         field->mesh.is_same(first.mesh) ? "the same" : "another", first.name,
                         first.dimension));
}

char const* name_of_halo(std::span<std::shared_ptr<detail::mesh_field_state> const> fields) {
  std::string names;
  for (auto const& field : fields)
    names += (names.empty() ? "" : ", ") + field->name;
  return lasting_name(fmt::format("the halo of {}", names));
}

} // namespace

operation detail::make_mesh_exchange(std::span<std::shared_ptr<mesh_field_state> const> fields,
                                     bool is_reverse, reduction how, gating gates) {
  Mesh const& mesh = fields.front()->mesh;
  call_scope const here("make_halo", *mesh.base().calls());
  auto const arrays = collectively(mesh.base().context(), [&] {
    check_fields(fields);
    std::vector<exchanged_array> all;
    for (auto const& field : fields)
      all.push_back({field->memory.get(), field->row_bytes(), field->combine(how),
                     words_of_array(field->name, *field->type, how)});
    return all;
  });
  plan const forward = make_halo_plan(mesh, fields.front()->dimension);
  plan const what = is_reverse ? forward.inverse() : forward;
  operation made = make_exchange(mesh.graph(), {&what, 1}, arrays, gates);
  made.rename(name_of_halo(fields));
  return made;
}

std::vector<detail::planned_field> detail::as_planned(
    std::span<std::shared_ptr<mesh_field_state> const> fields) {
  std::vector<planned_field> planned;
  for (auto const& field : fields)
    planned.push_back({field, field->memory});
  return planned;
}

void detail::check_storage(std::span<planned_field const> fields, char const* expected) {
  for (planned_field const& planned : fields)
    if (planned.field->memory != planned.memory)
      refuse(fmt::format("halo: field '{}' has migrated since the halo was planned (expected {})",
                         planned.field->name, expected));
}

plan make_halo_plan(Mesh const& mesh, int dimension) {
  Topology const& topology = mesh.graph().topology();
  mesh_entities const& of = mesh.entities(dimension);
  return {topology, leaving(of, topology.destinations()), arriving(of, topology.sources())};
}

MeshHalo::MeshHalo(std::vector<std::shared_ptr<detail::mesh_field_state>> fields, direction where,
                   reduction how)
    : fields_(detail::as_planned(fields)),
      direction_(where),
      how_(how),
      exchange_(detail::make_mesh_exchange(fields, where == direction::to_owners, how,
                                           gating::together)) {}

void MeshHalo::replan() {
  std::vector<std::shared_ptr<detail::mesh_field_state>> fields;
  for (detail::planned_field const& planned : fields_)
    fields.push_back(planned.field);
  *this = MeshHalo(std::move(fields), direction_, how_);
}

} // namespace seam

#include <seam/mesh/fields/mesh_halo.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/order.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam {
using namespace detail;

namespace {

/// Appends runs of consecutive entities.
void add_runs(std::vector<region>& to, std::span<local_id const> entities) {
  auto const first = std::ssize(to);
  for (local_id const e : entities)
    if (std::ssize(to) > first && to.back().offset + to.back().extent[2] == e)
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
  auto const copies = std::span(of.owners).subspan(of.num_owned);
  for (edge const& neighbor : neighbors) {
    auto const of_neighbor = detail::those_with(neighbor.rank, copies);
    ranges.push_back({.offset = of.num_owned + (of_neighbor.data() - copies.data()),
                      .extent = {1, 1, std::ssize(of_neighbor)}});
  }
  return regions_of_edges(std::move(ranges));
}

void check_fields(detail::mesh_field_states const& fields) {
  detail::mesh_field_state const& first = *fields.front();
  for (auto const& field : fields)
    if (field->dimension != first.dimension || !field->mesh.is_same(first.mesh))
      refuse(fmt::format("halo: field '{}' on entities of dimension {} of {} mesh as field '{}' "
                         "(expected dimension {} of the same)",
                         field->name, field->dimension,
                         field->mesh.is_same(first.mesh) ? "the same" : "another", first.name,
                         first.dimension));
}

/// The array of a field. Keeps its memory, which migration replaces.
exchanged_array in_halo(std::shared_ptr<detail::mesh_field_state> const& field, reduction how) {
  exchanged_array made{
      field->memory.get(),
      field->row_bytes(),
      field->combine(how),
      words_of_array(field->name, *field->type, how),
      field->name,
      [field, kept = field->memory] { return field->memory.get(); },
      fmt::format("field '{}' has migrated since the halo was made (expected replan() or a new "
                  "halo after migration)",
                  field->name)};
  made.watch = watch_of(*field);
  return made;
}

plan plan_of(detail::mesh_field_states const& fields, bool is_reverse) {
  plan forward = make_halo_plan(fields.front()->mesh, fields.front()->dimension);
  return is_reverse ? forward.inverse() : forward;
}

} // namespace

plan make_halo_plan(Mesh const& mesh, int dimension) {
  Topology const& topology = mesh.graph().topology();
  mesh_entities const& of = mesh.entities(dimension);
  return {topology, leaving(of, topology.destinations()), arriving(of, topology.sources())};
}

Halo detail::make_mesh_halo(mesh_field_states const& fields, plan const& along, reduction how,
                            gating gates) {
  auto const in_one_halo = [&] {
    check_fields(fields);
    std::vector<exchanged_array> all;
    for (auto const& field : fields)
      all.push_back(in_halo(field, how));
    return all;
  };
  return make_halo("make_halo", fields.front()->mesh.graph(), {&along, 1}, in_one_halo, gates);
}

MeshHalo::MeshHalo(detail::mesh_field_states fields, bool is_reverse, reduction how)
    : Halo(detail::make_mesh_halo(fields, plan_of(fields, is_reverse), how)),
      fields_(std::move(fields)),
      is_reverse_(is_reverse),
      how_(how) {}

void MeshHalo::replan() { *this = MeshHalo(fields_, is_reverse_, how_); }

} // namespace seam

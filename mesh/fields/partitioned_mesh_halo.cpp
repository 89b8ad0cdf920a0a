#include <seam/mesh/fields/partitioned_mesh_halo.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

namespace seam {
using namespace detail;

namespace {

local_id num_entities(detail::mesh_field_states const& fields) {
  return fields.front()->mesh.entities(fields.front()->dimension).num_local();
}

/// For each of `num_local` entities the edges along which it moves.
adjacency edges_of_entities(regions_of_edges const& moving, local_id num_local) {
  adjacency edges2entities;
  for (int e = 0; e < moving.num_edges(); ++e) {
    for (region const& run : moving[e])
      for (std::int64_t k = 0; k < run.num_elements(); ++k)
        edges2entities.ab2b.push_back(static_cast<local_id>(run.offset + k));
    edges2entities.end_row();
  }
  return invert(edges2entities, num_local);
}

std::vector<std::int64_t> num_elements_of(regions_of_edges const& moving) {
  std::vector<std::int64_t> counts;
  for (int e = 0; e < moving.num_edges(); ++e)
    counts.push_back(moving.num_elements(e));
  return counts;
}

} // namespace

PartitionedMeshHalo::PartitionedMeshHalo(detail::mesh_field_states const& fields, plan const& along,
                                         reduction how)
    : partitioned_exchange(detail::make_mesh_halo(fields, along, how, gating::by_edge),
                           num_elements_of(along.sends()), num_entities(fields)),
      entities2destinations_(edges_of_entities(along.sends(), num_entities(fields))),
      entities2sources_(edges_of_entities(along.receives(), num_entities(fields))) {}

void PartitionedMeshHalo::check_entity(char const* call, local_id entity) const {
  if (entity < 0 || entity >= entities2sources_.num_rows())
    refuse(fmt::format("halo: {} of entity {} (expected 0 to {})", call, entity,
                       entities2sources_.num_rows() - 1));
}

void PartitionedMeshHalo::ready(local_id entity) {
  check_entity("ready", entity);
  if (!mark({.offset = entity}) || !ready_along(entities2destinations_[entity]))
    refuse(fmt::format("halo: entity {} is ready twice (expected each once after a start)",
                       entity));
}

bool PartitionedMeshHalo::arrived(local_id entity) {
  check_entity("arrived", entity);
  return arrived_along(entities2sources_[entity]);
}

void PartitionedMeshHalo::wait_for(local_id entity) {
  check_entity("wait_for", entity);
  wait_along(entities2sources_[entity]);
}

} // namespace seam

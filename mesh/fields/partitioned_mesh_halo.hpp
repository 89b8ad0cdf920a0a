/// Partitioned halos of meshes: threads mark entities as ready and query copies for arrival. A
/// message to a neighbor leaves as soon as all of its entities are ready, while other entities are
/// still being computed.
///
///     auto halo = make_partitioned_halo(u, v);
///     halo.start();
///     parallel over own cells:  compute(c); halo.ready(c);       // each once
///     parallel over copies:     if (halo.arrived(c)) use(c);
///     halo.wait();
///
/// Source: [Holmes2021] sec. III-B.
#pragma once

#include <seam/exchange/halo/partitioned_exchange.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>

namespace seam {

/// A persistent exchange of the copies of some fields on the entities of one dimension of a mesh.
/// Uses the mesh and the storage that the fields had when it was made.
///
/// Threads: ready(), arrived() and test() from any thread, start() and wait() by one.
class PartitionedMeshHalo : public partitioned_exchange {
public:
  /// Made by make_partitioned_halo and make_partitioned_reverse_halo.
  PartitionedMeshHalo(detail::mesh_field_states const& fields, plan const& along, reduction how);

  /// Marks `entity` as ready: all fields have their values on it, and must not be written there
  /// until the exchange is complete.
  /// @param entity  an own entity, in a reverse halo a copy; entities that no rank needs may be
  ///                left out
  /// @throws usage_error  there is no such entity, more entities are ready than a neighbor needs,
  ///         or nothing is started; halos that were made in checked mode (see checks_are_on) find
  ///         every entity that is marked twice
  void ready(local_id entity);

  /// Makes progress; true if the values of the copy `entity` have arrived; always true for own
  /// entities. In a reverse halo: true if all contributions to `entity` have arrived.
  /// @throws usage_error  there is no such entity, or nothing is started
  bool arrived(local_id entity);

  /// Returns when arrived(entity) holds. Reports a stall (see stall.hpp).
  /// Threads: any.
  void wait_for(local_id entity);

private:
  void check_entity(char const* call, local_id entity) const;

  adjacency entities2destinations_, entities2sources_; ///< [num_local()] rows of edges
};

/// The exchange that gives every copy of an entity its owner's values.
/// @throws usage_error  the fields are on different meshes or dimensions (on all ranks)
/// Collective: over the mesh.
template <class T, class... More>
PartitionedMeshHalo make_partitioned_halo(MeshField<T>& first, More&... more) {
  return {{first.shared(), more.shared()...},
          make_halo_plan(first.mesh(), first.dimension()),
          reduction::replace};
}

/// The exchange that combines all copies of an entity into its owner's values, in rank order.
/// @throws usage_error  as above, or a field's type has no + for a sum, no < for a minimum or
///         maximum
/// Collective: over the mesh.
template <class T, class... More>
PartitionedMeshHalo make_partitioned_reverse_halo(reduction how, MeshField<T>& first,
                                                  More&... more) {
  return {{first.shared(), more.shared()...},
          make_halo_plan(first.mesh(), first.dimension()).inverse(),
          how};
}

} // namespace seam

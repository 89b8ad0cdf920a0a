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

#include <seam/mesh/fields/mesh_halo.hpp>

#include <atomic>
#include <optional>
#include <vector>

namespace seam {

/// A persistent exchange of the copies of some fields on the entities of one dimension of a mesh.
/// Uses the mesh and the storage that the fields had when it was made.
///
/// Threads: ready(), arrived() and test() from any thread, start() and wait() by one.
class PartitionedMeshHalo {
public:
  /// Made by make_partitioned_halo and make_partitioned_reverse_halo.
  PartitionedMeshHalo(std::vector<std::shared_ptr<detail::mesh_field_state>> fields,
                      bool is_reverse, reduction how);

  /// Starts an exchange in which no entity is ready.
  /// @throws usage_error  the exchange before is not complete, or a field has migrated since the
  ///         halo was made
  /// Local; no allocation.
  void start();

  /// Marks `entity` as ready: it has its values in all fields, which are not written before the
  /// exchange is complete.
  /// @param entity  an own entity, in a reverse halo a copy; entities that no rank needs may be
  ///                left out
  /// @throws usage_error  there is no such entity, more entities are ready than a neighbor needs,
  ///         or nothing is started; a halo that was made in checked mode (see checks_are_on) finds
  ///         each entity that is ready twice
  void ready(local_id entity);

  /// Makes progress; true if the values of the copy `entity` have arrived; always true for own
  /// entities. In a reverse halo: true if all contributions have arrived.
  /// @throws usage_error  there is no such entity, or nothing is started
  bool arrived(local_id entity);

  /// Returns when arrived(entity) holds.
  /// Threads: any.
  void wait_for(local_id entity);

  /// Makes progress; true if complete: all copies have arrived, and all entities may be written.
  bool test();
  void wait();

private:
  in_flight& flying(char const* call);
  void check_entity(char const* call, local_id entity) const;
  mesh_entities const& entities() const;

  std::vector<detail::planned_field> fields_;
  bool is_reverse_;
  operation exchange_;
  std::optional<in_flight> flying_;
  adjacency entities2edges_;          ///< [num_local()] rows of destinations that they leave along
  std::vector<int> owners2sources_;   ///< [size of base()] the edge from each rank, or -1
  std::vector<local_id> num_leaving_; ///< [destinations] entities
  std::vector<std::atomic<local_id>> left_; ///< [destinations] leaving entities that are not ready
  std::vector<std::atomic<bool>> marks_;    ///< [num_local()] is ready; empty if not checked
};

/// The exchange that gives every copy of an entity its owner's values.
/// @throws usage_error  the fields are on different meshes or dimensions (on all ranks)
/// Collective: over the mesh.
template <class T, class... More>
PartitionedMeshHalo make_partitioned_halo(MeshField<T>& first, More&... more) {
  return {{first.shared(), more.shared()...}, false, reduction::replace};
}

/// The exchange that combines all copies of an entity into its owner's values, in rank order.
/// @throws usage_error  as above, or a field's type has no + for a sum, no < for a minimum or
///         maximum
/// Collective: over the mesh.
template <class T, class... More>
PartitionedMeshHalo make_partitioned_reverse_halo(reduction how, MeshField<T>& first,
                                                  More&... more) {
  return {{first.shared(), more.shared()...}, true, how};
}

} // namespace seam

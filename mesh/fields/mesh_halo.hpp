/// Mesh halos: exchanges that update the copies of several fields in the same messages (see
/// exchange/halo/halo.hpp).
///
///     auto halo = make_halo(u, v);                     // owner -> copies
///     in_flight flying = halo.start();
///     ... compute what reads own entities only ...
///     flying.wait();
///     auto back = make_reverse_halo(reduction::sum, f); // copies -> owner, adding up
#pragma once

#include <seam/exchange/halo/halo.hpp>
#include <seam/mesh/fields/mesh_field.hpp>

#include <memory>
#include <vector>

namespace seam {

/// The plan that sends the values of owners to all copies of entities of one dimension, along the
/// edges of mesh.graph(). Regions count entities. Its inverse() leads from copies to owners.
/// Collective: over mesh.base(), the first time.
plan make_halo_plan(Mesh const& mesh, int dimension);

namespace detail {

using mesh_field_states = std::vector<std::shared_ptr<mesh_field_state>>;

/// The halo of fields along a plan of the entities that they are on.
/// @throws usage_error  the fields are on different meshes or dimensions (on all ranks)
/// Collective: over the mesh.
Halo make_mesh_halo(mesh_field_states const& fields, plan const& along, reduction how,
                    gating gates = gating::together);

} // namespace detail

/// A persistent exchange of the copies of some fields on the entities of one dimension of a mesh,
/// which can be planned again. Made by make_halo and make_reverse_halo.
/// Threads: one thread per halo at a time.
class MeshHalo : public Halo {
public:
  MeshHalo(detail::mesh_field_states fields, bool is_reverse, reduction how);

  /// Plans the exchange again, for the present mesh of the fields.
  /// Collective: over that mesh.
  void replan();

private:
  detail::mesh_field_states fields_;
  bool is_reverse_;
  reduction how_;
};

/// The exchange that gives every copy of an entity its owner's values.
/// @param first, more  MeshFields of one mesh and one dimension, of any types and components
/// @throws usage_error  the fields are on different meshes or dimensions (on all ranks)
/// Collective: over the mesh.
/// Cost of a run: at most one message to each neighbor, none to neighbors on the same node, no
/// allocation.
template <class T, class... More>
MeshHalo make_halo(MeshField<T>& first, More&... more) {
  return {{first.shared(), more.shared()...}, false, reduction::replace};
}

/// The exchange that combines all copies of an entity into its owner's values; copies keep their
/// values. Contributions are combined in ascending order of ranks, whatever arrives first.
/// Parameters and cost are as above.
/// @throws usage_error  also if a field's type has no + for a sum, no < for a minimum or maximum
/// Collective: over the mesh.
template <class T, class... More>
MeshHalo make_reverse_halo(reduction how, MeshField<T>& first, More&... more) {
  return {{first.shared(), more.shared()...}, true, how};
}

} // namespace seam

/// Mesh halos: exchanges that update the copies of several fields in the same messages.
///
///     auto halo = make_halo(u, v);                     // owner -> copies
///     in_flight flying = halo.start();
///     ... compute what reads own entities only ...
///     flying.wait();
///     auto back = make_reverse_halo(reduction::sum, f); // copies -> owner, adding up
#pragma once

#include <seam/exchange/engine/operation.hpp>
#include <seam/exchange/halo/exchange.hpp>
#include <seam/exchange/halo/plan.hpp>
#include <seam/mesh/fields/mesh_field.hpp>

#include <memory>
#include <vector>

namespace seam {

/// The plan that sends the values of owners to all copies of entities of one dimension, along the
/// edges of mesh.graph(). Regions count entities. Its inverse() leads from copies to owners.
/// Collective: over mesh.base(), the first time.
plan make_halo_plan(Mesh const& mesh, int dimension);

namespace detail {

/// The exchange that updates the copies of `fields`, or the reverse one.
/// @throws usage_error  the fields are on different meshes or dimensions (on all ranks)
/// Collective: over the mesh.
operation make_mesh_exchange(std::span<std::shared_ptr<mesh_field_state> const> fields,
                             bool is_reverse, reduction how, gating gates);

/// A field, and the memory that it had when a halo was planned.
struct planned_field {
  std::shared_ptr<mesh_field_state> field;
  std::shared_ptr<std::byte> memory;
};

std::vector<planned_field> as_planned(std::span<std::shared_ptr<mesh_field_state> const> fields);

/// Checks that no field has migrated since the halo was planned.
/// @param expected      the remedy, for the error line
/// @throws usage_error  a field has migrated
/// Local.
void check_storage(std::span<planned_field const> fields, char const* expected);

} // namespace detail

/// A persistent exchange of the copies of some fields on the entities of one dimension of a mesh.
/// Made by make_halo and make_reverse_halo.
/// Threads: one thread per halo at a time.
class MeshHalo {
public:
  /// Starts the exchange; the fields may be read but not written until it is waited for.
  /// @throws usage_error  a field has migrated since the halo was planned
  /// Local; complete when the neighbors have started theirs. No allocation.
  in_flight start() {
    require_running("halo", "run");
    detail::check_storage(fields_, "replan() after migration");
    return exchange_.start();
  }

  /// Starts and waits.
  void run() { start().wait(); }

  /// Plans the exchange anew, for the present mesh of the fields.
  /// Collective: over that mesh.
  void replan();

  /// Messages and bytes that one run sends from this rank.
  int num_messages() const noexcept { return exchange_.num_messages(); }
  std::int64_t num_bytes() const noexcept { return exchange_.num_bytes(); }

private:
  enum class direction { to_copies, to_owners };

  MeshHalo(std::vector<std::shared_ptr<detail::mesh_field_state>> fields, direction where,
           reduction how);

  template <class T, class... More>
  friend MeshHalo make_halo(MeshField<T>& first, More&... more);
  template <class T, class... More>
  friend MeshHalo make_reverse_halo(reduction how, MeshField<T>& first, More&... more);

  std::vector<detail::planned_field> fields_;
  direction direction_;
  reduction how_;
  operation exchange_;
};

/// The exchange that gives every copy of an entity its owner's values.
/// @param first, more  MeshFields of one mesh and one dimension, of any types and components
/// @throws usage_error  the fields are on different meshes or dimensions (on all ranks)
/// Collective: over the mesh.
/// Cost of a run: at most one message to each neighbor, none to neighbors on the same node, no
/// allocation.
template <class T, class... More>
MeshHalo make_halo(MeshField<T>& first, More&... more) {
  return {{first.shared(), more.shared()...}, MeshHalo::direction::to_copies, reduction::replace};
}

/// The exchange that combines all copies of an entity into its owner's values; copies keep their
/// values. Contributions are combined in ascending order of ranks, whatever arrives first.
/// Parameters and cost are as above.
/// @throws usage_error  also if a field's type has no + for a sum, no < for a minimum or maximum
/// Collective: over the mesh.
template <class T, class... More>
MeshHalo make_reverse_halo(reduction how, MeshField<T>& first, More&... more) {
  return {{first.shared(), more.shared()...}, MeshHalo::direction::to_owners, how};
}

} // namespace seam

/// Explicit steps: each new value is computed from the old ones around it.
#pragma once

#include <seam/diffusion.hpp>

namespace diffuse {

/// Explicit steps of one length. A vertex that a neighboring rank needs is marked ready as soon as
/// a thread has computed it; threads wait for copies only after all vertices that read none.
class explicit_steps {
public:
  /// @param fluxes   outlive this object
  /// @param borders  outlive this object; `u` holds their given values, which do not change
  /// @param length   at most longest_step(), else values grow without bound
  /// Collective: over the mesh.
  explicit_steps(seam::mesh_fluxes const& fluxes, seam::vertex_borders const& borders,
                 seam::MeshField<double> const& u, double length);

  /// Computes `count` steps.
  /// Collective: over neighboring ranks.
  /// Cost: allocates nothing.
  void go(std::int64_t count);

  /// The present values, also of copies.
  /// Local.
  seam::MeshField<double> const& values() const noexcept { return fields_[current_]; }

private:
  void step();

  seam::mesh_fluxes const& fluxes_;
  seam::vertex_borders const& borders_;
  std::array<seam::MeshField<double>, 2> fields_; ///< values of this step and the next
  std::array<seam::PartitionedMeshHalo, 2> halos_;
  std::vector<seam::local_id> leaving_; ///< own vertices that other ranks copy and that read none
  std::vector<seam::local_id> inner_;   ///< own vertices that neither leave nor read copies
  std::vector<seam::local_id> reading_; ///< own vertices that read copies
  std::vector<double> rates_;           ///< [own vertices] step / volume; 0: the value is given
  int current_ = 0;
};

} // namespace diffuse

/// Explicit sweeps: each new value follows from the old ones around it.
#pragma once

#include <seam/framework/solve/mesh_diffusion.hpp>
#include <seam/mesh/fields/partitioned_mesh_halo.hpp>

namespace diffuse {

/// Steps of one length. A vertex that a neighbor needs leaves as soon as a thread has computed it,
/// and no thread waits for copies before all that needs none is computed.
class explicit_steps {
public:
  /// @param borders  vertices with given values have them in `u` already, and keep them
  /// @param length   at most longest_step(), else values grow without end
  /// Collective: over the mesh. `fluxes` and `borders` outlive this object.
  explicit_steps(seam::mesh_fluxes const& fluxes, seam::vertex_borders const& borders,
                 seam::MeshField<double> const& u, double length);

  /// Goes on by `count` steps. Local to the neighborhood; allocates nothing.
  void go(std::int64_t count);

  /// The values now, also of copies. Local.
  seam::MeshField<double> const& values() const noexcept { return fields_[current_]; }

private:
  void step();

  seam::mesh_fluxes const& fluxes_;
  seam::vertex_borders const& borders_;
  std::array<seam::MeshField<double>, 2> fields_; ///< of this step and the next
  std::array<seam::PartitionedMeshHalo, 2> halos_;
  std::vector<seam::local_id> leaving_, inner_,
      reading_;               ///< others need it; the rest; reads copies
  std::vector<double> rates_; ///< [own vertices] step / volume; 0: the value is given
  std::size_t current_ = 0;
};

} // namespace diffuse

/// Explicit sweeps: each new value is a mean of the old ones around it.
#pragma once

#include <seam/mesh/partitioned_mesh_halo.hpp>
#include <seam/mesh/two_point_flux.hpp>

namespace diffuse {

/// The longest step in which no value leaves the range of those around; infinite where no cell has
/// a neighbor. Collective: over `over`.
double longest_step(seam::mpi::comm_view over, seam::two_point_fluxes const& fluxes);

/// Steps of one length. A cell that a neighbor needs leaves as soon as a thread has computed it,
/// and nobody waits for copies before all that needs none is computed.
class explicit_steps {
public:
  /// @param length  at most longest_step(), else values grow without end
  /// Collective: over the mesh. `fluxes` outlives this object.
  explicit_steps(seam::two_point_fluxes const& fluxes, seam::MeshField<double> const& u,
                 double length);

  /// Goes on by `count` steps. Local to the neighborhood; allocates nothing.
  void go(std::int64_t count);

  /// The values now, also of copies. Local.
  seam::MeshField<double> const& values() const noexcept { return fields_[current_]; }

private:
  void step();

  seam::two_point_fluxes const& fluxes_;
  std::array<seam::MeshField<double>, 2> fields_; ///< of this step and the next
  std::array<seam::PartitionedMeshHalo, 2> halos_;
  std::vector<seam::local_id> leaving_, inner_,
      reading_; ///< others need it; the rest; reads copies
  double length_;
  std::size_t current_ = 0;
};

} // namespace diffuse

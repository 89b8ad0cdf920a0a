/// Implicit steps, by PETSc's conjugate gradients with algebraic multigrid.
#pragma once

#include <seam/framework/petsc/solver.hpp>
#include <seam/framework/solve/mesh_diffusion.hpp>

namespace diffuse {

/// Steps of one length, as long as one likes, of the field that they are made for. PETSc works on
/// the field's own memory.
class implicit_steps {
public:
  /// @param system  its matrix and volumes, and what flows in
  /// @throws usage_error  seam was built without PETSc (on all ranks). Collective: over the mesh.
  implicit_steps(seam::diffusion_system system, seam::MeshField<double> const& u, double length)
      : system_(std::move(system)),
        length_(length),
        solve_(u.mesh().base(), seam::with_volumes(system_, 1 / length), {.tolerance = 1e-13}),
        values_(seam::share(u)),
        heat_(u.mesh().base(), u.entities().num_owned) {}

  /// Goes on by `count` steps; the values of own vertices change. Returns the iterations of all.
  /// @throws usage_error  they do not converge (on all ranks). Collective.
  std::int64_t go(std::int64_t count) {
    std::int64_t iterations = 0;
    for (; count > 0; --count) {
      for (std::size_t v = 0; v < system_.volumes.size(); ++v)
        heat_.values()[v] = system_.volumes[v] / length_ * values_.values()[v] + system_.sources[v];
      iterations += solve_(heat_, values_).num_iterations;
    }
    return iterations;
  }

private:
  seam::diffusion_system system_;
  double length_;
  seam::linear_solver solve_;
  seam::petsc_vector values_, heat_;
};

} // namespace diffuse

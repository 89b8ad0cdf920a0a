/// Implicit steps, by PETSc's conjugate gradients with algebraic multigrid.
#pragma once

#include <seam/petsc.hpp>

namespace diffuse {

/// Implicit steps of one length, which may be any, of one field. PETSc computes in the memory of
/// the field.
class implicit_steps {
public:
  /// @param system  matrix, volumes and sources
  /// @param length  length of a step
  /// @throws usage_error  seam was built without PETSc (on all ranks)
  /// Collective: over the mesh.
  implicit_steps(seam::diffusion_system system, seam::MeshField<double> const& u, double length)
      : system_(std::move(system)),
        length_(length),
        solve_(u.mesh().base(), seam::with_volumes(system_, 1 / length), {.tolerance = 1e-13}),
        values_(seam::share(u)),
        heat_(u.mesh().base(), u.entities().num_owned) {}

  /// Computes `count` steps of the values of own vertices.
  /// @return  the number of iterations of all steps
  /// @throws usage_error  the solver does not converge (on all ranks)
  /// Collective: over the mesh.
  std::int64_t go(std::int64_t count) {
    std::int64_t iterations = 0;
    for (; count > 0; --count) {
      for (seam::local_id v = 0; v < std::ssize(system_.volumes); ++v)
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

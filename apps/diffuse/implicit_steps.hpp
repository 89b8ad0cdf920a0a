/// Implicit steps, by PETSc's conjugate gradients with algebraic multigrid.
#pragma once

#include "finite_volumes.hpp"

#include <seam/mesh/mesh_field.hpp>

#include <memory>

namespace diffuse {

/// Steps of one length, as long as one likes, of the field that they were made for.
class implicit_steps {
public:
  virtual ~implicit_steps() = default;

  /// Goes on by `count` steps; the values of own cells change. Returns the iterations of all.
  /// @throws error  they do not converge (on all ranks). Collective.
  virtual std::int64_t go(std::int64_t count) = 0;
};

/// PETSc works on the field's own memory.
/// @throws usage_error  seam was built without PETSc (on all ranks)
/// Collective: over the mesh. `volumes` outlives the result.
std::unique_ptr<implicit_steps> make_implicit_steps(
    finite_volumes const& volumes, seam::MeshField<double> const& u, double length);

} // namespace diffuse

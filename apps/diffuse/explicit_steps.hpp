/// Explicit sweeps: each new value is a mean of the old ones around it.
#pragma once

#include "finite_volumes.hpp"

#include <seam/mesh/mesh_halo.hpp>

namespace diffuse {

/// Steps of one length. What needs no copies is computed while these are on their way.
class explicit_steps {
public:
  /// @param length  at most volumes.longest_step, else values grow without end
  /// Collective: over the mesh. `volumes` outlives this object.
  explicit_steps(finite_volumes const& volumes, seam::MeshField<double> const& u, double length);

  /// Goes on by `count` steps. Collective; allocates nothing.
  void go(std::int64_t count);

  /// The values now. Local.
  seam::MeshField<double> const& values() const noexcept { return fields_[current_]; }

private:
  void compute(std::vector<seam::local_id> const& cells) const;

  finite_volumes const& volumes_;
  std::array<seam::MeshField<double>, 2> fields_; ///< of this step and the next
  std::array<seam::MeshHalo, 2> halos_;
  seam::rows_by_reach cells_;
  double length_;
  std::size_t current_ = 0;
};

} // namespace diffuse

/// The flow around a wing section, as in seam-airfoil, by steps and by loops by hand.
#pragma once

#include "../airfoil/flow.hpp"

#include <kit/benchmark.hpp>
#include <seam/mesh.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>

namespace mesh_bench {

using airfoil::normal, airfoil::state;

/// A first state that differs from cell to cell.
inline state first_state(std::array<double, 3> const& x) {
  state made = airfoil::far_field();
  made[3] += 0.01 * std::sin(3 * x[0] + x[1]);
  return made;
}

/// An implementation, which keeps its values from run to run. The whole border is far away.
class contender : public bench::method {
public:
  virtual void run(std::int64_t iterations) = 0;

  /// The states of own cells.
  virtual seam::MeshField<state> const& states() const = 0;
};

/// How loops by hand add the fluxes of sides to cells.
enum class adding {
  scatter, ///< side by side, by one thread
  colored, ///< blocks of 256 sides, those of one color by all threads: OP2's way
  stored   ///< fluxes are stored, and gathered by cells
};
std::unique_ptr<contender> by_hand(seam::Mesh const& mesh, adding how);

} // namespace mesh_bench

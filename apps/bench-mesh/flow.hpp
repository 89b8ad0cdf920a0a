/// The flow around a wing section, OP2's Airfoil, as steps and as loops by hand compute it.
#pragma once

#include <seam/mesh.hpp>

#include <cmath>
#include <cstdint>
#include <memory>

namespace mesh_bench {

using state = seam::vec<4>; // density, momentum, energy
using normal = seam::vec<2>;
inline constexpr double gam = 1.4F, gm1 = gam - 1.0F, cfl = 0.9F, eps = 0.05F, mach = 0.4F;

inline double pressure(state const& q) {
  return gm1 * (q[3] - 0.5 / q[0] * (q[1] * q[1] + q[2] * q[2]));
}
inline double through(state const& q, normal const& n) {
  return (q[1] * n[0] + q[2] * n[1]) / q[0];
}
inline state push(double p, normal const& n) { return {{0, p * n[0], p * n[1], 0}}; }

inline state flux(state const& a, state const& b, double mu, normal const& n) {
  double const pa = pressure(a), pb = pressure(b), va = through(a, n), vb = through(b, n);
  state const energy{{0, 0, 0, va * pa + vb * pb}};
  return 0.5 * (va * a + push(pa, n) + (vb * b + push(pb, n)) + energy) + mu * (a - b);
}

/// What a side of a cell gives to its size per step.
inline double speed_through(state const& q, double sound, normal const& n) {
  return std::abs(through(q, n)) + sound * seam::length(n);
}
inline double sound_in(state const& q) { return std::sqrt(gam * pressure(q) / q[0]); }

inline state far_field() {
  double const u = std::sqrt(gam) * mach;
  return {{1, u, 0, 1 / gm1 + 0.5 * u * u}};
}

/// A first state that differs from cell to cell.
inline state first_state(std::array<double, 3> const& x) {
  state made = far_field();
  made[3] += 0.01 * std::sin(3 * x[0] + x[1]);
  return made;
}

/// An implementation, which keeps its values from run to run.
class contender {
public:
  virtual ~contender() = default;
  virtual void run(std::int64_t iterations) = 0;

  /// The states of own cells.
  virtual seam::MeshField<state> const& states() const = 0;
};

std::unique_ptr<contender> by_steps(seam::Mesh const& mesh);

/// How loops by hand add the fluxes of sides to cells.
enum class adding {
  scatter, ///< side by side, by one thread
  colored, ///< blocks of 256 sides, those of one color by all threads: OP2's way
  stored   ///< fluxes are stored, and gathered by cells
};
std::unique_ptr<contender> by_hand(seam::Mesh const& mesh, adding how);

} // namespace mesh_bench

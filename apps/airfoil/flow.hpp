/// The flow of a gas around a wing section by the scheme of OP2's Airfoil: fluxes through sides between
/// cells, with dissipation, and a time step of each cell's own.
/// Source: [MudaligeGilesReguly2012]; constants are floats there.
#pragma once

#include <seam/mesh.hpp>

#include <cmath>
#include <optional>

namespace airfoil {

using state = seam::vec<4>; // density, momentum, energy
using normal = seam::vec<2>;
inline constexpr double gam = 1.4F, gm1 = gam - 1.0F, cfl = 0.9F, eps = 0.05F, mach = 0.4F;

KOKKOS_INLINE_FUNCTION double pressure(state const& q) {
  return gm1 * (q[3] - 0.5 / q[0] * (q[1] * q[1] + q[2] * q[2]));
}
KOKKOS_INLINE_FUNCTION double through(state const& q, normal const& n) {
  return (q[1] * n[0] + q[2] * n[1]) / q[0];
}
KOKKOS_INLINE_FUNCTION state push(double p, normal const& n) {
  return {{0, p * n[0], p * n[1], 0}};
}

KOKKOS_FORCEINLINE_FUNCTION state flux(state const& a, state const& b, double mu, normal const& n) {
  double const pa = pressure(a), pb = pressure(b), va = through(a, n), vb = through(b, n);
  state const energy{{0, 0, 0, va * pa + vb * pb}};
  return 0.5 * (va * a + push(pa, n) + (vb * b + push(pb, n)) + energy) + mu * (a - b);
}

/// The sum over all sides of a cell is its size per step, times cfl.
KOKKOS_INLINE_FUNCTION double speed_through(state const& q, double sound, normal const& n) {
  return std::abs(through(q, n)) + sound * length(n);
}
KOKKOS_INLINE_FUNCTION double sound_in(state const& q) {
  return std::sqrt(gam * pressure(q) / q[0]);
}

inline state far_field() {
  double const u = std::sqrt(gam) * mach;
  return {{1, u, 0, 1 / gm1 + 0.5 * u * u}};
}

/// The values of a mesh of two dimensions.
struct fields {
  explicit fields(seam::Mesh const& mesh)
      : q(mesh.field<state>("q", seam::cells)),
        old(mesh.field<state>("old", seam::cells)),
        res(mesh.field<state>("res", seam::cells)),
        adt(mesh.field<double>("adt", seam::cells)),
        n(seam::normals<2>(mesh)) {}

  seam::MeshField<state> q, old, res;
  seam::MeshField<double> adt; ///< size per step
  seam::MeshField<normal> n;
  seam::Value<double> change{"change"}; ///< sum of the squares of the last stage's changes
};

/// Declares an iteration, two stages.
/// @param wall  sides that the gas does not pass; nothing: there are none
/// @param far   the other sides at the border
inline void add_iteration(seam::Steps<seam::on_mesh>& step, seam::Mesh const& mesh, fields& all,
                          std::optional<seam::mesh_set> const& wall, seam::mesh_set const& far) {
  using seam::cells, seam::sides;
  auto& [q, old, res, adt, n, change] = all;
  state const outside = far_field();
  step.each(
      "save", writes(old), reads(q), SEAM_KERNEL(auto old, auto q) { old = q(); });
  for (bool const is_last : {false, true}) {
    step.each(
        "time step", writes(adt), reads(q), reads(n, sides), SEAM_KERNEL(auto adt, auto q, auto n) {
          double const sound = sound_in(q());
          double sum = 0;
          for (int k = 0; k < n.count(); ++k)
            sum += speed_through(q(), sound, n(k));
          adt = sum / cfl;
        });
    step.each(
        "flux", mesh.inner(sides), reads(q, cells), reads(adt, cells), reads(n),
        collects(res, cells), SEAM_KERNEL(auto q, auto adt, auto n, auto res) {
          state const f = flux(q(0), q(1), 0.5 * (adt(0) + adt(1)) * eps, n());
          res(0) += f;
          res(1) -= f;
        });
    if (wall)
      step.each(
          "wall", *wall, reads(q, cells), reads(n), adds(res, cells),
          SEAM_KERNEL(auto q, auto n, auto res) { res(0) += push(pressure(q(0)), n()); });
    step.each(
        "far field", far, reads(q, cells), reads(adt, cells), reads(n), adds(res, cells),
        SEAM_KERNEL(auto q, auto adt, auto n, auto res) {
          res(0) += flux(q(0), outside, adt(0) * eps, n());
        });
    step.each(
        "update", writes(q), reads(old), reads(res), reads(adt), sum(change),
        SEAM_KERNEL(auto q, auto old, auto res, auto adt, auto sum) {
          state const del = (1 / adt()) * res();
          q = old() - del;
          if (is_last)
            sum(dot(del, del));
        });
  }
}

} // namespace airfoil

/// An ideal gas in the plane: states on both sides of a face, and the flux between them.
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace euler {

constexpr double gamma = 1.4; ///< ratio of specific heats

/// Density, momentum along axis 0 and 1, energy, of a unit of volume.
constexpr int num_components = 4;
using conserved = std::array<double, num_components>;

struct gas {
  double density, pressure;
  std::array<double, 2> velocity;

  KOKKOS_FUNCTION double speed_of_sound() const { return std::sqrt(gamma * pressure / density); }
  KOKKOS_FUNCTION double energy() const {
    return pressure / (gamma - 1) +
           0.5 * density * (velocity[0] * velocity[0] + velocity[1] * velocity[1]);
  }
  KOKKOS_FUNCTION conserved amounts() const {
    return {density, density * velocity[0], density * velocity[1], energy()};
  }
};

KOKKOS_INLINE_FUNCTION gas gas_of(conserved const& q) {
  gas state{q[0], 0, {q[1] / q[0], q[2] / q[0]}};
  double const moving = 0.5 * (q[1] * state.velocity[0] + q[2] * state.velocity[1]);
  state.pressure = (gamma - 1) * (q[3] - moving);
  return state;
}

/// The slope that is the smaller one of two of the same sign, else 0.
KOKKOS_INLINE_FUNCTION double minmod(double a, double b) {
  return a * b <= 0 ? 0.0 : std::abs(a) < std::abs(b) ? a : b;
}

/// The state at the border of a cell that lies towards `next`, by the limited slope in the cell.
KOKKOS_INLINE_FUNCTION gas at_border(gas const& before, gas const& cell, gas const& next) {
  auto const towards = [](double a, double b, double c) { return b + 0.5 * minmod(b - a, c - b); };
  gas state{towards(before.density, cell.density, next.density),
            towards(before.pressure, cell.pressure, next.pressure),
            {}};
  for (int a = 0; a < 2; ++a)
    state.velocity[a] = towards(before.velocity[a], cell.velocity[a], next.velocity[a]);
  return state;
}

/// The amounts that a gas carries along `axis` through a unit of a face in a unit of time.
KOKKOS_INLINE_FUNCTION conserved carried(gas const& by, int axis) {
  conserved flux = by.amounts();
  for (double& amount : flux)
    amount *= by.velocity[axis];
  flux[1 + axis] += by.pressure;
  flux[3] += by.pressure * by.velocity[axis];
  return flux;
}

/// The flux out of a gas on one side of a face, changed by the wave of speed `outer` between it and
/// the contact, whose speed is `contact`.
KOKKOS_INLINE_FUNCTION conserved behind_wave(gas const& side, double outer, double contact,
                                             int axis) {
  double const speed = side.velocity[axis], relative = outer - speed;
  double const density = side.density * relative / (outer - contact);
  conserved const before = side.amounts();
  conserved flux = carried(side, axis),
            after{density, density * side.velocity[0], density * side.velocity[1], 0};
  after[1 + axis] = density * contact;
  after[3] = density * (before[3] / side.density +
                        (contact - speed) * (contact + side.pressure / (side.density * relative)));
  for (int c = 0; c < std::ssize(flux); ++c)
    flux[c] += outer * (after[c] - before[c]);
  return flux;
}

/// The flux between two gases (HLLC, Toro, Spruce and Speares 1994).
KOKKOS_INLINE_FUNCTION conserved flux_between(gas const& low, gas const& high, int axis) {
  double const u = low.velocity[axis], v = high.velocity[axis];
  double const first = std::min(u - low.speed_of_sound(), v - high.speed_of_sound());
  double const last = std::max(u + low.speed_of_sound(), v + high.speed_of_sound());
  double const from_low = low.density * (first - u), from_high = high.density * (last - v);
  double const contact =
      (high.pressure - low.pressure + from_low * u - from_high * v) / (from_low - from_high);
  if (first >= 0)
    return carried(low, axis);
  if (last <= 0)
    return carried(high, axis);
  return contact >= 0 ? behind_wave(low, first, contact, axis)
                      : behind_wave(high, last, contact, axis);
}

} // namespace euler

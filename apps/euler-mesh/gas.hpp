/// An ideal gas in the plane: its states, what passes a side between two of them, and limited slopes.
#pragma once

#include <seam/mesh.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace euler_mesh {

using state = seam::vec<4>;
using normal = seam::vec<2>;
using slopes = std::array<state, 2>; ///< along x and y

constexpr double gamma = 1.4; ///< ratio of specific heats

/// Density, velocity and pressure.
struct gas : state {
  static constexpr std::array component_names{"density", "velocity_x", "velocity_y", "pressure"};

  double sound() const { return std::sqrt(gamma * (*this)[3] / (*this)[0]); }
  double through(normal const& n) const { return (*this)[1] * n[0] + (*this)[2] * n[1]; }
};

/// Density, momentum and energy, of a unit of volume.
inline state amounts(gas const& q) {
  double const moving = 0.5 * q[0] * (q[1] * q[1] + q[2] * q[2]);
  return {{q[0], q[0] * q[1], q[0] * q[2], q[3] / (gamma - 1) + moving}};
}

inline gas gas_of(state const& a) {
  double const u = a[1] / a[0], v = a[2] / a[0];
  return {{{a[0], u, v, (gamma - 1) * (a[3] - 0.5 * (a[1] * u + a[2] * v))}}};
}

/// What the pressure moves through a side.
inline state push(double pressure, normal const& n) {
  return {{0, pressure * n[0], pressure * n[1], 0}};
}

/// The pressure on a wall, between the gas and its mirror image.
inline double pressure_on_wall(gas const& q, normal const& n) {
  double const u = q.through(n) / length(n);
  return std::max(0.0, q[3] + q[0] * u * (u + std::abs(u) + q.sound()));
}

/// The speed of a mean of two gases, and its speed of sound (Roe 1981).
inline std::array<double, 2> mean_waves(gas const& a, gas const& b, double ua, double ub) {
  double const of_a = std::sqrt(a[0]), of_b = std::sqrt(b[0]), all = of_a + of_b;
  double const heat = of_a * a.sound() * a.sound() + of_b * b.sound() * b.sound();
  double const apart = of_a * of_b * (ub - ua) * (ub - ua) / all;
  return {(of_a * ua + of_b * ub) / all, std::sqrt((heat + 0.5 * (gamma - 1) * apart) / all)};
}

/// What passes a side from `a` to `b` (HLLC, Toro, Spruce and Speares 1994), whose outer waves keep
/// density and pressure above 0 (Batten and others 1997).
/// @param n  from a to b, as long as the side
inline state flux(gas const& a, gas const& b, normal const& n) {
  double const size = length(n), ua = a.through(n) / size, ub = b.through(n) / size;
  auto const [middle, sound] = mean_waves(a, b, ua, ub);
  double const first = std::min(ua - a.sound(), middle - sound);
  double const last = std::max(ub + b.sound(), middle + sound);
  double const from_a = a[0] * (first - ua), from_b = b[0] * (last - ub);
  double const contact = (b[3] - a[3] + from_a * ua - from_b * ub) / (from_a - from_b);
  bool const is_of_a = contact >= 0;
  gas const& near = is_of_a ? a : b;
  double const u = is_of_a ? ua : ub, wave = is_of_a ? first : last;
  double const mass = is_of_a ? from_a : from_b, density = mass / (wave - contact);
  normal const turn = (contact - u) / size * n;
  state const q = amounts(near);
  state const behind{{density, density * (near[1] + turn[0]), density * (near[2] + turn[1]),
                      density * (q[3] / near[0] + (contact - u) * (contact + near[3] / mass))}};
  state passed = u * q + (is_of_a ? std::min(wave, 0.0) : std::max(wave, 0.0)) * (behind - q);
  passed[3] += near[3] * u;
  return size * passed + push(near[3], n);
}

/// The gas at a place beside the center of a cell; that of the center if it were no gas.
inline gas gas_at(gas const& q, slopes const& slope, normal const& away) {
  gas const found{q + away[0] * slope[0] + away[1] * slope[1]};
  return found[0] > 0 && found[3] > 0 ? found : q;
}

/// The slopes of a cell, scaled such that values at its sides stay about between those around
/// (Venkatakrishnan 1995).
/// @param q        of the cell and its neighbors
/// @param to_side  from the centers of cells to the cell's sides
/// @param smooth   square of differences that are none for the limiter
template <class Gas, class Sides>
slopes limited(slopes found, Gas const& q, Sides const& to_side, double smooth) {
  state least, most, part{{1, 1, 1, 1}};
  for (int k = 0; k < q.count(); ++k)
    for (int c = 0; c < state::size(); ++c) {
      least[c] = std::min(least[c], q(k)[c] - q()[c]);
      most[c] = std::max(most[c], q(k)[c] - q()[c]);
    }
  for (int k = 0; k < to_side.count(); ++k) {
    normal const away = to_side(k)[to_side.outward(k) > 0 ? 0 : 1];
    state const rise = away[0] * found[0] + away[1] * found[1];
    for (int c = 0; c < state::size(); ++c) {
      double const room = rise[c] > 0 ? most[c] : least[c], all = room * room + smooth;
      part[c] = std::min(part[c], (all + 2 * rise[c] * room) /
                                      (all + 2 * rise[c] * rise[c] + rise[c] * room));
    }
  }
  for (state& along : found)
    for (int c = 0; c < state::size(); ++c)
      along[c] *= part[c];
  return found;
}

/// An isentropic vortex around the origin, at rest in a stream of density and speed of sound 1.
inline gas vortex(normal const& x, gas const& stream) {
  double const whirl = 0.5 * std::exp(0.5 * (1 - dot(x, x)));
  double const heat = 1 - 0.5 * (gamma - 1) * whirl * whirl;
  double const density = std::pow(heat, 1 / (gamma - 1));
  return {{{density, stream[1] - whirl * x[1], stream[2] + whirl * x[0], density * heat / gamma}}};
}

} // namespace euler_mesh

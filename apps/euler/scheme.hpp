/// A step of time of second order: limited slopes, HLLC's fluxes, and two stages.
#pragma once

#include "gas.hpp"

#include <seam/seam.hpp>

namespace euler {

/// The gas at an offset along an axis.
template <class View>
KOKKOS_INLINE_FUNCTION gas gas_at(View const& q, int axis, int offset) {
  conserved all;
  for (int c = 0; c < num_components; ++c)
    all[c] = axis == 0 ? q[c](offset, 0) : q[c](0, offset);
  return gas_of(all);
}

/// The gas, the gas after the first stage, and fluxes across faces of axis 0 and 1.
struct fields {
  explicit fields(seam::Grid<2> const& grid)
      : q(grid.field<double>("q", {.components = num_components})),
        middle(grid.field<double>("middle", {.components = num_components})),
        flux{grid.field<double>("flux along 0",
                                {.on = seam::on_faces(0), .components = num_components}),
             grid.field<double>("flux along 1",
                                {.on = seam::on_faces(1), .components = num_components})} {
    q.boundary(seam::neumann(0.0));
    middle.boundary(seam::neumann(0.0));
  }
  seam::Field<double, 2> q, middle, flux[2];
};

/// Adds the fluxes of the gas `of`.
inline void add_fluxes(seam::Steps<2>& step, fields& all, seam::Field<double, 2> const& of) {
  for (int axis = 0; axis < 2; ++axis)
    step.each(
        "flux", writes(all.flux[axis]), reads(of, seam::line(axis, -2, 1)),
        SEAM_KERNEL(auto flux, auto q) {
          gas const before = gas_at(q, axis, -2), low = gas_at(q, axis, -1);
          gas const high = gas_at(q, axis, 0), behind = gas_at(q, axis, 1);
          conserved const passed =
              flux_between(at_border(before, low, high), at_border(behind, high, low), axis);
          for (int c = 0; c < num_components; ++c)
            flux[c] = passed[c];
        });
}

/// What component c of a cell gains by the fluxes along axis 0 and 1.
template <class View>
KOKKOS_INLINE_FUNCTION double gained(View const& f, View const& g, int c, double h_by_dx) {
  return h_by_dx * (f[c](0, 0) - f[c](1, 0) + (g[c](0, 0) - g[c](0, 1)));
}

/// Adds both stages: the first goes a whole step, the second averages (Heun's method).
/// @param dt, dx  step of time, width of cells
inline void add_stages(seam::Steps<2>& step, fields& all, seam::Value<double> const& dt,
                       double dx) {
  add_fluxes(step, all, all.q);
  step.each(
      "first stage", writes(all.middle), reads(all.q), reads(all.flux[0], seam::line(0, 0, 1)),
      reads(all.flux[1], seam::line(1, 0, 1)), with(dt),
      SEAM_KERNEL(auto out, auto q, auto f, auto g, double h) {
        for (int c = 0; c < num_components; ++c)
          out[c] = q[c]() + gained(f, g, c, h / dx);
      });
  add_fluxes(step, all, all.middle);
  step.each(
      "second stage", modifies(all.q), reads(all.middle), reads(all.flux[0], seam::line(0, 0, 1)),
      reads(all.flux[1], seam::line(1, 0, 1)), with(dt),
      SEAM_KERNEL(auto q, auto middle, auto f, auto g, double h) {
        for (int c = 0; c < num_components; ++c)
          q[c] = 0.5 * (q[c]() + (middle[c]() + gained(f, g, c, h / dx)));
      });
}

} // namespace euler

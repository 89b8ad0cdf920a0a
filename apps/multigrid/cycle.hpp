/// The V-cycle of seam-multigrid: on each grid red and black cells are relaxed in turn, the residual
/// is carried to the grid of half as many cells, and the correction found there is carried back.
#pragma once

#include <seam/seam.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace multigrid {

/// The fields of one grid.
struct level {
  explicit level(seam::Grid<2> of)
      : grid(std::move(of)),
        u(grid.field<double>("u")),
        f(grid.field<double>("f")),
        r(grid.field<double>("r")) {
    u.boundary(seam::dirichlet(0.0));
  }
  seam::Grid<2> grid;
  seam::Field<double, 2> u, f, r;
};

/// Relaxes u on one grid: first the cells of one color, then those of the other.
inline void add_sweeps(seam::Steps<2>& cycle, level& on, int count) {
  double const h2 = on.grid.spacing()[0] * on.grid.spacing()[0];
  for (int n = 0; n < count; ++n)
    cycle
        .each(
            "relax", modifies(on.u, seam::star(1)), reads(on.f),
            SEAM_KERNEL(auto u, auto f) {
              u = 0.25 * (u(1, 0) + u(-1, 0) + u(0, 1) + u(0, -1) + h2 * f());
            })
        .in_colors(2);
}

/// Computes r, by how much u fails to solve the equation.
inline void add_residual(seam::Steps<2>& cycle, level& on) {
  double const h2 = on.grid.spacing()[0] * on.grid.spacing()[0];
  cycle.each(
      "residual", writes(on.r), reads(on.u, seam::star(1)), reads(on.f),
      SEAM_KERNEL(auto r, auto u, auto f) {
        r = f() + (u(1, 0) + u(-1, 0) + u(0, 1) + u(0, -1) - 4 * u()) / h2;
      });
}

/// Adds the V-cycle of all grids from number `k` on to a program.
inline void add_cycle(seam::Steps<2>& cycle, std::vector<std::unique_ptr<level>>& levels, int k) {
  level& fine = *levels[k];
  if (k + 1 == std::ssize(levels))
    return add_sweeps(cycle, fine, 30);
  level& coarse = *levels[k + 1];
  add_sweeps(cycle, fine, 3);
  add_residual(cycle, fine);
  cycle.each(
      "restrict", writes(coarse.f), writes(coarse.u),
      reads_finer(fine.r, seam::at({{0, 0}, {0, 1}, {1, 0}, {1, 1}})),
      SEAM_KERNEL(auto f, auto u, auto r) {
        f = 0.25 * (r(0, 0) + r(0, 1) + r(1, 0) + r(1, 1));
        u = 0.0;
      });
  add_cycle(cycle, levels, k + 1);
  cycle.each(
      "prolong", modifies(fine.u), reads_coarser(coarse.u, seam::moore(1) + seam::stencil()),
      SEAM_KERNEL(auto u, auto e, seam::place<2> const& here) {
        int const i = here.index[0] % 2 == 0 ? -1 : 1, j = here.index[1] % 2 == 0 ? -1 : 1;
        u = u() + (9 * e(0, 0) + 3 * e(i, 0) + 3 * e(0, j) + e(i, j)) / 16;
      });
  add_sweeps(cycle, fine, 3);
}

} // namespace multigrid

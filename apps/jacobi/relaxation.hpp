/// Jacobi's iteration for -laplace(u) = f on a grid of cells.
#pragma once

#include <seam/grid.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <numbers>

namespace jacobi {

/// Computes u + step * (f + laplace_h u); laplace_h is the central difference of second order.
///
/// Plain Jacobi has step = 1 / (2 sum 1/h^2), the inverse of laplace_h's diagonal. On cells whose
/// values lie at their centers, with values given on the faces, that leaves the checkerboard mode
/// undamped: its eigenvalue is just twice the diagonal. The step chosen here is slightly shorter,
/// to damp the checkerboard as fast as the smoothest mode; for many cells the steps agree.
template <int D>
class relaxation {
public:
  explicit relaxation(seam::Grid<D> const& grid) {
    double smoothest = 0, roughest = 0;
    for (int a = 0; a < std::ssize(neighbor_); ++a) {
      neighbor_[a] = 1 / (grid.spacing()[a] * grid.spacing()[a]);
      double const sine = std::sin(std::numbers::pi / (2 * static_cast<double>(grid.cells()[a])));
      smoothest += 4 * neighbor_[a] * sine * sine;
      roughest += 4 * neighbor_[a];
    }
    step_ = 2 / (smoothest + roughest);
    center_ = 1 - 0.5 * step_ * roughest;
    for (double& weight : neighbor_)
      weight *= step_;
  }

  /// The factor from a cell's residual f + laplace_h u to its change in one iteration. [length^2]
  double step() const noexcept { return step_; }

  /// Returns the new value of the cell at `at`.
  /// @param u, f  views of fields
  template <class View, class Source>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(View const& u, Source const& f,
                                                seam::cell_index<D> const& at) const {
    double sum = center_ * u[at] + step_ * f[at];
    for (int a = 0; a < std::ssize(at); ++a) {
      seam::cell_index<D> below = at, above = at;
      --below[a];
      ++above[a];
      sum += neighbor_[a] * (u[below] + u[above]);
    }
    return sum;
  }

private:
  double step_, center_;         ///< weights of f and of the cell itself
  seam::position<D> neighbor_{}; ///< weights of both neighbors on each axis
};

} // namespace jacobi

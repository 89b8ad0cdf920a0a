/// The exact solution of seam-jacobi's default problem, and the difference of two fields.
#pragma once

#include <seam/grid.hpp>

#include <array>
#include <cstddef>

namespace jacobi {

/// u = p(x) p(y) ..., p(x) = 1/4 + 8 x^3 (1 - x): a hill off the middle, zero on no side of the
/// unit square or cube. A polynomial is cheap on the border, where each iteration evaluates it, and
/// one of the fourth degree is not solved exactly by the scheme.
struct exact_solution {
  static double along_axis(double x) { return 0.25 + 8 * x * x * x * (1 - x); }
  static double second_derivative(double x) { return 48 * x * (1 - 2 * x); }

  template <std::size_t D>
  double operator()(std::array<double, D> const& x) const {
    double product = 1;
    for (double coordinate : x)
      product *= along_axis(coordinate);
    return product;
  }
};

/// f = -laplace(u) for the exact solution.
struct exact_source {
  template <std::size_t D>
  double operator()(std::array<double, D> const& x) const {
    double sum = 0;
    for (double coordinate : x)
      sum += exact_solution::second_derivative(coordinate) / exact_solution::along_axis(coordinate);
    return -sum * exact_solution{}(x);
  }
};

/// The largest difference between two fields in any cell.
/// Collective: over the grid.
template <int D>
double largest_difference(seam::Field<double, D> const& u, seam::Field<double, D> const& other) {
  return seam::maximum_norm(u.grid(), [a = u.view(), b = other.view()](auto... at) {
    return a(at...) - b(at...);
  });
}

} // namespace jacobi

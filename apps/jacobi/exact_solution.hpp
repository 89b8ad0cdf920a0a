/// The solution that seam-jacobi knows without computing, and how far a computed one is from
/// another.
#pragma once

#include <seam/exchange/mpi/collective.hpp>
#include <seam/stencil/field.hpp>
#include <seam/stencil/parallel.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace jacobi {

/// u = sin(pi (x + 1/4)) sin(pi (y + 1/4)) ..., which is zero on no side of the unit square or
/// cube.
struct exact_solution {
  template <std::size_t D>
  double operator()(std::array<double, D> const& x) const {
    double product = 1;
    for (double coordinate : x)
      product *= std::sin(std::numbers::pi * (coordinate + 0.25));
    return product;
  }
};

/// f = -laplace(u) for it.
struct exact_source {
  template <std::size_t D>
  double operator()(std::array<double, D> const& x) const {
    return static_cast<double>(D) * std::numbers::pi * std::numbers::pi * exact_solution{}(x);
  }
};

/// The largest difference between two fields in a cell. Collective: over the grid.
template <int D>
double largest_difference(seam::Field<double, D> const& one, seam::Field<double, D> const& other) {
  double const mine = seam::parallel_max("difference", one.owned(),
                                         [a = one.view(), b = other.view()](auto const& at) {
                                           return std::abs(a[at] - b[at]);
                                         });
  return seam::mpi::allreduce(one.grid().base(), mine, MPI_MAX);
}

} // namespace jacobi

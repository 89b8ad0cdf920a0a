/// Velocities on the centerlines of a square cavity with a moving lid, of Ghia, Ghia and Shin,
/// Journal of Computational Physics 48 (1982), tables I and II.
#pragma once

#include <seam/seam.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace cavity {

/// A velocity in a point of the unit square, in units of the lid's.
struct known_velocity {
  double x, y;
  int component; ///< 0: along x, 1: along y
  double value;
};

/// @param reynolds  100 or 400
inline std::array<known_velocity, 20> ghia(int reynolds) {
  constexpr std::array<double, 10> y{.9766, .9531, .8516, .7344, .5,
                                     .4531, .2813, .1719, .1016, .0547};
  constexpr std::array<double, 10> x{.9688, .9453, .8594, .8047, .5,
                                     .2344, .2266, .1563, .0938, .0625};
  constexpr std::array<double, 10> u100{.84123,  .68717,  .23151,  .00332,  -.20581,
                                        -.21090, -.15662, -.10150, -.06434, -.03717};
  constexpr std::array<double, 10> u400{.75837,  .55892,  .29093,  .16256,  -.11477,
                                        -.17119, -.32726, -.24299, -.14612, -.08186};
  constexpr std::array<double, 10> v100{-.05906, -.10313, -.22445, -.24533, .05454,
                                        .17527,  .17507,  .16077,  .12317,  .09233};
  constexpr std::array<double, 10> v400{-.12146, -.22847, -.44993, -.38598, .05186,
                                        .30174,  .30203,  .28124,  .22965,  .18360};
  std::array<known_velocity, 20> all{};
  for (int n = 0; n < 10; ++n) {
    all[n] = {0.5, y[n], 0, (reynolds == 100 ? u100 : u400)[n]};
    all[10 + n] = {x[n], 0.5, 1, (reynolds == 100 ? v100 : v400)[n]};
  }
  return all;
}

/// The velocity in a point, between the four cells around it. [2 components]
/// Collective: over the grid.
template <int D>
double velocity_in(seam::Field<double, D> const& u, known_velocity const& point) {
  auto const& grid = u.grid();
  auto const first = grid.owned().lo, cells = grid.cells();
  constexpr int y = D - 2, x = D - 1;
  auto const share = [](double at, std::int64_t index, std::int64_t count) {
    double const place = static_cast<double>(index) + 0.5;
    return std::max(0.0, 1 - std::abs(at * static_cast<double>(count) - place));
  };
  return seam::sum(grid, [&, values = u.view(point.component)](seam::cell_index<D> const& at) {
    bool const is_in_front = D == 2 || at[0] + first[0] == 0;
    double const weight =
        share(point.y, at[y] + first[y], cells[y]) * share(point.x, at[x] + first[x], cells[x]);
    return is_in_front && weight > 0 ? weight * values[at] : 0.0;
  });
}

/// The largest difference from Ghia's velocities along x, and along y.
/// Collective: over the grid.
template <int D>
std::array<double, 2> difference_from_ghia(seam::Field<double, D> const& u, int reynolds) {
  std::array<double, 2> largest{};
  for (known_velocity const& point : ghia(reynolds)) {
    double& most = largest[point.component];
    most = std::max(most, std::abs(velocity_in(u, point) - point.value));
  }
  return largest;
}

} // namespace cavity

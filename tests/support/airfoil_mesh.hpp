/// The mesh of Airfoil, OP2's benchmark: quadrilaterals around a NACA 0012 section, of 3 x size times
/// 3/2 x size cells for size = 40, as OP2's generator naca0012.m divides them.
///
/// The plane around the section is the square of a half plane: above a line on which a spline through the
/// roots of the section's points takes the place of [-1, 1]. What lies left and right of it on the line
/// are the two banks of a cut behind the section, whose vertices are the same here. Places have the six
/// decimals that the generator prints.
///
/// Source: OP2-Common, apps/mesh_generators/naca0012.m.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/numbering/shares.hpp>
#include <seam/mesh/input/mesh_input.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

namespace seam::testing {

/// A cubic spline through points, without knots at the second and the last point but one.
class spline {
public:
  /// @param x  ascending, at least four
  spline(std::vector<double> x, std::vector<double> y)
      : x_(std::move(x)), y_(std::move(y)), curvature_(x_.size()) {
    std::size_t const last = x_.size() - 1;
    auto const h = [&](std::size_t i) { return x_[i + 1] - x_[i]; };
    std::vector<double> diagonal(last), above(last), right(last);
    double const first = h(0) / h(1), end = h(last - 1) / h(last - 2);
    for (std::size_t i = 1; i < last; ++i) {
      double below = h(i - 1);
      diagonal[i] = 2 * (h(i - 1) + h(i));
      above[i] = h(i);
      right[i] = 6 * ((y_[i + 1] - y_[i]) / h(i) - (y_[i] - y_[i - 1]) / h(i - 1));
      if (i == 1) {
        diagonal[i] += h(0) * (1 + first);
        above[i] -= h(0) * first;
      }
      if (i == last - 1) {
        diagonal[i] += h(i) * (1 + end);
        below -= h(i) * end;
      }
      if (i > 1) {
        double const factor = below / diagonal[i - 1];
        diagonal[i] -= factor * above[i - 1];
        right[i] -= factor * right[i - 1];
      }
    }
    curvature_[last - 1] = right[last - 1] / diagonal[last - 1];
    for (std::size_t i = last - 2; i >= 1; --i)
      curvature_[i] = (right[i] - above[i] * curvature_[i + 1]) / diagonal[i];
    curvature_[0] = (1 + first) * curvature_[1] - first * curvature_[2];
    curvature_[last] = (1 + end) * curvature_[last - 1] - end * curvature_[last - 2];
  }

  double operator()(double at) const {
    auto const above = std::upper_bound(x_.begin() + 1, x_.end() - 1, at);
    auto const i = static_cast<std::size_t>(above - x_.begin()) - 1;
    double const h = x_[i + 1] - x_[i], a = (x_[i + 1] - at) / h, b = (at - x_[i]) / h;
    return a * y_[i] + b * y_[i + 1] +
           ((a * a * a - a) * curvature_[i] + (b * b * b - b) * curvature_[i + 1]) * h * h / 6;
  }

private:
  std::vector<double> x_, y_, curvature_;
};

/// The section in the half plane: the roots of its points, from the lower end over the nose to the
/// upper one.
inline spline airfoil_section() {
  constexpr int num_points = 100;
  constexpr double nose = 0.0077;
  std::vector<std::complex<double>> roots;
  for (int k = 0; k < num_points; ++k) {
    double const s = std::sin(std::numbers::pi / 2 * k / (num_points - 1)), x = s * s;
    double const y =
        k == num_points - 1
            ? 0
            : 0.594689181 * (0.298222773 * std::sqrt(x) - 0.127125232 * x - 0.357907906 * x * x +
                             0.291984971 * x * x * x - 0.105174696 * x * x * x * x);
    roots.push_back(std::sqrt(std::complex<double>(x - nose, y)));
  }
  std::vector<double> x, y;
  for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
    x.push_back(-root->real());
    y.push_back(root->imag());
  }
  for (auto root = roots.begin() + 1; root != roots.end(); ++root) {
    x.push_back(root->real());
    y.push_back(root->imag());
  }
  return {x, y};
}

/// This rank's share of the mesh. Sides on the section have tag 1, those far away tag 2.
/// @param across, outward  a third of the cells around the section; cells from it to far away
inline mesh_input airfoil_mesh(Communicator const& over, std::int64_t across,
                               std::int64_t outward) {
  std::int64_t const around = 3 * across;
  auto const vertex = [&](std::int64_t i, std::int64_t j) {
    return (j == 0 && i >= 2 * across ? around - i : i) + j * (around + 1);
  };
  spline const section = airfoil_section();
  mesh_input made;
  made.num_dimensions = 2;
  auto const share = [&](std::int64_t total, int rank) {
    return detail::begin_of_share(rank, total, over.size());
  };
  std::int64_t const num_vertices = (around + 1) * (outward + 1), num_cells = around * outward;
  for (auto v = share(num_vertices, over.rank()); v < share(num_vertices, over.rank() + 1); ++v) {
    std::int64_t const i = v % (around + 1), j = v / (around + 1);
    if (vertex(i, j) != v)
      continue;
    double const x = -3 + 6.0 * static_cast<double>(i) / static_cast<double>(around);
    double const from = i > across && i < 2 * across ? section(x) : 0;
    double const y = from + (3 - from) * static_cast<double>(j) / static_cast<double>(outward);
    auto const place = std::complex<double>(x, y) * std::complex<double>(x, y);
    made.vertex_ids.push_back(v);
    for (double const coordinate : {place.real(), place.imag(), 0.0})
      made.coordinates.push_back(std::round(coordinate * 1e6) / 1e6);
  }
  made.cells.elements2vertices = made.boundary.elements2vertices = {0};
  auto const add = [](element_list& list, shape of, std::vector<global_id> const& vertices,
                      global_id id, std::int32_t tag) {
    list.shapes.push_back(of);
    list.vertices.insert(list.vertices.end(), vertices.begin(), vertices.end());
    list.elements2vertices.push_back(std::ssize(list.vertices));
    list.ids.push_back(id);
    list.tags.push_back(tag);
  };
  for (auto c = share(num_cells, over.rank()); c < share(num_cells, over.rank() + 1); ++c) {
    std::int64_t const i = c % around, j = c / around;
    std::vector const corners{vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1),
                              vertex(i, j + 1)};
    add(made.cells, shape::quadrilateral, corners, c, 0);
    auto const add_side = [&](int from, int to, std::int32_t tag) {
      add(made.boundary, shape::line, {corners[from], corners[to]}, 4 * c + from, tag);
    };
    if (j == 0 && i >= across && i < 2 * across)
      add_side(0, 1, 1);
    if (i == around - 1)
      add_side(1, 2, 2);
    if (j == outward - 1)
      add_side(2, 3, 2);
    if (i == 0)
      add_side(3, 0, 2);
  }
  return made;
}

} // namespace seam::testing

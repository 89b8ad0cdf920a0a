#include <seam/mesh/fluxes/gradients.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mesh/fluxes/mesh_fluxes.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam::detail {
namespace {

/// A cell that shares a vertex with another one, and the vector to its center.
struct cell_beside {
  local_id cell;
  vec<3> away;
};

/// The cells that share a vertex with a cell, by ascending id.
std::vector<cell_beside> cells_beside(Mesh const& mesh, local_id cell) {
  int const d = mesh.num_dimensions();
  vec<3> const center = leading<3>(mesh.center(d, cell));
  std::vector<cell_beside> found;
  for (local_id const vertex : mesh.cells().vertices[cell])
    for (local_id const other : mesh.adjacent(0, d)[vertex])
      if (other != cell && std::ranges::find(found, other, &cell_beside::cell) == found.end())
        found.push_back({other, leading<3>(mesh.center(d, other)) - center +
                                    leading<3>(mesh.offset(cell, 0, vertex)) -
                                    leading<3>(mesh.offset(other, 0, vertex))});
  std::ranges::sort(found, {},
                    [&](cell_beside const& each) { return mesh.cells().ids[each.cell]; });
  return found;
}

/// The sum of the products of vectors with themselves, by which it divides: symmetric, n rows.
class products {
public:
  explicit products(int n) : n_(n) {}

  void add(double weight, vec<3> const& a) {
    for (int i = 0; i < n_; ++i)
      rows_[i] += weight * a[i] * a;
  }

  /// Replaces the sum by its factor (Cholesky).
  /// @return  false if all vectors lie in a line or a plane, but for rounding
  bool factorize() {
    constexpr double least = 1e-10; // of what the diagonal was
    for (int i = 0; i < n_; ++i) {
      double const whole = rows_[i][i];
      for (int j = 0; j <= i; ++j) {
        double rest = rows_[i][j];
        for (int k = 0; k < j; ++k)
          rest -= rows_[i][k] * rows_[j][k];
        if (j == i && !(rest > least * whole))
          return false;
        rows_[i][j] = j == i ? std::sqrt(rest) : rest / rows_[j][j];
      }
    }
    return true;
  }

  /// The vector of which the sum makes `from`, whose other coordinates become 0.
  vec<3> quotient(vec<3> const& from) const {
    vec<3> to;
    for (int i = 0; i < n_; ++i) {
      to[i] = from[i];
      for (int k = 0; k < i; ++k)
        to[i] -= rows_[i][k] * to[k];
      to[i] /= rows_[i][i];
    }
    for (int i = n_ - 1; i >= 0; --i) {
      for (int k = i + 1; k < n_; ++k)
        to[i] -= rows_[k][i] * to[k];
      to[i] /= rows_[i][i];
    }
    return to;
  }

private:
  int n_;
  std::array<vec<3>, 3> rows_;
};

void append_row(mesh_gradients<3>& to, Mesh const& mesh, local_id cell, int num_coordinates) {
  auto const beside = cells_beside(mesh, cell);
  products sum(num_coordinates);
  for (auto const& [other, away] : beside)
    sum.add(1 / dot(away, away), away);
  if (!sum.factorize())
    refuse(fmt::format("gradients: cell {} and the {} cells around it lie in a {} (expected cells "
                       "in {} directions)",
                       mesh.cells().ids[cell], beside.size(),
                       num_coordinates == 3 ? "plane or a line" : "line", num_coordinates));
  for (auto const& [other, away] : beside) {
    to.neighbors.ab2b.push_back(other);
    to.weights.push_back(sum.quotient(away / dot(away, away)));
  }
  to.neighbors.end_row();
}

} // namespace

mesh_gradients<3> find_gradients_along(Mesh const& mesh, int num_coordinates) {
  call_scope const here("find_gradients");
  require_coordinates(mesh, "gradients", num_coordinates);
  return collectively(mesh.base().context(), [&] {
    require_vertex_layer(mesh);
    mesh_gradients<3> found;
    for (local_id cell = 0; cell < mesh.cells().num_owned; ++cell)
      append_row(found, mesh, cell, num_coordinates);
    return found;
  });
}

} // namespace seam::detail

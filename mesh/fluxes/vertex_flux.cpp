#include <seam/mesh/fluxes/vertex_flux.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mesh/fluxes/measure.hpp>
#include <seam/mesh/fluxes/mesh_fluxes.hpp>
#include <seam/mesh/fluxes/quadrature.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace seam {
using namespace detail;

namespace {

using namespace detail;

global_id id_of(mesh_entities const& of, local_id entity) { return of.ids[entity]; }

/// For each own vertex the other vertices of its cells, by ascending id.
adjacency find_neighbors(Mesh const& mesh) {
  adjacency neighbors;
  adjacency const& vertices2cells = mesh.adjacent(0, mesh.num_dimensions());
  std::vector<local_id> around;
  for (local_id v = 0; v < mesh.vertices().num_owned; ++v) {
    around.clear();
    for (local_id const cell : vertices2cells[v])
      for (local_id const other : mesh.cells().vertices[cell])
        if (other != v)
          around.push_back(other);
    std::ranges::sort(around, {}, [&](local_id u) { return id_of(mesh.vertices(), u); });
    auto const end = std::unique(around.begin(), around.end());
    neighbors.ab2b.insert(neighbors.ab2b.end(), around.begin(), end);
    neighbors.end_row();
  }
  return neighbors;
}

/// The local cells with an own vertex, by ascending id.
std::vector<local_id> cells_of_own_vertices(Mesh const& mesh) {
  std::vector<local_id> cells(mesh.cells().num_local());
  std::iota(cells.begin(), cells.end(), 0);
  std::erase_if(cells, [&](local_id cell) {
    return std::ranges::none_of(mesh.cells().vertices[cell],
                                [&](local_id v) { return mesh.vertices().is_owned(v); });
  });
  std::ranges::sort(cells, {}, [&](local_id cell) { return id_of(mesh.cells(), cell); });
  return cells;
}

/// The volumes that one cell adds to its vertices, and the conductances between them.
struct cell_fluxes {
  std::array<double, 8> volumes{};
  std::array<std::array<double, 8>, 8> conductances{}; ///< above the diagonal
};

double conductivity_in(Mesh const& mesh, conductivity const& conductivity_of, local_id cell,
                       vector3 const& where) {
  double const found = conductivity_of ? conductivity_of(cell, where) : 1;
  if (!(found > 0) || !std::isfinite(found))
    refuse(fmt::format("fluxes: the conductivity of cell {} is {} (expected a number above 0)",
                       id_of(mesh.cells(), cell), found));
  return found;
}

cell_fluxes integrate(Mesh const& mesh, local_id cell, corner_list const& corners,
                      conductivity const& conductivity_of) {
  cell_fluxes sums;
  vector3 first{};
  for (quadrature_point const& point : quadrature_of(mesh.cells().shapes[cell])) {
    auto const at = map_point(point, mesh.num_dimensions(), corners.places());
    if (first == vector3{})
      first = at.direction;
    if (!(dot(at.direction, first) > 0))
      refuse(fmt::format("fluxes: cell {} is flat or folded (expected one that is turned alike at "
                         "all of its corners, with a volume above 0)",
                         id_of(mesh.cells(), cell)));
    double const weight = at.weight * conductivity_in(mesh, conductivity_of, cell, at.where);
    for (int i = 0; i < corners.count; ++i) {
      sums.volumes[i] += at.weight * point.values[i];
      for (int j = i + 1; j < corners.count; ++j)
        sums.conductances[i][j] -= weight * dot(at.gradients[i], at.gradients[j]);
    }
  }
  return sums;
}

/// Adds the contributions of a cell to the own vertices among its corners.
void add(mesh_fluxes& to, Mesh const& mesh, corner_list const& corners,
         cell_fluxes const& of_cell) {
  auto const id = [&](local_id v) { return id_of(mesh.vertices(), v); };
  for (int i = 0; i < corners.count; ++i) {
    local_id const vertex = corners.ids[i];
    if (!mesh.vertices().is_owned(vertex))
      continue;
    auto const row = to.neighbors[vertex];
    auto const begin = row.data() - to.neighbors.ab2b.data();
    to.volumes[vertex] += of_cell.volumes[i];
    for (int j = 0; j < corners.count; ++j)
      if (i != j) {
        auto const entry = std::ranges::lower_bound(row, id(corners.ids[j]), {}, id) - row.begin();
        to.conductances[begin + entry] += of_cell.conductances[std::min(i, j)][std::max(i, j)];
      }
  }
}

mesh_fluxes find(Mesh const& mesh, conductivity const& conductivity_of) {
  require_vertex_layer(mesh);
  mesh_fluxes found;
  found.volumes.resize(mesh.vertices().num_owned);
  found.neighbors = find_neighbors(mesh);
  found.conductances.resize(found.neighbors.ab2b.size());
  for (local_id const cell : cells_of_own_vertices(mesh)) {
    corner_list const corners = corners_of(mesh, mesh.num_dimensions(), cell);
    add(found, mesh, corners, integrate(mesh, cell, corners, conductivity_of));
  }
  return found;
}

} // namespace

mesh_fluxes find_vertex_fluxes(Mesh const& mesh, conductivity const& conductivity_of) {
  detail::call_scope const here("find_vertex_fluxes");
  return collectively(mesh.base().context(), [&] { return find(mesh, conductivity_of); });
}

} // namespace seam

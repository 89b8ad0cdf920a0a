#include <seam/mesh/two_point_flux.hpp>

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/error.hpp>
#include <seam/mesh/measure.hpp>

#include <fmt/format.h>

namespace seam {
namespace {

double conductance_of(double area, double length, global_id cell) {
  if (!(length > 0))
    refuse(fmt::format("fluxes: {} between the centers of cell {} and of what lies beside it "
                       "(expected a distance above 0)",
                       length, cell));
  return area / length;
}

double volume_of(Mesh const& mesh, local_id cell, global_id id) {
  double const volume = measure(mesh, mesh.num_dimensions(), cell);
  if (!(volume > 0))
    refuse(fmt::format("fluxes: the volume of cell {} is {} (expected one above 0)", id, volume));
  return volume;
}

/// Adds the flux through one side of an own cell.
void add_side(two_point_fluxes& to, Mesh const& mesh, local_id cell, local_id side) {
  int const d = mesh.num_dimensions();
  global_id const id = mesh.cells().ids[static_cast<std::size_t>(cell)];
  double const area = measure(mesh, d - 1, side);
  auto const both = mesh.adjacent(d - 1, d)[side];
  if (both.size() == 1) {
    double const length = distance(mesh.center(d, cell), mesh.center(d - 1, side));
    to.border.push_back({cell, side, area, conductance_of(area, length, id)});
    return;
  }
  if (both.size() != 2)
    refuse(fmt::format("fluxes: {} cells share a side of cell {} (expected at most 2)", both.size(),
                       id));
  local_id const other = both[0] == cell ? both[1] : both[0];
  double const length = distance(mesh.center(d, cell), mesh.center(d, other));
  to.conductances.push_back(conductance_of(area, length, id));
  to.cells2cells.ab2b.push_back(other);
}

two_point_fluxes find(Mesh const& mesh) {
  int const d = mesh.num_dimensions();
  if (mesh.ghosts().depth < 1)
    refuse("fluxes: the mesh has no ghost layer (expected at least 1)");
  two_point_fluxes found;
  for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
    found.volumes.push_back(volume_of(mesh, c, mesh.cells().ids[static_cast<std::size_t>(c)]));
    for (local_id const side : mesh.adjacent(d, d - 1)[c])
      add_side(found, mesh, c, side);
    found.cells2cells.end_row();
  }
  return found;
}

} // namespace

two_point_fluxes find_two_point_fluxes(Mesh const& mesh) {
  return collectively(mesh.base().context(), [&] { return find(mesh); });
}

} // namespace seam

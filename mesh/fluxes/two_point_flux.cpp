#include <seam/mesh/fluxes/two_point_flux.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/fluxes/measure.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace seam {
using namespace detail;

namespace {

using namespace detail;

/// The line from the center of a cell through one of its sides.
struct crossing {
  local_id cell, side;
  double area;
  vector3 leg;    ///< to the other center, or to the middle of a side at the border
  local_id other; ///< the cell beyond, or this one at the border
};

std::string target_of(Mesh const& mesh, crossing const& of) {
  return of.other == of.cell ? "the middle of a side at the border"
                             : fmt::format("that of cell {}", mesh.cells().ids[of.other]);
}

/// Where a cell has the center of one of its sides.
vector3 center_of_side(Mesh const& mesh, local_id cell, local_id side) {
  int const d = mesh.num_dimensions() - 1;
  vector3 center = mesh.center(d, side);
  return center += mesh.offset(cell, d, side);
}

double volume_of(Mesh const& mesh, local_id cell, global_id id) {
  double const volume = measure(mesh, mesh.num_dimensions(), cell);
  if (!(volume > 0))
    refuse(fmt::format("fluxes: the volume of cell {} is {} (expected one above 0)", id, volume));
  return volume;
}

/// A vector along the normal of a side, whose length is the side's area if the side is plane. In
/// meshes of fewer than three dimensions it lies in the cell.
vector3 normal_of(Mesh const& mesh, crossing const& of) {
  int const d = mesh.num_dimensions();
  corner_list const corners = corners_of(mesh, d - 1, of.side);
  vector3 const out = center_of_side(mesh, of.cell, of.side) - mesh.center(d, of.cell);
  if (d == 1)
    return 1 / length(out) * out;
  if (d == 2) {
    vector3 const along = corners.where[1] - corners.where[0];
    vector3 const across = out - dot(out, along) / dot(along, along) * along;
    return of.area / length(across) * across;
  }
  vector3 sum{};
  for (int k = 2; k < corners.count; ++k)
    sum +=
        0.5 * cross(corners.where[k - 1] - corners.where[0], corners.where[k] - corners.where[0]);
  return dot(sum, out) < 0 ? -1.0 * sum : sum;
}

/// The angle between a leg and the normal of its side, which is larger where the side is not plane.
/// [degrees]
double lean_of(Mesh const& mesh, crossing const& of) {
  double const cosine = dot(normal_of(mesh, of), of.leg) / (of.area * length(of.leg));
  return std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi;
}

double conductance_of(Mesh const& mesh, crossing const& of) {
  global_id const id = mesh.cells().ids[of.cell];
  double const distance = length(of.leg);
  if (!(distance > 0))
    refuse(fmt::format("fluxes: {} from the center of cell {} to {} (expected a distance above 0)",
                       distance, id, target_of(mesh, of)));
  double const lean = lean_of(mesh, of);
  if (!(lean <= largest_two_point_lean))
    refuse(fmt::format("fluxes: the line from the center of cell {} to {} leans by {:.4g} degrees "
                       "from the normal of their side (expected at most {}, as in boxes, or "
                       "find_vertex_fluxes(), which takes any cells)",
                       id, target_of(mesh, of), lean, largest_two_point_lean));
  return of.area / distance;
}

/// Adds the flux through one side of an own cell.
void add_side(two_point_fluxes& to, Mesh const& mesh, local_id cell, local_id side) {
  int const d = mesh.num_dimensions();
  double const area = measure(mesh, d - 1, side);
  vector3 const center = mesh.center(d, cell);
  auto const both = mesh.adjacent(d - 1, d)[side];
  if (both.size() == 1) {
    crossing const out{cell, side, area, center_of_side(mesh, cell, side) - center, cell};
    to.border.push_back({cell, side, area, conductance_of(mesh, out)});
    return;
  }
  if (both.size() != 2)
    refuse(fmt::format("fluxes: {} cells share a side of cell {} (expected at most 2)", both.size(),
                       mesh.cells().ids[cell]));
  local_id const other = both[0] == cell ? both[1] : both[0];
  vector3 const apart = mesh.offset(cell, d - 1, side) - mesh.offset(other, d - 1, side);
  vector3 leg = mesh.center(d, other) - center;
  crossing const over{cell, side, area, leg += apart, other};
  to.between.conductances.push_back(conductance_of(mesh, over));
  to.between.neighbors.ab2b.push_back(other);
}

two_point_fluxes find(Mesh const& mesh) {
  int const d = mesh.num_dimensions();
  if (mesh.ghosts().depth < 1)
    refuse("fluxes: the mesh has no ghost layer (expected at least 1)");
  two_point_fluxes found;
  found.between.dimension = d;
  for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
    found.between.volumes.push_back(volume_of(mesh, c, mesh.cells().ids[c]));
    for (local_id const side : mesh.adjacent(d, d - 1)[c])
      add_side(found, mesh, c, side);
    found.between.neighbors.end_row();
  }
  return found;
}

} // namespace

two_point_fluxes find_two_point_fluxes(Mesh const& mesh) {
  return collectively(mesh.base().context(), [&] { return find(mesh); });
}

} // namespace seam

#include <seam/framework/meshes/mesh_diffusion.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>
#include <seam/mesh/fluxes/measure.hpp>
#include <seam/mesh/fluxes/mesh_fluxes.hpp>
#include <seam/mesh/fluxes/quadrature.hpp>
#include <seam/mesh/fluxes/two_point_flux.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace seam {
using namespace detail;

namespace {

using namespace detail;
using kind = side_condition::kind;

/// Maps a tag to the index of its condition in the list.
using conditions_by_tag = std::map<std::int32_t, int>;

conditions_by_tag sort_by_tag(std::vector<side_condition> const& conditions) {
  conditions_by_tag sorted;
  for (int k = 0; k < std::ssize(conditions); ++k)
    if (!sorted.try_emplace(conditions[k].tag, k).second)
      refuse(fmt::format("diffusion: two conditions on the sides with tag {} (expected one)",
                         conditions[k].tag));
  return sorted;
}

/// Refuses a tag that no side of any rank has.
/// Collective: over the mesh.
void require_sides(Mesh const& mesh, conditions_by_tag const& conditions) {
  std::vector<std::int32_t> there;
  for (auto const& [tag, condition] : conditions)
    there.push_back(std::ranges::count(mesh.sides().tags, tag) > 0 ? 1 : 0);
  mpi::allreduce(mesh.base().context(), std::span(there), MPI_MAX);
  auto is_there = there.begin();
  for (auto const& [tag, condition] : conditions)
    if (*is_there++ == 0)
      throw usage_error(
          fmt::format("diffusion: a condition on sides with tag {}, which no side has "
                      "(expected a tag of the mesh)",
                      tag),
          true);
}

/// Checks the conditions and sorts them by tag.
/// Collective: over the mesh.
conditions_by_tag examine(Mesh const& mesh, std::vector<side_condition> const& conditions) {
  mpi::comm_view const over = mesh.base().context();
  std::string words;
  for (side_condition const& condition : conditions)
    words += fmt::format("{}:{} ", condition.tag, static_cast<int>(condition.what));
  require_same(over, "diffusion: conditions", words);
  auto sorted = collectively(over, [&] { return sort_by_tag(conditions); });
  require_sides(mesh, sorted);
  return sorted;
}

double value_at(side_condition const& condition, vector3 const& where) {
  double const value = condition.given(where);
  if (!std::isfinite(value))
    refuse(
        fmt::format("diffusion: {} is given on the sides with tag {} at ({}, {}, {}) (expected a "
                    "finite number)",
                    value, condition.tag, where[0], where[1], where[2]));
  return value;
}

// Vertices.

/// Lists the sides with conditions that have an own vertex, by ascending id.
std::vector<local_id> sides_with(Mesh const& mesh, conditions_by_tag const& conditions) {
  mesh_entities const& sides = mesh.sides();
  std::vector<local_id> found;
  for (local_id side = 0; side < sides.num_local(); ++side)
    if (conditions.contains(sides.tags[side]) &&
        std::ranges::any_of(corners_of(mesh, sides.dimension, side).vertices(),
                            [&](local_id v) { return mesh.vertices().is_owned(v); }))
      found.push_back(side);
  std::ranges::sort(found, {}, [&](local_id side) { return sides.ids[side]; });
  return found;
}

/// Adds to each own vertex of a side at the border the inflow through its share of the side.
void add_inflow(std::vector<double>& sources, Mesh const& mesh, local_id side,
                side_condition const& condition, conductivity const& conductivity_of) {
  int const dimension = mesh.num_dimensions() - 1;
  auto const cells = mesh.adjacent(dimension, dimension + 1)[side];
  if (cells.size() != 1)
    return;
  corner_list const corners = corners_of(mesh, dimension, side);
  for (quadrature_point const& point : quadrature_of(mesh.sides().shapes[side])) {
    auto const at = map_point(point, dimension, corners.places());
    bool const is_scaled = condition.what == kind::slope && conductivity_of;
    double const inflow = at.weight * value_at(condition, at.where) *
                          (is_scaled ? conductivity_of(cells.front(), at.where) : 1);
    for (int k = 0; k < corners.count; ++k)
      if (mesh.vertices().is_owned(corners.ids[k]))
        sources[corners.ids[k]] += inflow * point.values[k];
  }
}

/// Sets each own vertex to the value of the first listed condition among those of its sides.
void set_values(vertex_borders& of, std::vector<int> const& vertices2conditions,
                std::vector<side_condition> const& conditions) {
  Mesh const& mesh = of.values.mesh();
  for (local_id v = 0; v < mesh.vertices().num_owned; ++v) {
    int const condition = vertices2conditions[v];
    of.values(v) = condition < std::ssize(conditions)
                       ? value_at(conditions[condition], mesh.center(0, v))
                       : std::numeric_limits<double>::quiet_NaN();
  }
}

void find_borders(vertex_borders& of, std::vector<side_condition> const& conditions,
                  conditions_by_tag const& by_tag, conductivity const& conductivity_of) {
  Mesh const& mesh = of.values.mesh();
  std::vector<int> vertices2conditions(of.sources.size(), static_cast<int>(conditions.size()));
  for (local_id const side : sides_with(mesh, by_tag)) {
    int const condition = by_tag.at(mesh.sides().tags[side]);
    if (conditions[condition].what != kind::value) {
      add_inflow(of.sources, mesh, side, conditions[condition], conductivity_of);
      continue;
    }
    for (local_id const v : mesh.sides().vertices[side])
      if (mesh.vertices().is_owned(v)) {
        int& first = vertices2conditions[v];
        first = std::min(first, condition);
      }
  }
  set_values(of, vertices2conditions, conditions);
}

/// Adds the row of the own vertex `v`.
void add_row(diffusion_system& system, mesh_fluxes const& fluxes, vertex_borders const& borders,
             MeshField<std::int64_t> const& rows, local_id v) {
  auto const begin = fluxes.conductances.begin();
  double const diagonal =
      std::accumulate(begin + fluxes.neighbors.a2ab[v], begin + fluxes.neighbors.a2ab[v + 1], 0.0);
  double const given = borders.values(v);
  bool const is_given = !std::isnan(given);
  double source = is_given ? diagonal * given : borders.sources[v];
  system.matrix.add(rows(v), diagonal);
  auto conductance = begin + fluxes.neighbors.a2ab[v];
  for (local_id const neighbor : fluxes.neighbors[v]) {
    double const between = *conductance++, other = borders.values(neighbor);
    if (is_given)
      continue;
    if (std::isnan(other))
      system.matrix.add(rows(neighbor), -between);
    else
      source += between * other;
  }
  system.matrix.end_row();
  system.volumes.push_back(is_given ? 0 : fluxes.volumes[v]);
  system.sources.push_back(source);
}

// Cells.

/// Adds the fluxes through the border to diagonals and sources.
void add_border(diffusion_system& system, std::vector<double>& diagonal, Mesh const& mesh,
                std::vector<border_flux> const& border,
                std::vector<side_condition> const& conditions, conditions_by_tag const& by_tag) {
  for (border_flux const& flux : border) {
    auto const found = by_tag.find(mesh.sides().tags[flux.side]);
    if (found == by_tag.end())
      continue;
    side_condition const& condition = conditions[found->second];
    double const given = value_at(condition, mesh.center(mesh.sides().dimension, flux.side));
    local_id const row = flux.cell;
    bool const is_value = condition.what == kind::value;
    diagonal[row] += is_value ? flux.conductance : 0;
    system.sources[row] += (is_value ? flux.conductance : flux.area) * given;
  }
}

/// Sums up the conductances between each cell and its neighbors.
std::vector<double> sum_rows(mesh_fluxes const& fluxes) {
  std::vector<double> sums;
  auto const begin = fluxes.conductances.begin();
  for (local_id row = 0; row < std::ssize(fluxes.volumes); ++row)
    sums.push_back(std::accumulate(begin + fluxes.neighbors.a2ab[row],
                                   begin + fluxes.neighbors.a2ab[row + 1], 0.0));
  return sums;
}

} // namespace

MeshField<std::int64_t> number_rows(Mesh const& mesh, int dimension) {
  MeshField<std::int64_t> rows(mesh, "rows", dimension);
  auto const first =
      mpi::sum_before(mesh.base().context(), std::int64_t{rows.entities().num_owned});
  for (local_id e = 0; e < rows.entities().num_owned; ++e)
    rows(e) = first + e;
  make_halo(rows).run();
  return rows;
}

vertex_borders find_vertex_borders(Mesh const& mesh, std::vector<side_condition> const& conditions,
                                   conductivity const& conductivity_of) {
  collectively(mesh.base().context(), [&] { require_vertex_layer(mesh); });
  auto const by_tag = examine(mesh, conditions);
  vertex_borders found{std::vector<double>(mesh.vertices().num_owned),
                       MeshField<double>(mesh, "given values", 0)};
  collectively(mesh.base().context(),
               [&] { find_borders(found, conditions, by_tag, conductivity_of); });
  make_halo(found.values).run();
  return found;
}

diffusion_system assemble_diffusion(mesh_fluxes const& fluxes, vertex_borders const& borders) {
  Mesh const& mesh = borders.values.mesh();
  auto const rows = number_rows(mesh, 0);
  diffusion_system system;
  for (local_id v = 0; v < mesh.vertices().num_owned; ++v)
    add_row(system, fluxes, borders, rows, v);
  return system;
}

diffusion_system assemble_diffusion(Mesh const& mesh, std::vector<side_condition> const& conditions,
                                    conductivity const& conductivity_of) {
  detail::call_scope const here("assemble_diffusion");
  auto const fluxes = find_vertex_fluxes(mesh, conductivity_of);
  return assemble_diffusion(fluxes, find_vertex_borders(mesh, conditions, conductivity_of));
}

diffusion_system assemble_two_point_diffusion(Mesh const& mesh,
                                              std::vector<side_condition> const& conditions) {
  auto const by_tag = examine(mesh, conditions);
  auto fluxes = find_two_point_fluxes(mesh);
  auto const rows = number_rows(mesh, mesh.num_dimensions());
  auto diagonal = sum_rows(fluxes.between);
  diffusion_system system{
      {}, std::move(fluxes.between.volumes), std::vector<double>(diagonal.size())};
  collectively(mesh.base().context(),
               [&] { add_border(system, diagonal, mesh, fluxes.border, conditions, by_tag); });
  std::int64_t entry = 0;
  for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
    system.matrix.add(rows(c), diagonal[c]);
    for (local_id const other : fluxes.between.neighbors[c])
      system.matrix.add(rows(other), -fluxes.between.conductances[entry++]);
    system.matrix.end_row();
  }
  return system;
}

} // namespace seam

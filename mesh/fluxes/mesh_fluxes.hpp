/// Mesh fluxes: diffusion between neighboring entities of a mesh.
///
///     mesh_fluxes const fluxes = find_vertex_fluxes(mesh);
///     double const dt = 0.9 * longest_step(mesh.base(), fluxes);
///     for (local_id v = 0; v < mesh.vertices().num_owned; ++v)
///       next(v) = u(v) + dt / fluxes.volumes[v] * fluxes.inflow(v, u);
#pragma once

#include <seam/mesh/entities/mesh.hpp>
#include <seam/mesh/fields/mesh_field.hpp>

#include <vector>

namespace seam {

/// The conductances between own entities and their neighbors. The flux between two neighbors is
/// their conductance times the difference of their values, from the larger to the smaller value.
/// Both neighbors have the same conductance, bit by bit, so that one gains what the other loses.
struct mesh_fluxes {
  int dimension = 0;           ///< of the entities: vertices (0) or cells
  std::vector<double> volumes; ///< [own entities] of each entity [length^num_dimensions]
  adjacency neighbors;         ///< [own entities] rows of local entities, in an order that is the
                               ///< same on any number of ranks
  std::vector<double> conductances; ///< [neighbors.ab2b.size()]

  /// The flux into an own entity from its neighbors. Reads copies.
  /// Local.
  template <class T>
  double inflow(local_id entity, MeshField<T> const& u) const {
    double sum = 0;
    auto conductance = conductances.begin() + neighbors.a2ab[entity];
    for (local_id const neighbor : neighbors[entity])
      sum += *conductance++ * (u(neighbor) - u(entity));
    return sum;
  }
};

/// The longest stable explicit time step: 2 over the largest eigenvalue that Gershgorin's circles
/// allow. Infinite if nothing flows. If no conductance is below 0, no value leaves the range of its
/// neighbors' values.
/// Collective: over `over`.
double longest_step(mpi::comm_view over, mesh_fluxes const& fluxes);

} // namespace seam

namespace seam::detail {

/// Checks that all cells around own vertices are on this rank.
/// @throws usage_error  they are not
/// Local.
void require_vertex_layer(Mesh const& mesh);

} // namespace seam::detail

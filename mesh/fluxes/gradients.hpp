/// Gradients at cells from the values of the cells around them, by least squares.
///
///     auto const around = find_gradients<2>(mesh);
///     step.each("slope", writes(slope), reads(u, around.neighbors), reads(around.weights),
///               SEAM_KERNEL(auto slope, auto u, auto weights) { slope = gradient(weights, u); });
#pragma once

#include <seam/mesh/fluxes/geometry.hpp>

#include <Kokkos_Macros.hpp>

#include <array>
#include <type_traits>
#include <utility>
#include <vector>

namespace seam {

/// The neighbors of own cells, and what the difference of a neighbor's value adds to the gradient.
template <int N>
struct mesh_gradients {
  adjacency
      neighbors; ///< [own cells] of each the cells that share a vertex with it, by ascending id
  std::vector<vec<N>> weights; ///< [neighbors.ab2b.size()] [1 / length]
};

namespace detail {

mesh_gradients<3> find_gradients_along(Mesh const& mesh, int num_coordinates);

} // namespace detail

/// Finds them from the centers of cells; neighbors count by the inverse square of their distance.
/// Gradients of linear functions are exact up to rounding, on any cells, across periods, too.
/// @tparam N  coordinates along which there are gradients, num_dimensions to 3
/// @throws usage_error  N is less than the mesh's dimensions; ghost cells are not those through vertices; a
///         cell and its neighbors lie in a line, or in a plane if N is 3 (on all ranks)
/// Collective: over mesh.base().
/// Source: [Mavriplis2003], unweighted and weighted least squares.
template <int N>
mesh_gradients<N> find_gradients(Mesh const& mesh) {
  auto found = detail::find_gradients_along(mesh, N);
  mesh_gradients<N> made{std::move(found.neighbors), {}};
  made.weights.reserve(found.weights.size());
  for (vec<3> const& weight : found.weights)
    made.weights.push_back(detail::leading<N>(weight));
  return made;
}

/// The slope of a value along each axis: a vec<N>, of values that are no numbers a std::array.
/// @param weights, u  a kernel's views of mesh_gradients::weights, and of the field at its neighbors
template <class Weights, class Values>
KOKKOS_FORCEINLINE_FUNCTION auto gradient(Weights const& weights, Values const& u) {
  using weight = decltype(weights(0));
  using difference = decltype(u(0) - u());
  std::conditional_t<std::is_arithmetic_v<difference>, weight,
                     std::array<difference, weight::size()>>
      slopes{};
  for (int k = 0; k < u.count(); ++k) {
    weight const along = weights(k);
    difference const rise = u(k) - u();
    for (int axis = 0; axis < weight::size(); ++axis)
      slopes[axis] += along[axis] * rise;
  }
  return slopes;
}

} // namespace seam

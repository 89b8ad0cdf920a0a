/// Ghost layers: the cells of other ranks that a rank keeps copies of.
///
///     through vertices           through sides            o: own cell
///       2 2 2 2 2                    . 2 .                1: first layer
///       2 1 1 1 2                  . 2 1 2 .              2: second layer
///       2 1 o 1 2                    1 o 1 2
///       2 1 1 1 2                  . 2 1 2 .
#pragma once

namespace seam {

/// The first layer are the cells of other ranks that share an entity of dimension `through` with an
/// own cell; each further layer are the cells that share such an entity with the layer before.
struct ghost_layers {
  int depth = 1;   ///< 0: no ghost cells; copies of vertices, edges and faces remain
  int through = 0; ///< 0: vertices, 1: edges, 2: faces; less than the cells' dimension

  friend bool operator==(ghost_layers const&, ghost_layers const&) = default;
};

} // namespace seam

/// Strips: parts of a rank's block, whose next generations are computed one after another in memory
/// that a cache holds. What generations of cells around a strip add is computed with it, as far as it
/// reaches into the strip.
#pragma once

#include "generation.hpp"
#include "kernel.hpp"

#include <seam/grid.hpp>

namespace life {

/// A rank's block, as its threads see it.
struct block {
  explicit block(generation& cells)
      : now(std::as_const(cells).now().view()),
        next(cells.next().view()),
        layout(cells.layout()),
        where(cells.where()),
        first(cells.grid().owned().lo) {}

  seam::field_view<word const, 2> now; ///< with ghosts
  seam::field_view<word, 2> next;
  life::layout layout;
  board where;
  seam::cell_index<2> first; ///< row and word of the board at (0, 0)
};

/// Computes the cells of `part` some generations later, from `now` to `next`.
/// @param part         rows and words of the block
/// @param generations  1 to layout.depth
/// Local.
/// Threads: any, of distinct parts. Memory is kept with each thread.
void advance_strip(block const& of, seam::box<2> const& part, kernel const& game, int generations);

} // namespace life

/// Borders: the ends of a domain on axes that are not periodic.
#pragma once

#include <seam/exchange/steps/regions/box.hpp>

namespace seam {

/// The two ends of an axis.
enum class side { low, high };

/// A border of the domain, and the ghosts beyond it around a grid's block: over the whole breadth
/// of the local block and in its indices.
template <int D>
struct border {
  int axis;
  seam::side side;
  box<D> ghosts;
};

} // namespace seam

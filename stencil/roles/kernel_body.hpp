/// Kernel bodies: what a kernel of steps on grids computes, without the types of its values.
///
/// The core cuts tiles into runs of places (tile_walk.cpp), and a body computes one run. Nothing else
/// of a kernel is compiled for its types (typed_kernel.hpp).
#pragma once

#include <seam/exchange/steps/program/step_kernel.hpp>
#include <seam/stencil/space/centering.hpp>

namespace seam::detail {

class grid_space;

/// A call of a kernel for a box of cells, in indices relative to the block.
struct tile_call {
  box3 cells;
  box3 where{}; ///< the part in which values are computed; others are copied
  bound_access const* accesses = nullptr; ///< [accesses of the kernel]
  int worker = 0;                         ///< number of the thread
  bool counts = true; ///< false: other ranks own the cells, and reductions count them there
  int color = 0;
  std::int64_t step = 0;
};

/// The order in which the places of a run are computed.
enum class place_order {
  any,          ///< no place reads what the kernel writes at another
  forward,      ///< one after another along the last axis
  backward,     ///< as forward, from the last place on
  every_second, ///< those of one color of two, in any order
};

/// Places in a row of cells at which a kernel is called, and those of the rows side by side with it.
struct place_run {
  kernel_argument const* arguments = nullptr; ///< [parameters of the kernel]
  tile_call const* call = nullptr;
  index3 first{};         ///< a place of the first row, relative to the block
  int begin = 0, end = 0; ///< indices on the last axis
  int num_rows = 1;       ///< along the last axis but one
  place_order order = place_order::any;
  int distance = 0;       ///< every_second: of the first place from `begin` in the first row
  index3 added{};         ///< the offset to which adders add
  bool is_inside = false; ///< by_place(): in the box

  // Of bodies that take places.
  index3 row{}; ///< index in the domain of the place of the first row with index 0
  grid_space const* space = nullptr;
  centering on{};
};

/// What the core has to know of a body.
struct body_traits {
  bool adds = false;         ///< to values at offsets
  bool is_ordered = false;   ///< computes runs in each order; else all of them in any order
  bool is_watchable = false; ///< has compute_watched()
  bool takes_place = false;
  bool is_by_place = false; ///< made by by_place(): the traits above are those of both kernels
  bool takes_place_inside = false; ///< by_place(): the kernel for the box does
  box3 inside{};                   ///< by_place(): the box, in global indices
};

/// Takes the pieces that steps compute, and hands their places to its kernel (tile_walk.cpp).
class kernel_body : public step_body {
public:
  explicit kernel_body(body_traits const& its_traits) : traits(its_traits) {}

  void compute(step_kernel const& kernel, step_call const& call) const final;
  bool is_watchable() const final { return traits.is_watchable; }
  void probe(step_kernel const& kernel, step_recorder& recorder) const final;

  /// Calls the kernel at all places of a run.
  virtual void compute(place_run const& run) const = 0;

  /// Calls the kernel at the first place of a run, each access compared with its declaration.
  /// @throws usage_error  one has not been declared
  virtual void compute_watched(place_run const& /*run*/, step_recorder& /*recorder*/) const {}

  body_traits const traits;
};

} // namespace seam::detail

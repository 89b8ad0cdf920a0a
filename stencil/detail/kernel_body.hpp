/// Kernel bodies: what a kernel of steps computes, without the types of its values.
///
/// The core cuts tiles into runs of places (tile_walk.hpp), and a body computes one run. Nothing else
/// of a kernel is compiled for its types (typed_kernel.hpp).
#pragma once

#include <seam/stencil/detail/step_program.hpp>

namespace seam::detail {

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

class kernel_body {
public:
  explicit kernel_body(body_traits const& its_traits) : traits(its_traits) {}
  kernel_body(kernel_body const&) = delete;
  kernel_body& operator=(kernel_body const&) = delete;
  virtual ~kernel_body() = default;

  /// Calls the kernel at all places of a run; once, if it is a kernel on values alone.
  virtual void compute(place_run const& run) const = 0;

  /// Calls the kernel at the first place of a run, each access compared with its declaration.
  /// @throws usage_error  one has not been declared
  virtual void compute_watched(place_run const& /*run*/, step_recorder& /*recorder*/) const {}

  body_traits const traits;
};

} // namespace seam::detail

/// A kernel of two: one for the places of a box, such as those away from walls, and one for all others.
/// It costs what the first one does, where a condition in one kernel would be asked at each place.
///
///     box<2> const inside = shrink(grid.domain(), {1, 1}, {1, 1});
///     step.each("stream", updates(f, star(1)),
///               by_place(inside, SEAM_KERNEL(auto f) { f = f(-1, 0); },
///                        SEAM_KERNEL(auto f, place<2> const& here) { f = here.index[0] == 0 ? f() : ...; }));
#pragma once

#include <seam/exchange/steps/regions/box.hpp>

#include <utility>

namespace seam {

/// What by_place() makes: two kernels, each of which takes the views, and may take a place as the last
/// parameter.
template <int D, class Inside, class Elsewhere>
struct kernel_by_place {
  box<D> where; ///< in global indices
  Inside inside;
  Elsewhere elsewhere;
};

/// Makes a kernel for Steps::each() of one for the places in `where` and one for all others.
/// @param where  in global indices; the same on all ranks
template <int D, class Inside, class Elsewhere>
kernel_by_place<D, Inside, Elsewhere> by_place(box<D> const& where, Inside inside,
                                               Elsewhere elsewhere) {
  return {where, std::move(inside), std::move(elsewhere)};
}

namespace detail {

template <class Kernel>
inline constexpr bool is_by_place = false;
template <int D, class Inside, class Elsewhere>
inline constexpr bool is_by_place<kernel_by_place<D, Inside, Elsewhere>> = true;

} // namespace detail

} // namespace seam

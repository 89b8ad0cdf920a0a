/// Ghost cells: what boundary conditions (boundary.hpp) are told of the ghost whose value they make,
/// and which functions are conditions.
///
///     u.boundary(sees(1, [](auto const& ghost) { return 2 * ghost.inside(0) - ghost.inside(1); }));
///
///     inside(2) | inside(1) | inside(0) || layer 1 | layer 2       the domain's border: ||
///
/// Of faces and corners on the border itself, inside(0) is the value there.
#pragma once

#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/fields/grid.hpp>

#include <Kokkos_Macros.hpp>

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace seam {

/// The values inside the domain on the line across the border on which a ghost lies. Converts to that
/// of the mirror image.
template <class T>
class values_inside {
public:
  /// @param nearest  the address of the value next to the border
  /// @param stride   from there to the next one inside [values]
  KOKKOS_INLINE_FUNCTION values_inside(T mirrored, T const* nearest, std::int64_t stride, int depth)
      : mirrored_(mirrored), nearest_(nearest), stride_(stride), depth_(depth) {}

  KOKKOS_INLINE_FUNCTION operator T() const { return mirrored_; }

  /// The value `k` places further inside than the one next to the border.
  /// @throws usage_error  the condition has not declared to see so far
  KOKKOS_INLINE_FUNCTION T operator()(int k) const {
#ifndef __CUDA_ARCH__
    if (k < 0 || k > depth_)
      refuse("a boundary condition reads inside(" + std::to_string(k) + ") (expected 0 to " +
             std::to_string(depth_) + ", as its sees() declares)");
#endif
    return nearest_[k * stride_];
  }

private:
  T mirrored_;
  T const* nearest_;
  std::int64_t stride_;
  int depth_;
};

/// One ghost cell beyond the border: the argument of a boundary condition.
/// @tparam Inside  T, or values_inside<T> of conditions by sees()
template <class T, int D, class Inside = T>
struct ghost_cell {
  Inside inside;      ///< value of the mirror image
  position<D> centre; ///< of the ghost, inside the domain along periodic axes [unit of length]
  position<D> border; ///< half way between the ghost and its mirror image [unit of length]
  double distance;    ///< from the mirror image's centre to the ghost's [unit of length]
  std::int64_t layer; ///< 1 next to the border, 2 behind, ...
};

namespace detail {

/// A condition that sees more than the mirror image.
template <class Condition>
struct far_condition {
  int depth;
  Condition condition;

  template <class... Argument>
    requires std::invocable<Condition const&, Argument const&...>
  KOKKOS_INLINE_FUNCTION auto operator()(Argument const&... argument) const {
    return condition(argument...);
  }
};

template <class Condition>
inline constexpr bool is_far = false;
template <class Condition>
inline constexpr bool is_far<far_condition<Condition>> = true;

/// The ghost cell that a condition gets.
template <class Condition, class T, int D>
using ghost_for = ghost_cell<T, D, std::conditional_t<is_far<Condition>, values_inside<T>, T>>;

/// The depth of a condition, if it is one.
/// @throws usage_error  it is negative, or large
inline int checked_depth(int depth) {
  constexpr int most = 1000;
  if (depth < 0 || depth > most)
    refuse("a boundary condition sees to inside(" + std::to_string(depth) + ") (expected 0 to " +
           std::to_string(most) + ")");
  return depth;
}

} // namespace detail

/// Lets a boundary condition see the values from inside(0), next to the border, to inside(depth). A
/// ghost of any layer sees the same ones, and ghost.inside is its mirror image as ever.
///
///     u.boundary(sees(2, [](auto const& ghost) { return ghost.inside(0) + ghost.inside(2); }));
///
/// Steps bring these values, from other ranks, too. By hand they have to be in the block or among the
/// ghosts of the grid's neighborhood.
/// @param condition  of a ghost cell whose `inside` is values_inside<T>, and, if it likes, of another
///                   field's value and of the time
/// @throws usage_error  the depth is negative, or more than 1000
/// Local.
template <class Condition>
detail::far_condition<Condition> sees(int depth, Condition condition) {
  return {detail::checked_depth(depth), std::move(condition)};
}

/// A function of one ghost cell that gives it a value.
template <class Condition, class T, int D>
concept boundary_condition =
    requires(Condition const& condition, detail::ghost_for<Condition, T, D> const& ghost) {
      { condition(ghost) } -> std::convertible_to<T>;
    };

/// A function of one ghost cell and the time [s], which steps pass (see Steps::time).
template <class Condition, class T, int D>
concept boundary_of_time = requires(Condition const& condition,
                                    detail::ghost_for<Condition, T, D> const& ghost, double time) {
  { condition(ghost, time) } -> std::convertible_to<T>;
};

/// A function of one ghost cell and a value of another field, which may have the time [s] as its last
/// argument.
template <class Condition, class T, class S, int D>
concept boundary_of_field =
    requires(Condition const& condition, detail::ghost_for<Condition, T, D> const& ghost, S other) {
      { condition(ghost, other) } -> std::convertible_to<T>;
    } || requires(Condition const& condition, detail::ghost_for<Condition, T, D> const& ghost,
                  S other, double time) {
      { condition(ghost, other, time) } -> std::convertible_to<T>;
    };

} // namespace seam

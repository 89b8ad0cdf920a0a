/// A kernel of two: one for the places of a box, such as those away from walls, and one for all others.
/// It costs what the first one does, where a condition in one kernel would be asked at each place.
///
///     box<2> const inside = shrink(grid.domain(), {1, 1}, {1, 1});
///     step.each("stream", updates(f, star(1)),
///               by_place(inside, [](auto f) { f = f(-1, 0); },
///                        [](auto f, place<2> const& here) { f = here.index[0] == 0 ? f() : ...; }));
#pragma once

#include <seam/stencil/box.hpp>
#include <seam/stencil/step_views.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace seam {

namespace detail {

/// Calls a kernel with its views, and with its place if it takes that.
template <class Kernel, class Place, class... Views>
KOKKOS_FORCEINLINE_FUNCTION void call_kernel(Kernel const& kernel, Place const& here,
                                             Views const&... views) {
  if constexpr (std::is_invocable_v<Kernel const&, Views..., Place>)
    kernel(views..., here);
  else
    kernel(views...);
}

template <class Kernel, class Place, class... Views>
inline constexpr bool is_kernel_for = std::is_invocable_v<Kernel const&, Views..., Place> ||
                                      std::is_invocable_v<Kernel const&, Views...>;

/// True if both kernels take the arguments, of which the last is a place.
template <class Place, class Inside, class Elsewhere, class Views>
inline constexpr bool are_kernels_for = false;
template <class Place, class Inside, class Elsewhere, class... Views>
inline constexpr bool are_kernels_for<Place, Inside, Elsewhere, std::tuple<Views...>> =
    is_kernel_for<Inside, Place, Views...> && is_kernel_for<Elsewhere, Place, Views...>;

/// All but the last of some types.
template <class Types, class Indices>
struct first_types;
template <class Types, std::size_t... I>
struct first_types<Types, std::index_sequence<I...>> {
  using type = std::tuple<std::tuple_element_t<I, Types>...>;
};
template <class... Arguments>
using all_but_last = typename first_types<std::tuple<Arguments...>,
                                          std::make_index_sequence<sizeof...(Arguments) - 1>>::type;

} // namespace detail

/// The kernel that by_place() makes: each of the two takes the views, and may take a place as the last
/// parameter.
template <int D, class Inside, class Elsewhere>
struct kernel_by_place {
  box<D> where; ///< in global indices
  Inside inside;
  Elsewhere elsewhere;

  /// Takes views and a place.
  template <class... Arguments>
    requires(
        sizeof...(Arguments) > 1 &&
        std::is_same_v<std::tuple_element_t<sizeof...(Arguments) - 1, std::tuple<Arguments...>>,
                       place<D>> &&
        detail::are_kernels_for<place<D>, Inside, Elsewhere, detail::all_but_last<Arguments...>>)
  void operator()(Arguments... arguments) const {
    auto const all = std::tie(arguments...);
    place<D> const& here = std::get<sizeof...(Arguments) - 1>(all);
    if (where.contains(here.index))
      call(inside, here, all, std::make_index_sequence<sizeof...(Arguments) - 1>{});
    else
      call(elsewhere, here, all, std::make_index_sequence<sizeof...(Arguments) - 1>{});
  }

private:
  template <class Kernel, class All, std::size_t... View>
  static void call(Kernel const& kernel, place<D> const& here, All const& all,
                   std::index_sequence<View...>) {
    detail::call_kernel(kernel, here, std::get<View>(all)...);
  }
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

/// What is wrong with a kernel or with its roles, in sentences that the compiler says before it comes
/// to the templates behind them.
#pragma once

#include <seam/stencil/roles/kernel.hpp>
#include <seam/stencil/roles/step_roles.hpp>
#include <seam/stencil/roles/step_views.hpp>

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace seam::detail {

/// Checks an argument of Steps::each() that is no role of a field, or of a field of other dimensions.
template <class Argument, int D>
struct check_role {
  static_assert(std::is_base_of_v<declared_role, Argument>,
                "an argument of Steps::each() before the kernel is no role: write reads(u), "
                "writes(u), updates(u) or another one (<seam/steps.hpp>), not the field itself");
  static_assert(!std::is_base_of_v<declared_role, Argument>,
                "a role is of a field that has another number of dimensions than the grid of the "
                "Steps");
};

/// The parameters of a call operator.
template <class Function>
struct parameters_of : std::type_identity<std::tuple<>> {};
template <class Kernel, class Result, class... Parameter>
struct parameters_of<Result (Kernel::*)(Parameter...) const>
    : std::type_identity<std::tuple<Parameter...>> {};
template <class Kernel, class Result, class... Parameter>
struct parameters_of<Result (Kernel::*)(Parameter...) const noexcept>
    : std::type_identity<std::tuple<Parameter...>> {};

/// The parameters of a kernel that gets `views`: where its values are numbers, as those of
/// [](auto u, double dt) or [](reader<double, 2> u, int n); none where they are auto.
/// @tparam Views  a tuple of the views of fields, which parameters declared auto have as their types
template <class Kernel, class Views>
struct parameters_with : std::type_identity<std::tuple<>> {};
template <class Kernel, class... Views>
  requires requires { &Kernel::template operator()<Views...>; }
struct parameters_with<Kernel, std::tuple<Views...>>
    : parameters_of<decltype(&Kernel::template operator()<Views...>)> {};
template <class Kernel, class... Views>
  requires requires { &Kernel::operator(); }
struct parameters_with<Kernel, std::tuple<Views...>>
    : parameters_of<decltype(&Kernel::operator())> {};

template <class T>
concept plain_number = std::is_arithmetic_v<T>;

/// True if numbers of T lose something in a parameter of another type.
template <class T, class Parameter>
inline constexpr bool is_narrowed = false;
template <plain_number T, plain_number Parameter>
inline constexpr bool is_narrowed<T, Parameter> = !requires(T value) { Parameter{value}; };

/// Whether some parameter is narrower than the number that it gets.
template <class Views, class Parameters>
inline constexpr bool are_narrowed = false;
template <class... View, class... Parameter>
  requires(sizeof...(View) == sizeof...(Parameter))
inline constexpr bool are_narrowed<std::tuple<View...>, std::tuple<Parameter...>> =
    std::disjunction_v<std::bool_constant<is_narrowed<View, std::remove_cvref_t<Parameter>>>...>;

/// A tuple of the views among a kernel's arguments, without numbers.
template <class... Views>
using views_of_fields = decltype(std::tuple_cat(
    std::declval<
        std::conditional_t<std::is_arithmetic_v<Views>, std::tuple<>, std::tuple<Views>>>()...));

/// True if a kernel declares a number narrower than the Value that with() gives it.
template <class Kernel, class... Views>
inline constexpr bool narrows_value =
    std::disjunction_v<std::is_arithmetic<Views>...> &&
    are_narrowed<std::tuple<Views...>,
                 typename parameters_with<Kernel, views_of_fields<Views...>>::type>;

/// Checks a kernel of steps whose arguments are `Views`, and perhaps its place.
template <class Kernel, int D, class... Views>
struct check_kernel {
  static constexpr bool is_checked = true;
  static constexpr bool fits = std::is_invocable_v<Kernel const&, Views...> ||
                               std::is_invocable_v<Kernel const&, Views..., place<D>>;
  static constexpr bool is_mutable = !fits && (std::is_invocable_v<Kernel&, Views...> ||
                                               std::is_invocable_v<Kernel&, Views..., place<D>>);

  static_assert(!is_mutable, "a kernel changes its captures, which all threads share: leave out "
                             "mutable, and let numbers that change come through with()");
  static_assert(
      fits || is_mutable,
      "the kernel of Steps::each() has to take one parameter for each role, in their order: a "
      "reader, writer, updater or adder for a field (auto will do), a number for with(), a "
      "contributor for minimum(), maximum() and sum(); and may take a place<D>");
  static_assert(
      travels_by_bytes<Kernel>,
      "a kernel captures something whose bytes are no copy of it, as a std::vector, a Field "
      "or a Kokkos::View: capture numbers, pointers and structs of these, and let fields "
      "come through roles");
  static_assert(
      !narrows_value<Kernel, Views...>,
      "a kernel takes the number of with(value) as a narrower type, in which it loses its "
      "fraction or more: declare the parameter as the type of the Value, or auto");
};

} // namespace seam::detail

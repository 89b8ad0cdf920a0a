/// How kernels are written: as lambdas that compilers for devices take, too.
///
///     step.each("spread", updates(u, star(1)), SEAM_KERNEL(auto u) { u = 0.5 * (u(1) + u(-1)); });
///
/// A kernel captures copies, of numbers, pointers and structs of these: its bytes may travel to
/// another memory. What it calls is marked KOKKOS_INLINE_FUNCTION. Compilers of CUDA refuse it in a
/// private member function, in a function with an auto parameter or result, and where it captures
/// another lambda.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

/// Begins a kernel: its parameters and its body follow.
#ifdef __CUDACC__
#define SEAM_KERNEL [=] __device__
#else
#define SEAM_KERNEL [=]
#endif

namespace seam::detail {

/// True if a copy of its bytes is a copy of a kernel. (Closures that have been in a std::tuple are
/// not trivially copyable for g++ 12, and are for clang.)
template <class Kernel>
inline constexpr bool travels_by_bytes =
    std::is_trivially_copy_constructible_v<Kernel> && std::is_trivially_destructible_v<Kernel>;

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

} // namespace seam::detail

/// What is wrong with a kernel or with its roles, in sentences that the compiler says before it comes
/// to the templates behind them.
#pragma once

#include <seam/exchange/steps/roles/kernel.hpp>
#include <seam/stencil/roles/step_roles.hpp>
#include <seam/stencil/roles/step_views.hpp>

#include <type_traits>

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

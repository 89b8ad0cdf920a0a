/// Typed settings: the bodies of kernels on values alone.
#pragma once

#include <seam/exchange/steps/program/step_kernel.hpp>
#include <seam/exchange/steps/roles/value_roles.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace seam::detail {

/// The type of a value as kernels on values alone get it.
template <class Role>
struct value_of_role;
template <class T>
struct value_of_role<value_role<T>> : std::type_identity<T const> {};
template <class T>
struct value_of_role<setting_role<T>> : std::type_identity<T> {};

/// A kernel on values alone, with the types of its arguments: T const for with(), T for sets().
template <class Kernel, class... T>
class typed_setting final : public step_body {
public:
  explicit typed_setting(Kernel const& kernel) : kernel_(kernel) {}

  void compute(step_kernel const& kernel, step_call const& /*call*/) const override {
    set(kernel.arguments.data(), std::index_sequence_for<T...>{});
  }

private:
  template <std::size_t... R>
  void set(kernel_argument const* arguments, std::index_sequence<R...>) const {
    kernel_(static_cast<T&>(
        static_cast<typed_step_value<std::remove_const_t<T>>*>(arguments[R].value)->now)...);
  }

  Kernel kernel_;
};

} // namespace seam::detail

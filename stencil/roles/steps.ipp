// From the roles and the kernel of a call of Steps::each() to a kernel of a program; included by
// steps.hpp alone.
#pragma once

#include <seam/stencil/roles/grid_declaration.hpp>
#include <seam/stencil/roles/steps.hpp>
#include <seam/stencil/roles/typed_kernel.hpp>

#include <tuple>

namespace seam {
namespace detail {

/// The search of step_mask in values of type M.
template <class M>
std::int64_t find_in_mask(bound_access const& mask, index3 const& first, std::int64_t from,
                          std::int64_t end, bool is_set) {
  M const* const row = row_address<M const>(mask.read, mask, first);
  while (from < end && (row[from] != M{}) != is_set)
    ++from;
  return from;
}

} // namespace detail

template <int D>
template <std::size_t... Role, class... Arguments>
kernel_options<D> Steps<D>::add(std::string const& name, std::index_sequence<Role...>,
                                Arguments const&... arguments) {
  using namespace detail;
  using all = std::tuple<Arguments...>;
  using body = typed_kernel<D, std::tuple_element_t<sizeof...(Role), all>,
                            typename row_of_role<std::tuple_element_t<Role, all>, D>::type...>;
  grid_declaration declaration(*machine_, name);
  (take(declaration, arguments), ...);
  std::unique_ptr<kernel_body const> made(
      new body(last_argument<std::index_sequence<Role...>>::of(arguments...)));
  return {*machine_, declaration.add(std::move(made))};
}

template <int D>
template <class M>
kernel_options<D>& kernel_options<D>::where(Field<M, D> const& mask) {
  static_assert(std::is_arithmetic_v<M>, "a mask is a field of numbers or of bool");
  detail::step_access access;
  access.field = machine_->number_of(mask.shared());
  access.count = mask.num_components();
  access.offsets = {std::vector<detail::index3>(1)}; // the place itself
  access.is_mask = true;
  if (kernel_->mask.access < 0) {
    kernel_->mask.access = std::ssize(kernel_->accesses);
    kernel_->accesses.emplace_back();
  }
  kernel_->accesses[kernel_->mask.access] = std::move(access);
  kernel_->mask.find = detail::find_in_mask<M>;
  return *this;
}

} // namespace seam

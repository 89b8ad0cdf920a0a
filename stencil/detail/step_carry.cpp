#include <seam/stencil/detail/step_carry.hpp>

#include <algorithm>
#include <cstring>

namespace seam::detail {
namespace {

/// Copies the values of a tile from old memory to new, all components.
template <int D>
void carry(tile_call<D> const& call, step_access<D> const& access, bound_access<D> const& bound,
           field_state<D> const& field) {
  std::int64_t const bytes = field.element_bytes;
  for (int c = -access.first; c < field.options.components - access.first; ++c)
    for_each_row(call.cells, [&](cell_index<D> const& first, std::int64_t end) {
      std::int64_t offset = c * bound.component_stride;
      for (int a = 0; a < D; ++a)
        offset += first[a] * bound.stride[a];
      std::memcpy(bound.write + offset * bytes, bound.read + offset * bytes,
                  (end - first[D - 1]) * bytes);
    });
}

/// The arguments of which some values are carried: one for each field, with all components.
template <int D>
std::vector<int> carried_by(step_program<D> const& program, step_kernel<D> const& kernel) {
  std::vector<int> carried;
  for (int a = 0; a < std::ssize(kernel.accesses); ++a) {
    step_access<D> const& access = kernel.accesses[a];
    bool const is_carried = std::ranges::any_of(carried, [&](int other) {
      return kernel.accesses[other].field == access.field;
    });
    if (access.role == access_role::updates && !is_carried &&
        kernel.is_partial(access, *program.fields[access.field]))
      carried.push_back(a);
  }
  return carried;
}

} // namespace

template <int D>
void carry_others(step_program<D> const& program, step_kernel<D>& kernel) {
  if (kernel.carries || !kernel.compute)
    return;
  auto const carried = carried_by<D>(program, kernel);
  if (carried.empty())
    return;
  kernel.carries = true;
  kernel.compute = [&program, &kernel, carried, inner = kernel.compute](tile_call<D> const& call) {
    for (int const a : carried)
      if (call.accesses[a].read != call.accesses[a].write)
        carry<D>(call, kernel.accesses[a], call.accesses[a],
                 *program.fields[kernel.accesses[a].field]);
    if (!call.where.is_empty())
      inner(call);
  };
}

template void carry_others(step_program<1> const&, step_kernel<1>&);
template void carry_others(step_program<2> const&, step_kernel<2>&);
template void carry_others(step_program<3> const&, step_kernel<3>&);

} // namespace seam::detail

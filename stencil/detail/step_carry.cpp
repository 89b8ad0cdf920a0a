#include <seam/stencil/detail/step_carry.hpp>

#include <algorithm>
#include <cstring>

namespace seam::detail {

template <int D>
void carry_others(step_kernel<D> const& kernel, tile_call<D> const& call) {
  for (carried_access const& carried : kernel.carried) {
    bound_access<D> const& bound = call.accesses[carried.access];
    if (bound.read == bound.write)
      continue;
    for (int c = carried.first; c < carried.end; ++c)
      for_each_row(call.cells, [&](cell_index<D> const& first, std::int64_t end) {
        std::int64_t offset = c * bound.component_stride;
        for (int a = 0; a < D; ++a)
          offset += first[a] * bound.stride[a];
        std::memcpy(bound.write + offset * carried.bytes, bound.read + offset * carried.bytes,
                    (end - first[D - 1]) * carried.bytes);
      });
  }
}

template <int D>
std::vector<carried_access> carried_by(step_program<D> const& program,
                                       step_kernel<D> const& kernel) {
  std::vector<carried_access> all;
  std::vector<int> fields;
  for (int a = 0; a < std::ssize(kernel.accesses); ++a) {
    step_access<D> const& access = kernel.accesses[a];
    field_state<D> const& field = *program.fields[access.field];
    if (!access.is_moved() || !kernel.is_partial(access, field) ||
        std::ranges::find(fields, access.field) != fields.end())
      continue;
    fields.push_back(access.field);
    all.push_back({a, -access.first, field.options.components - access.first, field.element_bytes});
  }
  return all;
}

#define SEAM_FOR_DIMENSION(D)                                                                      \
  template void carry_others(step_kernel<D> const&, tile_call<D> const&);                          \
  template std::vector<carried_access> carried_by(step_program<D> const&, step_kernel<D> const&);
SEAM_FOR_DIMENSION(1)
SEAM_FOR_DIMENSION(2)
SEAM_FOR_DIMENSION(3)
#undef SEAM_FOR_DIMENSION

} // namespace seam::detail

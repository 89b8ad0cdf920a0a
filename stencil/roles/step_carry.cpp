#include <seam/stencil/roles/step_carry.hpp>

#include <seam/stencil/ghosts/grid_kernels.hpp>

#include <algorithm>
#include <cstring>

namespace seam::detail {

void carry_others(step_kernel const& kernel, tile_call const& call) {
  for (carried_access const& carried : kernel.carried) {
    bound_access const& bound = call.accesses[carried.access];
    if (bound.read == bound.write)
      continue;
    for (int c = carried.first; c < carried.end; ++c)
      for_each_row(call.cells, [&](index3 const& first, std::int64_t end) {
        std::int64_t offset = c * bound.component_stride;
        for (int a = 0; a < 3; ++a)
          offset += first[a] * bound.stride[a];
        std::memcpy(bound.write + offset * carried.bytes, bound.read + offset * carried.bytes,
                    (end - first[2]) * carried.bytes);
      });
  }
}

std::vector<carried_access> carried_by(step_program const& program, step_kernel const& kernel) {
  std::vector<carried_access> all;
  std::vector<int> fields;
  for (int a = 0; a < std::ssize(kernel.accesses); ++a) {
    step_access const& access = kernel.accesses[a];
    step_field const& field = *program.fields[access.field];
    if (!access.is_moved() || !kernel.is_partial(access, field.components) ||
        std::ranges::find(fields, access.field) != fields.end())
      continue;
    fields.push_back(access.field);
    all.push_back({a, -access.first, field.components - access.first, field.element_bytes});
  }
  return all;
}

void grid_space::prepare(step_program const& program, step_kernel& kernel,
                         int parts_in_order) const {
  kernel.num_parts = parts_of_blocks(kernel, parts_in_order);
  kernel.carried = carried_by(program, kernel);
}

} // namespace seam::detail

#include <seam/stencil/roles/grid_declaration.hpp>

#include <seam/stencil/ghosts/grid_kernels.hpp>

#include <utility>

namespace seam::detail {

declared_field::declared_field(std::shared_ptr<field_state> its_field, access_role its_role,
                               grid_ratio its_ratio, int its_level, int its_first, int its_count,
                               std::vector<stencil> its_offsets)
    : field(std::move(its_field)),
      role(its_role),
      ratio(its_ratio),
      level(its_level),
      first(its_first),
      count(its_count),
      offsets(std::move(its_offsets)) {}
declared_field::declared_field(declared_field const&) = default;
declared_field::~declared_field() = default;

void grid_declaration::take(declared_field const& role) {
  step_access access;
  access.field = machine_.number_of(role.field);
  access.role = role.role;
  access.level = role.level;
  access.first = role.first;
  access.count = role.count;
  access.offsets.clear();
  for (stencil const& of : role.offsets)
    access.offsets.push_back(padded_offsets(of, machine_.program().num_axes));
  access.multiplier = role.ratio == grid_ratio::finer ? 2 : 1;
  access.divisor = role.ratio == grid_ratio::coarser ? 2 : 1;
  kernel_.arguments.push_back({.access = static_cast<int>(kernel_.accesses.size())});
  kernel_.accesses.push_back(std::move(access));
}

step_kernel& grid_declaration::add(std::unique_ptr<kernel_body const> body) {
  complete(machine_.program(), kernel_);
  kernel_.body = std::move(body);
  return machine_.add(std::move(kernel_));
}

} // namespace seam::detail

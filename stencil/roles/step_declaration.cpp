#include <seam/stencil/roles/step_declaration.hpp>

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

declared_value::declared_value(std::shared_ptr<step_value> its_value, bool its_is_set)
    : value(std::move(its_value)), is_set(its_is_set) {}
declared_value::declared_value(declared_value const&) = default;
declared_value::~declared_value() = default;

declared_reduction::declared_reduction(std::shared_ptr<step_value> its_value, maker its_make)
    : value(std::move(its_value)), make(its_make) {}
declared_reduction::declared_reduction(declared_reduction const&) = default;
declared_reduction::~declared_reduction() = default;

step_declaration::step_declaration(step_machine& machine, std::string name) : machine_(machine) {
  kernel_.name = std::move(name);
}

void step_declaration::take(declared_field const& role) {
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

void step_declaration::take(declared_value const& role) {
  (role.is_set ? kernel_.sets : kernel_.reads_values).push_back(machine_.number_of(role.value));
  kernel_.arguments.push_back({.value = role.value.get()});
}

void step_declaration::take(declared_reduction const& role) {
  kernel_.reduces.push_back(machine_.number_of(role.value));
  kernel_.reductions.push_back(role.make(role.value));
  kernel_.arguments.push_back({.reduction = kernel_.reductions.back().get()});
}

step_kernel& step_declaration::add(std::unique_ptr<kernel_body const> body) {
  complete(machine_.program(), kernel_);
  kernel_.body = std::move(body);
  return machine_.add(std::move(kernel_));
}

void step_declaration::add_on_values(std::unique_ptr<kernel_body const> body) {
  kernel_.is_on_values = true;
  kernel_.body = std::move(body);
  machine_.add(std::move(kernel_));
}

} // namespace seam::detail

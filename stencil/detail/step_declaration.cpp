#include <seam/stencil/detail/step_declaration.hpp>

#include <seam/stencil/detail/step_check.hpp>

#include <utility>

namespace seam::detail {

template <int D>
declared_field<D>::declared_field(std::shared_ptr<field_state<D>> its_field, access_role its_role,
                                  grid_ratio its_ratio, int its_level, int its_first, int its_count,
                                  std::vector<stencil> its_offsets)
    : field(std::move(its_field)),
      role(its_role),
      ratio(its_ratio),
      level(its_level),
      first(its_first),
      count(its_count),
      offsets(std::move(its_offsets)) {}
template <int D>
declared_field<D>::declared_field(declared_field const&) = default;
template <int D>
declared_field<D>::~declared_field() = default;

declared_value::declared_value(std::shared_ptr<step_value> its_value, bool its_is_set)
    : value(std::move(its_value)), is_set(its_is_set) {}
declared_value::declared_value(declared_value const&) = default;
declared_value::~declared_value() = default;

declared_reduction::declared_reduction(std::shared_ptr<step_value> its_value, maker its_make)
    : value(std::move(its_value)), make(its_make) {}
declared_reduction::declared_reduction(declared_reduction const&) = default;
declared_reduction::~declared_reduction() = default;

template <int D>
step_declaration<D>::step_declaration(step_machine<D>& machine, std::string name)
    : machine_(machine) {
  kernel_.name = std::move(name);
}

template <int D>
void step_declaration<D>::take(declared_field<D> const& role) {
  step_access<D> access;
  access.field = machine_.number_of(role.field);
  access.role = role.role;
  access.level = role.level;
  access.first = role.first;
  access.count = role.count;
  access.offsets.clear();
  for (stencil const& of : role.offsets)
    access.offsets.push_back(offsets_of<D>(of));
  access.multiplier = role.ratio == grid_ratio::finer ? 2 : 1;
  access.divisor = role.ratio == grid_ratio::coarser ? 2 : 1;
  kernel_.arguments.push_back({.access = static_cast<int>(kernel_.accesses.size())});
  kernel_.accesses.push_back(std::move(access));
}

template <int D>
void step_declaration<D>::take(declared_value const& role) {
  (role.is_set ? kernel_.sets : kernel_.reads_values).push_back(machine_.number_of(role.value));
  kernel_.arguments.push_back({.value = role.value.get()});
}

template <int D>
void step_declaration<D>::take(declared_reduction const& role) {
  kernel_.reduces.push_back(machine_.number_of(role.value));
  kernel_.reductions.push_back(role.make(role.value));
  kernel_.arguments.push_back({.reduction = kernel_.reductions.back().get()});
}

template <int D>
step_kernel<D>& step_declaration<D>::add(std::unique_ptr<kernel_body<D> const> body) {
  complete<D>(machine_.program().fields, kernel_);
  kernel_.body = std::move(body);
  return machine_.add(std::move(kernel_));
}

template <int D>
void step_declaration<D>::add_on_values(std::unique_ptr<kernel_body<D> const> body) {
  kernel_.is_on_values = true;
  kernel_.body = std::move(body);
  machine_.add(std::move(kernel_));
}

template struct declared_field<3>;
template struct declared_field<2>;
template struct declared_field<1>;
template class step_declaration<1>;
template class step_declaration<2>;
template class step_declaration<3>;

} // namespace seam::detail

#include <seam/exchange/steps/roles/step_declaration.hpp>

#include <seam/exchange/steps/program/step_program.hpp>

namespace seam::detail {

step_declaration::step_declaration(step_machine& machine, std::string name) : machine_(machine) {
  kernel_.name =
      name.empty() ? "kernel " + std::to_string(machine.program().kernels.size()) : std::move(name);
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

void step_declaration::add_on_values(std::unique_ptr<step_body const> body) {
  kernel_.is_on_values = true;
  kernel_.body = std::move(body);
  machine_.add(std::move(kernel_));
}

} // namespace seam::detail

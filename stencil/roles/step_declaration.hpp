/// Step declarations: from the roles of a call of Steps::each() to a kernel of a program.
#pragma once

#include <seam/exchange/steps/run/step_machine.hpp>
#include <seam/stencil/roles/kernel_body.hpp>
#include <seam/stencil/roles/step_roles.hpp>

#include <memory>
#include <string>

namespace seam::detail {

/// A kernel that is being declared: take() is called for each role, in order.
class step_declaration {
public:
  step_declaration(step_machine& machine, std::string name);

  void take(declared_field const& role);
  void take(declared_value const& role);
  void take(declared_reduction const& role);

  /// Adds the kernel to the program, at the places of its fields.
  step_kernel& add(std::unique_ptr<kernel_body const> body);

  /// Adds it as a kernel on values alone.
  void add_on_values(std::unique_ptr<kernel_body const> body);

private:
  step_machine& machine_;
  step_kernel kernel_;
};

} // namespace seam::detail

/// Grid declarations: from the roles of a call of Steps::each() to a kernel of a program.
#pragma once

#include <seam/exchange/steps/roles/step_declaration.hpp>
#include <seam/stencil/roles/kernel_body.hpp>
#include <seam/stencil/roles/step_roles.hpp>

#include <memory>

namespace seam::detail {

/// A kernel on a grid that is being declared.
class grid_declaration : public step_declaration {
public:
  using step_declaration::step_declaration;
  using step_declaration::take;

  void take(declared_field const& role);

  /// Adds the kernel to the program, at the places of its fields.
  step_kernel& add(std::unique_ptr<kernel_body const> body);
};

} // namespace seam::detail

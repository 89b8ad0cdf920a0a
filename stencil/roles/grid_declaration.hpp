/// Grid declarations: from the roles of a call of Steps::each() to a kernel of a program.
#pragma once

#include <seam/exchange/steps/roles/step_declaration.hpp>
#include <seam/stencil/roles/declared_field.hpp>
#include <seam/stencil/roles/kernel_body.hpp>

#include <memory>

namespace seam::detail {

/// Completes the declaration of a kernel: the grid and the places at which it computes, and the
/// offsets to which it adds.
/// Local.
void complete(step_program const& program, step_kernel& kernel);

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

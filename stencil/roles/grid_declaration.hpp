/// Grid declarations: from the roles of a call of Steps::each(), without the types of values, to a kernel
/// of a program.
#pragma once

#include <seam/exchange/steps/roles/step_declaration.hpp>
#include <seam/stencil/roles/kernel_body.hpp>
#include <seam/stencil/roles/step_offsets.hpp>

#include <memory>
#include <vector>

namespace seam::detail {

class field_state;

/// The ratio of the places of a kernel and of a field.
enum class grid_ratio { same, finer, coarser };

struct declared_field : declared_role {
  declared_field(std::shared_ptr<field_state> its_field, access_role its_role, grid_ratio its_ratio,
                 int its_level, int its_first, int its_count, std::vector<stencil> its_offsets);
  declared_field(declared_field const&);
  ~declared_field();

  std::shared_ptr<field_state> field;
  access_role role;
  grid_ratio ratio;
  int level;
  int first, count;             ///< components
  std::vector<stencil> offsets; ///< [1] of all components, or of each one
};

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

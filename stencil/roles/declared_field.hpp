/// Declared fields: roles of step_roles.hpp without the types of values.
#pragma once

#include <seam/exchange/steps/program/step_kernel.hpp>
#include <seam/exchange/steps/roles/value_roles.hpp>
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

} // namespace seam::detail

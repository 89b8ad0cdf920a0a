/// Mesh declarations: from the roles of a call of Steps::each() on a mesh to a kernel of a program.
#pragma once

#include <seam/exchange/steps/roles/step_declaration.hpp>
#include <seam/mesh/roles/mesh_body.hpp>
#include <seam/mesh/roles/mesh_roles.hpp>
#include <seam/mesh/space/mesh_space.hpp>

#include <memory>
#include <string>
#include <vector>

namespace seam::detail {

/// A kernel on a mesh that is being declared.
class mesh_declaration : public step_declaration {
public:
  /// @param at  where the kernel runs; null: where it writes
  mesh_declaration(step_machine& machine, std::shared_ptr<mesh_space const> space, std::string name,
                   mesh_set const* at);

  using step_declaration::take;
  void take(declared_entities const& role);
  template <class T>
  void take(table_role<T> const& role) {
    kernel_.arguments.emplace_back();
    table_sizes_.push_back(std::ssize(*role.numbers));
  }

  /// Adds the kernel to the program.
  /// @throws usage_error  fields lie on other meshes, or not where the roles say; lists or numbers do
  ///         not fit (the same on all ranks)
  /// Collective: over the space.
  step_kernel& add(std::unique_ptr<mesh_body> body);

private:
  void check_meshes() const;
  void find_dimensions();
  void find_reach(int access);
  std::shared_ptr<entity_rows const> list_for(declared_entities const& role) const;
  void check_orders() const;
  void check_tables() const;
  bool serves_owners() const;
  void find_places();

  std::shared_ptr<mesh_space const> space_;
  mesh_set const* at_;
  std::vector<declared_entities> roles_; ///< [accesses]
  std::vector<std::ptrdiff_t> table_sizes_;
  int called_ = -1; ///< dimension of the entities at which the kernel is called
};

} // namespace seam::detail

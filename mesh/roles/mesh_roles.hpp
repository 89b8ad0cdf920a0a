/// Roles on meshes: what a kernel of steps does with its arguments, in the order of its parameters.
///
///     reads(q, cells)        old values of the cells around; reads(q) at the kernel's own entity
///     writes(q)              a new value
///     updates(u, vertices)   reads old values, there and around, and writes new ones
///     modifies(q)            in place: entities may keep their value
///     adds(r, cells)         adds to the values of the cells around, by ascending id of the sources
///     collects(r, cells)     the same from T{}: what r had before is of no interest
///     reads(numbers)         a std::vector: of own entities, or of the entries of the kernel's list
///
/// In place of a part of the mesh, a list gives the entities around each: reads(u, list). It is a
/// seam::adjacency with a row for each own entity of the dimension at which the kernel is called, of
/// local entities of the field's, and rows that do not depend on ranks. Roles of values:
/// value_roles.hpp.
#pragma once

#include <seam/exchange/steps/roles/value_roles.hpp>
#include <seam/mesh/fields/mesh_field.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace seam {
namespace detail {

/// The entities around a kernel's own that it reads or adds to: of a part of the mesh, or a list's.
struct named_around {
  named_around() = default;
  named_around(mesh_part of) : part(of) {}
  named_around(adjacency const& rows) : list(&rows) {}

  bool is_named() const { return part.has_value() || list != nullptr; }

  std::optional<mesh_part> part{};
  adjacency const* list = nullptr; ///< of the caller's, which the declaration copies
};

/// A role of a field, whatever the type of its values.
struct declared_entities : declared_role {
  declared_entities(std::shared_ptr<mesh_field_state> its_field, access_role its_role,
                    named_around const& its_around);
  declared_entities(declared_entities const&);
  ~declared_entities();

  std::shared_ptr<mesh_field_state> field;
  access_role role;
  named_around around;
};

template <class T, access_role Role, bool Around>
struct entities_role : declared_entities {
  entities_role(MeshField<T> const& of, named_around const& its_around)
      : declared_entities(of.shared(), Role, its_around) {}
};

/// Numbers of the caller's, which are copied.
template <class T>
struct table_role : declared_role {
  explicit table_role(std::vector<T> const& from)
      : numbers(std::make_shared<std::vector<T> const>(from)) {}

  std::shared_ptr<std::vector<T> const> numbers;
};

} // namespace detail

template <class T>
auto reads(MeshField<T> const& field) {
  return detail::entities_role<T, detail::access_role::reads, false>(field, {});
}
template <class T>
auto reads(MeshField<T> const& field, detail::named_around const& around) {
  return detail::entities_role<T, detail::access_role::reads, true>(field, around);
}
template <class T>
auto reads(std::vector<T> const& numbers) {
  return detail::table_role<T>(numbers);
}

template <class T>
auto writes(MeshField<T>& field) {
  return detail::entities_role<T, detail::access_role::writes, false>(field, {});
}

/// A field that is read at the own entity alone is updated in place: read it before it is written.
template <class T>
auto updates(MeshField<T>& field) {
  return detail::entities_role<T, detail::access_role::updates, false>(field, {});
}
template <class T>
auto updates(MeshField<T>& field, detail::named_around const& around) {
  return detail::entities_role<T, detail::access_role::updates, true>(field, around);
}

/// Reads of neighbors need colors: kernel_options::in_colors().
template <class T>
auto modifies(MeshField<T>& field) {
  return detail::entities_role<T, detail::access_role::modifies, false>(field, {});
}
template <class T>
auto modifies(MeshField<T>& field, detail::named_around const& around) {
  return detail::entities_role<T, detail::access_role::modifies_at_offsets, true>(field, around);
}

/// Additions have the same bits on any ranks and threads.
/// Cost: a kernel is called once for each tile to whose entities it adds.
template <class T>
auto adds(MeshField<T>& field, mesh_part to) {
  return detail::entities_role<T, detail::access_role::adds, true>(field, to);
}
template <class T>
auto collects(MeshField<T>& field, mesh_part to) {
  return detail::entities_role<T, detail::access_role::collects, true>(field, to);
}

} // namespace seam

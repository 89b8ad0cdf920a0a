/// MeshField: values on the vertices, edges, faces or cells of a mesh.
///
///     auto u = mesh.field<double>("u", cells);
///     u.fill([](auto x) { return std::sin(x[0]); });   // at the centers of cells
///     for (local_id c = 0; c < mesh.cells().num_owned; ++c)
///       u(c) *= 2;
#pragma once

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/halo/exchange.hpp>
#include <seam/exchange/steps/stamps/loop_in_place.hpp>
#include <seam/mesh/entities/mesh.hpp>
#include <seam/mesh/fields/stale_copies.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace seam {
namespace detail {

class step_field;

/// The contents of a field of any type, shared with the halos that work on it. Migration changes
/// them in place.
struct mesh_field_state {
  Mesh mesh;
  std::string name;
  int dimension;
  int num_components;
  std::int64_t component_bytes;
  detail::combiner (*combine)(reduction);
  void (*begin)(std::byte* first, std::int64_t count); ///< makes `count` values at `first`
  std::shared_ptr<std::byte> memory;                   ///< in the memory of the node
  std::type_info const* type;                          ///< of a component
  std::weak_ptr<step_field> in_steps{};                ///< as steps know it, while some use it
  std::shared_ptr<stamped_copies> copies{};            ///< in checked mode, else null

  std::int64_t row_bytes() const noexcept { return num_components * component_bytes; }
};

/// Makes `count` values T{} at `first`.
template <class T>
void begin_values(std::byte* first, std::int64_t count) {
  std::uninitialized_fill_n(reinterpret_cast<T*>(first), count, T{});
}

/// Allocates memory for a field on its mesh and sets its first values; each page is first touched
/// by the thread that will work on it.
/// @throws usage_error  there is no such dimension, or no component (on all ranks)
/// Collective: over mesh.base().
std::shared_ptr<mesh_field_state> make_field_state(mesh_field_state wanted);

/// More memory like the field's, with its first values.
/// Collective: over its mesh.
std::shared_ptr<std::byte> new_values(mesh_field_state const& field);

} // namespace detail

/// Values of T, a number or any other trivially copyable type, on the entities of one dimension of
/// a mesh: `num_components` values for each local entity, first for own entities, then for copies,
/// in the order of mesh_entities. Values of copies change only when a halo updates them (see
/// mesh_halo.hpp). A checked program ends when it reads a copy, by operator(), that is out of date: the
/// field has been exchanged, or steps have changed it, and since then own values that others have.
///
/// Storage is [num_local()][num_components()], in shared memory of the node, where halos read it.
/// Copies of a MeshField are the same field.
/// Threads: distinct entities from any thread.
template <class T>
class MeshField {
  static_assert(std::is_trivially_copyable_v<T> && std::default_initializable<T>,
                "a field's values travel as plain bytes and begin as T{}: their type has to be "
                "trivially copyable and default-constructible");

public:
  using value_type = T;
  using view_type = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace,
                                 Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  /// A field named `name`, T{} everywhere: zero, if T is a number.
  /// @param dimension  of the entities: 0 for vertices, mesh.num_dimensions() for cells
  /// @throws usage_error  the mesh has no such dimension; no component (on all ranks)
  /// Collective: over mesh.base().
  MeshField(Mesh mesh, std::string name, int dimension, int num_components = 1)
      : state_(detail::make_field_state(
            {std::move(mesh), std::move(name), dimension, num_components, std::int64_t{sizeof(T)},
             &detail::combiner_of<T>, &detail::begin_values<T>, nullptr, &typeid(T)})) {}

  Mesh const& mesh() const noexcept { return state_->mesh; }
  std::string const& name() const noexcept { return state_->name; }
  int dimension() const noexcept { return state_->dimension; }
  int num_components() const noexcept { return state_->num_components; }
  mesh_entities const& entities() const { return mesh().entities(dimension()); }

  T& operator()(local_id entity, int component = 0) const {
    std::int64_t const element = std::int64_t{entity} * num_components() + component;
#if defined(SEAM_CHECKED) && SEAM_CHECKED
    detail::check_touch(state_->name);
    detail::touch_value(*state_, element);
#endif
    return data()[element];
  }

  /// Gives every component of every entity, copies included, the same value, or function(x) of its
  /// center x, a std::array<double, 3>.
  /// Local.
  template <class Value>
  void fill(Value const& value) {
    for (local_id e = 0; e < entities().num_local(); ++e)
      for (int component = 0; component < num_components(); ++component)
        if constexpr (std::is_invocable_v<Value const&, std::array<double, 3>>)
          (*this)(e, component) = value(mesh().center(dimension(), e));
        else
          (*this)(e, component) = value;
  }

  /// For loops that read copies and write the field at once: while the object that is returned lives,
  /// copies that are up to date remain so, whatever is written. At its end they are out of date if
  /// values have changed. Without effect in builds without checks.
  /// Local.
  [[nodiscard]] detail::loop_in_place in_place() const {
    return detail::loop_in_place(state_->memory);
  }

  /// All values. [num_local() * num_components()], the components of an entity contiguous. Checked
  /// programs do not check the field's copies any more.
  std::span<T> values() const {
    detail::check_touch(state_->name);
    detail::note_pointer(*state_);
    auto const count = std::int64_t{entities().num_local()} * num_components();
    return std::span<T>(data(), count);
  }

  /// All values as a Kokkos view for kernels: view(entity, component). It does not own the memory. As
  /// values().
  view_type view() const {
    detail::check_touch(state_->name);
    detail::note_pointer(*state_);
    return view_type(data(), entities().num_local(), num_components());
  }

  std::shared_ptr<detail::mesh_field_state> const& shared() const noexcept { return state_; }

private:
  T* data() const noexcept { return reinterpret_cast<T*>(state_->memory.get()); }

  std::shared_ptr<detail::mesh_field_state> state_;
};

template <class T>
MeshField<T> Mesh::field(std::string name, mesh_part where, int num_components) const {
  return MeshField<T>(*this, std::move(name), dimension_of(where), num_components);
}

/// The ids that vertices or cells had in the input of the mesh, as a field "file_ids": their own ids
/// unless divided() has numbered them along a curve. A joined vertex has the least id of those that
/// it is. They stay when the mesh migrates; a mesh from a checkpoint or a VTKHDF file has the ids that
/// it was written with.
///
///     auto const ids = file_ids(mesh, cells);
///     write(mesh, std::tie(u, ids), "u.vtkhdf"); // sorted by them, u is in the order of the file
///
/// @param of  vertices or cells
/// @throws usage_error  edges or sides that are neither: files do not number these (on all ranks)
/// Collective: over mesh.base().
MeshField<global_id> file_ids(Mesh const& mesh, mesh_part of);

} // namespace seam

#include <seam/mesh/space/mesh_set.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>
#include <seam/mesh/space/mesh_space.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace seam {
using namespace detail;

namespace {

using marks = MeshField<std::int8_t>;

marks marks_on(Mesh const& mesh, int dimension) { return {mesh, "set", dimension}; }

/// The set of the entities that their owners have marked.
/// Collective: over the mesh.
mesh_set set_of(marks& own, std::string const& how) {
  Mesh const& mesh = own.mesh();
  make_halo(own).run();
  auto const values = own.values();
  std::int64_t const here = std::count_if(values.begin(), values.begin() + own.entities().num_owned,
                                          [](std::int8_t mark) { return mark != 0; });
  return {mesh, own.dimension(), fmt::format("{} {}", how, name_of_entities(mesh, own.dimension())),
          mpi::allreduce(mesh.base(), here, MPI_SUM),
          std::make_shared<std::vector<char> const>(values.begin(), values.end())};
}

/// @throws usage_error  nothing is in the set (on all ranks)
mesh_set with_members(mesh_set set) {
  if (set.num_global == 0)
    throw usage_error(fmt::format("mesh: a set of {}, of which there are none (expected at least "
                                  "one on some rank)",
                                  set.name),
                      true);
  return set;
}

std::string quoted(std::string_view group) { return fmt::format("'{}'", group); }

/// The sides with one cell for which is_wanted(side).
/// Collective: over the mesh.
template <class IsWanted>
mesh_set border_of(Mesh const& mesh, std::string const& how, IsWanted const& is_wanted) {
  int const d = mesh.num_dimensions();
  if (mesh.ghosts().depth < 1 && mesh.base().size() > 1)
    throw usage_error(
        "mesh: a set of sides of a mesh without ghost cells (expected a layer, by which "
        "a rank sees the cells beyond its own sides)",
        true);
  adjacency const& sides2cells = mesh.adjacent(d - 1, d);
  marks own = marks_on(mesh, d - 1);
  for (local_id side = 0; side < mesh.sides().num_owned; ++side)
    own(side) = sides2cells[side].size() == 1 && is_wanted(side) ? 1 : 0;
  return set_of(own, how);
}

/// The parts of the sides of a set; the sides themselves if they are of that dimension.
/// Collective: over the mesh.
mesh_set parts_of(mesh_set const& of_sides, int dimension, std::string const& how) {
  if (dimension == of_sides.dimension)
    return of_sides;
  Mesh const& mesh = of_sides.mesh;
  marks touched = marks_on(mesh, dimension);
  adjacency const& sides2parts = mesh.adjacent(of_sides.dimension, dimension);
  for (local_id side = 0; side < mesh.sides().num_local(); ++side)
    if (of_sides.contains(side))
      for (local_id const part : sides2parts[side])
        touched(part) = 1;
  make_reverse_halo(reduction::max, touched).run();
  return set_of(touched, how);
}

/// Checks that sides have such parts, or are it.
void check_part(Mesh const& mesh, int dimension, char const* what) {
  if (dimension >= mesh.num_dimensions())
    throw usage_error(fmt::format("mesh: {} cells (expected sides, or parts of them)", what), true);
}

/// The sets of a tag, which is called so.
mesh_set border_with(Mesh const& mesh, std::int32_t tag, std::string const& called) {
  return with_members(border_of(mesh, "border " + called,
                                [&](local_id side) { return mesh.sides().tags[side] == tag; }));
}

mesh_set tagged_with(Mesh const& mesh, int dimension, std::int32_t tag, std::string const& called) {
  marks own = marks_on(mesh, dimension);
  for (local_id e = 0; e < own.entities().num_owned; ++e)
    own(e) = own.entities().tags[e] == tag ? 1 : 0;
  return with_members(set_of(own, "tagged " + called));
}

mesh_set closure_of(Mesh const& mesh, std::int32_t tag, int dimension, std::string const& called) {
  check_part(mesh, dimension, "a closure of");
  return parts_of(border_with(mesh, tag, called), dimension,
                  fmt::format("closure of border {}:", called));
}

} // namespace

mesh_set Mesh::all(mesh_part of) const {
  int const dimension = dimension_of(of);
  return {*this, dimension, name_of_entities(*this, dimension), entities(dimension).num_global,
          nullptr};
}

mesh_set Mesh::inner(mesh_part of) const {
  int const dimension = dimension_of(of);
  check_part(*this, dimension, "inner");
  mesh_set const outer = parts_of(border(), dimension, "outer");
  marks own = marks_on(*this, dimension);
  for (local_id e = 0; e < own.entities().num_owned; ++e)
    own(e) = outer.contains(e) ? 0 : 1;
  return set_of(own, "inner");
}

mesh_set Mesh::border() const {
  return border_of(*this, "border", [](local_id) { return true; });
}
mesh_set Mesh::border(std::int32_t tag) const {
  return border_with(*this, tag, fmt::format("{}", tag));
}
mesh_set Mesh::border(std::string_view group) const {
  return border_with(*this, tag(group, mesh_part::sides), quoted(group));
}

mesh_set Mesh::tagged(mesh_part of, std::int32_t tag) const {
  return tagged_with(*this, dimension_of(of), tag, fmt::format("{}", tag));
}
mesh_set Mesh::tagged(mesh_part of, std::string_view group) const {
  return tagged_with(*this, dimension_of(of), tag(group, of), quoted(group));
}

mesh_set Mesh::closure(std::int32_t tag, mesh_part of) const {
  return closure_of(*this, tag, dimension_of(of), fmt::format("{}", tag));
}
mesh_set Mesh::closure(std::string_view group, mesh_part of) const {
  return closure_of(*this, tag(group, mesh_part::sides), dimension_of(of), quoted(group));
}

mesh_set Mesh::listed(mesh_part of, std::span<local_id const> own) const {
  marks chosen = marks_on(*this, dimension_of(of));
  collectively(base().context(), [&] {
    for (local_id const e : own) {
      if (e < 0 || e >= chosen.entities().num_owned)
        refuse(fmt::format("mesh: entity {} in a list of {} (expected own ones, 0 to {})", e,
                           name_of_entities(*this, chosen.dimension()),
                           chosen.entities().num_owned - 1));
      chosen(e) = 1;
    }
  });
  return set_of(chosen, "listed");
}

} // namespace seam

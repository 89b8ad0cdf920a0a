/// PETSc's vectors over the memory of seam's fields.
///
///     petsc_vector x = share(u);              // a MeshField, or a Field of grid.without_ghosts()
///     VecNorm(x.native(), NORM_2, &norm);     // of u itself
///     petsc_vector b(grid.base(), num_rows);  // memory of its own
///     copy(f, b);                             // the owned cells of a Field with ghosts
#pragma once

#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/fields/mesh_field.hpp>
#include <seam/stencil/field.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

struct _p_Vec; // NOLINT(bugprone-reserved-identifier): PETSc's name

namespace seam {

/// A distributed vector of doubles whose part on this rank is an array that seam has. Move-only.
/// Threads: one at a time, for all of PETSc.
class petsc_vector {
public:
  /// An array that somebody else keeps.
  struct shared_array {
    std::span<double> values;                 ///< this rank's part
    int block = 1;                            ///< values that belong together
    std::function<double const*()> place_now; ///< keeps the memory; where the owner has it by now
  };

  /// Zero, in memory of its own: `num_owned` values on this rank.
  /// @throws usage_error  a length below 0, or more values than this PETSc can count (on all ranks)
  /// Collective: over `over`. Starts PETSc if that has not been done.
  petsc_vector(mpi::comm_view over, std::int64_t num_owned);

  /// The array itself, without a copy. Throws as above. Collective: over `over`.
  petsc_vector(mpi::comm_view over, shared_array array);

  petsc_vector(petsc_vector&&) noexcept;
  petsc_vector& operator=(petsc_vector&&) noexcept;
  ~petsc_vector();

  /// For PETSc's functions; it stays owned by this object. What was written into the array before
  /// is known to PETSc from now on.
  /// @throws usage_error  the field has got other memory since (it migrated, or a loop swapped it)
  /// Local.
  _p_Vec* native() const;

  /// This rank's part. Local.
  std::span<double> values() const noexcept;

private:
  struct state;
  std::unique_ptr<state> state_;
};

/// The owned part of a field on a mesh as a vector: own entities lie in front of copies, ascending
/// by id. Copies are not touched.
/// Collective: over the mesh.
petsc_vector share(MeshField<double> const& field);

/// A field on a grid without ghosts as a vector: each rank's cells row by row.
/// @throws usage_error  the field has ghosts, between which its cells lie scattered (on all ranks)
/// Collective: over the grid.
template <int D>
petsc_vector share(Field<double, D> const& field) {
  auto const& ghosts = field.grid().ghosts();
  cell_index<D> const none{};
  if (ghosts.below != none || ghosts.above != none)
    throw usage_error("petsc: field '" + field.name() +
                          "' has ghosts between its cells (expected a field of "
                          "grid.without_ghosts(), or a copy())",
                      true);
  auto const count = static_cast<std::size_t>(field.owned().num_cells());
  auto const place_now = [state = field.shared(), kept = field.storage()] {
    return static_cast<double const*>(state->storage.data());
  };
  return {field.grid().base(), {{field.storage().data(), count}, 1, place_now}};
}

/// The owned cells of a field, row by row, into a vector of as many values, and back. Local.
template <int D>
void copy(Field<double, D> const& from, petsc_vector& to) {
  double* next = to.values().data();
  for_each_cell(from.owned(),
                [&, cells = from.view()](cell_index<D> const& at) { *next++ = cells[at]; });
}
template <int D>
void copy(petsc_vector const& from, Field<double, D>& to) {
  double const* next = from.values().data();
  for_each_cell(to.owned(),
                [&, cells = to.view()](cell_index<D> const& at) { cells[at] = *next++; });
}

} // namespace seam

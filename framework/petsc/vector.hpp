/// PETSc's vectors over the memory of seam's fields.
///
///     petsc_vector x = share(u);              // a MeshField, or a Field of grid.without_ghosts()
///     VecNorm(x.native(), NORM_2, &norm);     // the norm of u: no values are copied
///     petsc_vector b(grid.base(), num_rows);  // a vector with memory of its own
///     copy(f, b);                             // copies the owned cells of a Field with ghosts
#pragma once

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/comm.hpp>
#include <seam/mesh/fields/mesh_field.hpp>
#include <seam/stencil/fields/field.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace seam::detail {

/// Numbers of values of a distributed vector. PETSc's integers have one size in a program: 32 bits
/// in Debian's PETSc.
struct petsc_length {
  std::int64_t owned = 0, first = 0, all = 0; ///< of this rank, of the ranks below it, of all ranks
};

/// Sums up the numbers of values that the ranks own.
/// @throws usage_error  the sum exceeds the integers of this PETSc (on all ranks)
/// Collective: over `over`.
petsc_length measure_length(mpi::comm_view over, std::int64_t num_owned);

} // namespace seam::detail

struct _p_Vec; // NOLINT(bugprone-reserved-identifier): PETSc's name

namespace seam {

/// A distributed vector of doubles whose part on this rank lies in an array of seam's. Move-only.
/// Threads: one at a time, for all of PETSc.
class petsc_vector {
public:
  /// An array that another object owns.
  struct shared_array {
    std::span<double> values; ///< this rank's part
    int block = 1;            ///< PETSc's block size: values for each point

    /// Returns the array's present address; keeps `values` allocated.
    std::function<double const*()> place_now;
  };

  /// Makes a vector of zeros in memory of its own; starts PETSc if necessary.
  /// @param num_owned     number of values on this rank
  /// @throws usage_error  a length below 0, or more values than this PETSc can count (on all ranks)
  /// Collective: over `over`.
  petsc_vector(mpi::comm_view over, std::int64_t num_owned);

  /// Makes a vector over the array, without a copy; starts PETSc if necessary.
  /// @throws usage_error  more values than this PETSc can count (on all ranks)
  /// Collective: over `over`.
  petsc_vector(mpi::comm_view over, shared_array array);

  petsc_vector(petsc_vector&&) noexcept;
  petsc_vector& operator=(petsc_vector&&) noexcept;
  ~petsc_vector();

  /// Returns the vector for PETSc's functions; this object owns it. Discards what PETSc has cached
  /// of the values, so that later calls of PETSc see all that has been written into the array.
  /// @throws usage_error  the field has other memory by now (it migrated, or a loop swapped it)
  /// Local.
  _p_Vec* native() const;

  /// This rank's part.
  /// Local.
  std::span<double> values() const noexcept;

private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Makes a vector over the owned entities of a field on a mesh, ascending by id. Copies, which
/// follow them in memory, are not part of it.
/// Collective: over the mesh.
petsc_vector share(MeshField<double> const& field);

/// Makes a vector over a field on a grid without ghosts: each rank's cells row by row.
/// @throws usage_error  the field has ghosts between its cells (on all ranks)
/// Collective: over the grid.
template <int D>
petsc_vector share(Field<double, D> const& field) {
  auto const& ghosts = field.ghosts();
  cell_index<D> const none{};
  if (ghosts.below != none || ghosts.above != none)
    throw usage_error("petsc: field '" + field.name() +
                          "' has ghosts between its cells (expected a field of "
                          "grid.without_ghosts(), or a copy())",
                      true);
  auto const place_now = [state = field.shared(), kept = field.storage()] {
    return reinterpret_cast<double const*>(state->buffers.front().get());
  };
  return {field.grid().base(),
          {std::span(field.storage().data(), field.owned().num_cells()), 1, place_now}};
}

/// Copies the owned cells of a field, row by row, into a vector of as many values.
/// Local.
template <int D>
void copy(Field<double, D> const& from, petsc_vector& to) {
  double* next = to.values().data();
  for_each_cell(from.owned(), [&, cells = from.template view<detail::no_watch<double const>>()](
                                  cell_index<D> const& at) { *next++ = cells[at]; });
}

/// Copies a vector into the owned cells, row by row, of a field with as many.
/// Local.
template <int D>
void copy(petsc_vector const& from, Field<double, D>& to) {
  double const* next = from.values().data();
  for_each_cell(to.owned(), [&, cells = to.template view<detail::no_watch<double>>()](
                                cell_index<D> const& at) { cells[at] = *next++; });
  to.shared()->note_change();
}

} // namespace seam

/// Linear systems with symmetric matrices, solved by PETSc.
///
///     linear_solver const solve(mesh.base(), system.matrix);
///     solve_report const done = solve(b, x);        // x is where it begins, too
#pragma once

#include <seam/framework/petsc/vector.hpp>
#include <seam/framework/solve/matrix_rows.hpp>

#include <memory>
#include <string>

namespace seam {

/// How to solve. PETSC_OPTIONS has the last word (-ksp_type minres, -ksp_monitor, ...).
struct solver_options {
  std::string method = "cg";           ///< a KSPType
  std::string preconditioner = "gamg"; ///< a PCType
  double tolerance = 1e-10;            ///< of |b - A x| / |b|
  int max_iterations = 1000;
};

struct solve_report {
  int num_iterations = 0;
  double residual = 0; ///< |b - A x|
};

/// A matrix in PETSc with all that is computed of it once. Move-only.
/// Threads: one at a time, for all of PETSc.
class linear_solver {
public:
  /// The matrix of all ranks' rows. One that maps constants to 0, as that of diffusion does where
  /// no value is given anywhere, is known as singular.
  /// @throws usage_error  a column is none; options differ between ranks, or make no sense; no
  ///         unknowns (on all ranks)
  /// @throws petsc_error  PETSc knows no such method
  /// Collective: over `over`. Starts PETSc if that has not been done.
  linear_solver(mpi::comm_view over, matrix_rows const& rows, solver_options const& options = {});

  linear_solver(linear_solver&&) noexcept;
  linear_solver& operator=(linear_solver&&) noexcept;
  ~linear_solver();

  /// Whether constants are mapped to 0. Then x is found up to a constant: the sum of its values
  /// stays what it was.
  bool is_singular() const noexcept;

  /// Solves A x = b, beginning with what x holds.
  /// @param b, x  [num_rows() of each rank]
  /// @throws usage_error  the lengths differ; it does not converge; the matrix is singular and the
  ///         sum of b is not 0, so that there is no solution (on all ranks)
  /// Collective: over the processes of the matrix.
  solve_report operator()(petsc_vector const& b, petsc_vector& x) const;

private:
  struct state;
  std::unique_ptr<state> state_;
};

} // namespace seam

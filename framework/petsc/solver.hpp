/// Linear systems with symmetric matrices, solved by PETSc.
///
///     linear_solver const solve(mesh.base(), system.matrix);
///     solve_report const done = solve(b, x);        // x: the initial guess, then the solution
#pragma once

#include <seam/framework/petsc/vector.hpp>
#include <seam/framework/solve/matrix_rows.hpp>

#include <memory>
#include <string>

namespace seam {

/// Method and accuracy. PETSC_OPTIONS overrides them (-ksp_type minres, -ksp_monitor, ...).
struct solver_options {
  std::string method = "cg";           ///< a KSPType
  std::string preconditioner = "gamg"; ///< a PCType
  double tolerance = 1e-10;            ///< bound of |b - A x| / |b|
  int max_iterations = 1000;
};

struct solve_report {
  int num_iterations = 0;
  double residual = 0; ///< |b - A x|
};

/// A matrix of PETSc with its preconditioner, which is set up once. Move-only.
/// Threads: one at a time, for all of PETSc.
class linear_solver {
public:
  /// Assembles the matrix from all ranks' rows and sets up the solver; starts PETSc if necessary.
  /// A matrix that maps constants to 0, as that of diffusion does where no value is given anywhere,
  /// is treated as singular.
  /// @throws usage_error  a column is out of range; options differ between ranks or are not
  ///         positive; no unknowns (on all ranks)
  /// @throws petsc_error  PETSc knows no such method
  /// Collective: over `over`.
  linear_solver(mpi::comm_view over, matrix_rows const& rows, solver_options const& options = {});

  linear_solver(linear_solver&&) noexcept;
  linear_solver& operator=(linear_solver&&) noexcept;
  ~linear_solver();

  /// True if the matrix maps constants to 0. Then x is determined up to a constant: a solve keeps
  /// the sum of its values.
  bool is_singular() const noexcept;

  /// Solves A x = b with x as the initial guess.
  /// @param b, x  [num_rows() of each rank]
  /// @throws usage_error  the lengths differ; the method does not converge; the matrix is singular
  ///         and the sum of b is not 0, so that there is no solution (on all ranks)
  /// Collective: over the processes of the matrix.
  solve_report operator()(petsc_vector const& b, petsc_vector& x) const;

private:
  struct state;
  std::unique_ptr<state> state_;
};

} // namespace seam

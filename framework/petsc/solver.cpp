#include <seam/framework/petsc/solver.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/petsc/petsc.hpp>
#include <seam/framework/petsc/vector.hpp>

#include <petscksp.h>

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace seam {

struct linear_solver::state {
  state() = default;
  state(state const&) = delete;
  state& operator=(state const&) = delete;
  ~state() {
    if (mpi::is_running()) {
      KSPDestroy(&solver);
      MatDestroy(&matrix);
    }
  }

  MPI_Comm over = MPI_COMM_NULL; ///< PETSc's own
  detail::petsc_length length;
  Mat matrix = nullptr;
  KSP solver = nullptr;
  bool is_singular = false;
};

namespace {

void check(matrix_rows const& rows, solver_options const& options, std::int64_t num_all) {
  if (num_all < 1)
    refuse("solver: no unknowns (expected at least one)");
  for (std::int64_t const column : rows.columns)
    if (column < 0 || column >= num_all)
      refuse(fmt::format("solver: column {} (expected 0 to {})", column, num_all - 1));
  if (!(options.tolerance > 0) || options.max_iterations < 1)
    refuse(fmt::format("solver: tolerance {} and at most {} iterations (expected more than 0)",
                       options.tolerance, options.max_iterations));
}

/// True on all ranks if every row sums up to 0 but for rounding errors.
/// Collective: over `over`.
bool maps_constants_to_zero(mpi::comm_view over, matrix_rows const& rows) {
  bool is_zero = true;
  for (std::int64_t row = 0; row < rows.num_rows(); ++row) {
    double sum = 0, size = 0;
    for (auto k = rows.rows2entries[row]; k < rows.rows2entries[row + 1]; ++k) {
      sum += rows.values[k];
      size += std::abs(rows.values[k]);
    }
    is_zero = is_zero && std::abs(sum) <= 1e-13 * size;
  }
  return largest_of_all(over, is_zero ? 0 : 1) == 0;
}

/// Numbers of a row's entries in this rank's columns and in those of other ranks.
struct row_lengths {
  std::vector<PetscInt> near, far; ///< [num_rows()]
};

row_lengths count_entries(matrix_rows const& rows, detail::petsc_length const& length) {
  row_lengths counts;
  for (std::int64_t row = 0; row < rows.num_rows(); ++row) {
    PetscInt near = 0;
    for (auto k = rows.rows2entries[row]; k < rows.rows2entries[row + 1]; ++k) {
      auto const place = rows.columns[k] - length.first;
      near += place >= 0 && place < length.owned ? 1 : 0;
    }
    counts.near.push_back(near);
    counts.far.push_back(
        static_cast<PetscInt>(rows.rows2entries[row + 1] - rows.rows2entries[row]) - near);
  }
  return counts;
}

void fill(Mat matrix, matrix_rows const& rows, std::int64_t first) {
  std::vector<PetscInt> columns;
  for (std::int64_t row = 0; row < rows.num_rows(); ++row) {
    auto const begin = rows.columns.begin() + rows.rows2entries[row],
               end = rows.columns.begin() + rows.rows2entries[row + 1];
    columns.assign(begin, end);
    auto const number = static_cast<PetscInt>(first + row);
    check_petsc(MatSetValues(matrix, 1, &number, static_cast<PetscInt>(columns.size()),
                             columns.data(), rows.values.data() + rows.rows2entries[row],
                             ADD_VALUES),
                "MatSetValues");
  }
  check_petsc(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY), "MatAssemblyBegin");
  check_petsc(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY), "MatAssemblyEnd");
}

/// Creates the matrix. The caller destroys it, also after an error.
void make_matrix(mpi::comm_view over, matrix_rows const& rows, detail::petsc_length const& length,
                 Mat& matrix) {
  auto const counts = count_entries(rows, length);
  auto const own = static_cast<PetscInt>(length.owned), all = static_cast<PetscInt>(length.all);
  check_petsc(MatCreateAIJ(over.native(), own, own, all, all, 0, counts.near.data(), 0,
                           counts.far.data(), &matrix),
              "MatCreateAIJ");
  check_petsc(MatSetOption(matrix, MAT_SYMMETRIC, PETSC_TRUE), "MatSetOption");
  fill(matrix, rows, length.first);
}

/// Tells PETSc that the matrix maps constants to 0, and that each b that it reaches has the sum 0.
void set_singular(mpi::comm_view over, Mat matrix) {
  MatNullSpace constants = nullptr;
  check_petsc(MatNullSpaceCreate(over.native(), PETSC_TRUE, 0, nullptr, &constants),
              "MatNullSpaceCreate");
  check_petsc(MatSetNullSpace(matrix, constants), "MatSetNullSpace");
  check_petsc(MatSetTransposeNullSpace(matrix, constants), "MatSetTransposeNullSpace");
  check_petsc(MatNullSpaceDestroy(&constants), "MatNullSpaceDestroy");
}

void make_solver(mpi::comm_view over, Mat matrix, solver_options const& options, KSP& solver) {
  PC preconditioner = nullptr;
  check_petsc(KSPCreate(over.native(), &solver), "KSPCreate");
  check_petsc(KSPSetOperators(solver, matrix, matrix), "KSPSetOperators");
  check_petsc(KSPSetType(solver, options.method.c_str()), "KSPSetType");
  check_petsc(KSPGetPC(solver, &preconditioner), "KSPGetPC");
  check_petsc(PCSetType(preconditioner, options.preconditioner.c_str()), "PCSetType");
  check_petsc(KSPSetNormType(solver, KSP_NORM_UNPRECONDITIONED), "KSPSetNormType");
  check_petsc(KSPSetTolerances(solver, options.tolerance, PETSC_DEFAULT, PETSC_DEFAULT,
                               options.max_iterations),
              "KSPSetTolerances");
  check_petsc(KSPSetInitialGuessNonzero(solver, PETSC_TRUE), "KSPSetInitialGuessNonzero");
  check_petsc(KSPSetFromOptions(solver), "KSPSetFromOptions");
  check_petsc(KSPSetUp(solver), "KSPSetUp");
}

void check_lengths(petsc_vector const& b, petsc_vector const& x, std::int64_t num_rows) {
  if (std::ssize(b.values()) != num_rows || std::ssize(x.values()) != num_rows)
    refuse(fmt::format("solver: {} right-hand sides and {} unknowns (expected {} as the matrix has "
                       "rows)",
                       b.values().size(), x.values().size(), num_rows));
}

/// The sum of all ranks' values and that of their magnitudes.
/// Collective: over `over`.
std::array<double, 2> sum_up(mpi::comm_view over, std::span<double const> values) {
  std::array<double, 2> sums{};
  for (double const value : values) {
    sums[0] += value;
    sums[1] += std::abs(value);
  }
  mpi::allreduce(over, std::span<double>(sums), MPI_SUM);
  return sums;
}

void check_solvable(mpi::comm_view over, petsc_vector const& b) {
  auto const [sum, size] = sum_up(over, b.values());
  if (!(std::abs(sum) <= 1e-9 * size))
    throw usage_error(
        fmt::format("solver: the matrix maps constants to 0 and the right-hand side "
                    "has the sum {} (expected 0: without a given value anywhere, what "
                    "flows in must flow out)",
                    sum),
        true);
}

void add_to_all(petsc_vector& x, double shift) {
  for (double& value : x.values())
    value += shift;
}

} // namespace

linear_solver::linear_solver(mpi::comm_view over, matrix_rows const& rows,
                             solver_options const& options)
    : state_(std::make_unique<state>()) {
  start_petsc(over);
  require_same(over, "solver: options",
               fmt::format("{} {} {} {}", options.method, options.preconditioner, options.tolerance,
                           options.max_iterations));
  state_->length = detail::measure_length(over, rows.num_rows());
  collectively(over, [&] { check(rows, options, state_->length.all); });
  make_matrix(over, rows, state_->length, state_->matrix);
  check_petsc(PetscObjectGetComm(reinterpret_cast<PetscObject>(state_->matrix), &state_->over),
              "PetscObjectGetComm");
  state_->is_singular = maps_constants_to_zero(over, rows);
  if (state_->is_singular)
    set_singular(over, state_->matrix);
  make_solver(over, state_->matrix, options, state_->solver);
}

linear_solver::linear_solver(linear_solver&&) noexcept = default;
linear_solver& linear_solver::operator=(linear_solver&&) noexcept = default;
linear_solver::~linear_solver() = default;

bool linear_solver::is_singular() const noexcept { return state_->is_singular; }

solve_report linear_solver::operator()(petsc_vector const& b, petsc_vector& x) const {
  collectively(state_->over, [&] { check_lengths(b, x, state_->length.owned); });
  double sum_before = 0;
  if (is_singular()) {
    check_solvable(state_->over, b);
    sum_before = sum_up(state_->over, x.values())[0];
  }
  check_petsc(KSPSolve(state_->solver, b.native(), x.native()), "KSPSolve");
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  PetscInt iterations = 0;
  solve_report report;
  check_petsc(KSPGetConvergedReason(state_->solver, &reason), "KSPGetConvergedReason");
  check_petsc(KSPGetIterationNumber(state_->solver, &iterations), "KSPGetIterationNumber");
  check_petsc(KSPGetResidualNorm(state_->solver, &report.residual), "KSPGetResidualNorm");
  report.num_iterations = static_cast<int>(iterations);
  if (reason < 0)
    throw usage_error(fmt::format("solver: no solution after {} iterations, residual {}: {}",
                                  report.num_iterations, report.residual,
                                  KSPConvergedReasons[reason]),
                      true);
  if (is_singular())
    add_to_all(x, (sum_before - sum_up(state_->over, x.values())[0]) /
                      static_cast<double>(state_->length.all));
  return report;
}

} // namespace seam

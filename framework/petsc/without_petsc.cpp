// Functions that refuse to work, for a seam that was built without PETSc.
#include <seam/framework/petsc/petsc.hpp>
#include <seam/framework/petsc/solver.hpp>
#include <seam/framework/petsc/vector.hpp>

namespace seam {
namespace {

[[noreturn]] void refuse_petsc() {
  throw usage_error("petsc: seam was built without it (expected PETSc, which pkg-config knows as "
                    "PETSc, when seam is configured; Debian: libpetsc-real-dev)",
                    true);
}

} // namespace

bool has_petsc() noexcept { return false; }
void start_petsc(mpi::comm_view) { refuse_petsc(); }
void check_petsc(int, char const*) { refuse_petsc(); }

struct petsc_vector::state {};
petsc_vector::petsc_vector(mpi::comm_view, std::int64_t) { refuse_petsc(); }
petsc_vector::petsc_vector(mpi::comm_view, shared_array) { refuse_petsc(); }
petsc_vector::petsc_vector(petsc_vector&&) noexcept = default;
petsc_vector& petsc_vector::operator=(petsc_vector&&) noexcept = default;
petsc_vector::~petsc_vector() = default;
_p_Vec* petsc_vector::native() const { refuse_petsc(); }
std::span<double> petsc_vector::values() const noexcept { return {}; }
petsc_vector share(MeshField<double> const&) { refuse_petsc(); }

struct linear_solver::state {};
linear_solver::linear_solver(mpi::comm_view, matrix_rows const&, solver_options const&) {
  refuse_petsc();
}
linear_solver::linear_solver(linear_solver&&) noexcept = default;
linear_solver& linear_solver::operator=(linear_solver&&) noexcept = default;
linear_solver::~linear_solver() = default;
bool linear_solver::is_singular() const noexcept { return false; }
solve_report linear_solver::operator()(petsc_vector const&, petsc_vector&) const { refuse_petsc(); }

} // namespace seam

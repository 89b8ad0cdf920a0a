// Implicit steps by PETSc: (volumes + step * conductances) new = volumes * old.
#include "implicit_steps.hpp"

#include <petsc/session.hpp>
#include <seam/exchange/error.hpp>
#include <seam/mesh/mesh_halo.hpp>

#include <petscksp.h>

#include <fmt/format.h>

namespace diffuse {
namespace {

using petsc::check;
using seam::local_id;

/// PETSc's number of each local cell: those of a rank follow each other. Collective.
std::vector<PetscInt> petsc_numbers(seam::Mesh const& mesh) {
  std::int64_t const own = mesh.cells().num_owned;
  std::int64_t through = 0;
  MPI_Scan(&own, &through, 1, MPI_INT64_T, MPI_SUM, mesh.base().context().native());
  seam::MeshField<std::int64_t> numbers(mesh, "number", mesh.num_dimensions());
  for (local_id c = 0; c < own; ++c)
    numbers(c) = through - own + c;
  seam::make_halo(numbers).run();
  return {numbers.values().begin(), numbers.values().end()};
}

class petsc_steps final : public implicit_steps {
public:
  petsc_steps(finite_volumes const& volumes, seam::MeshField<double> const& u, double length)
      : volumes_(volumes), u_(u), own_(u.entities().num_owned) {
    petsc::start();
    MPI_Comm const comm = u.mesh().base().view().native();
    check(VecCreateMPIWithArray(comm, 1, own_, PETSC_DECIDE, u.values().data(), &values_),
          "VecCreateMPIWithArray");
    check(VecDuplicate(values_, &heat_), "VecDuplicate");
    assemble(comm, petsc_numbers(u.mesh()), length);
    check(KSPCreate(comm, &solver_), "KSPCreate");
    check(KSPSetOperators(solver_, matrix_, matrix_), "KSPSetOperators");
    check(KSPSetType(solver_, KSPCG), "KSPSetType");
    check(KSPSetInitialGuessNonzero(solver_, PETSC_TRUE), "KSPSetInitialGuessNonzero");
    constexpr double tolerance = 1e-14;
    check(KSPSetTolerances(solver_, tolerance, PETSC_DEFAULT, PETSC_DEFAULT, 1000),
          "KSPSetTolerances");
    PC preconditioner = nullptr;
    check(KSPGetPC(solver_, &preconditioner), "KSPGetPC");
    check(PCSetType(preconditioner, PCGAMG), "PCSetType");
  }
  petsc_steps(petsc_steps const&) = delete;
  petsc_steps& operator=(petsc_steps const&) = delete;
  ~petsc_steps() override {
    KSPDestroy(&solver_);
    MatDestroy(&matrix_);
    VecDestroy(&heat_);
    VecDestroy(&values_);
  }

  std::int64_t go(std::int64_t count) override {
    std::int64_t iterations = 0;
    for (; count > 0; --count)
      iterations += step();
    return iterations;
  }

private:
  void assemble(MPI_Comm comm, std::vector<PetscInt> const& numbers, double length) {
    std::vector<PetscInt> inside(std::size_t(own_), 1), outside(std::size_t(own_), 0);
    for (local_id c = 0; c < own_; ++c)
      for (local_id const other : volumes_.cells2neighbors[c])
        ++(other < own_ ? inside : outside)[std::size_t(c)];
    check(MatCreateAIJ(comm, own_, own_, PETSC_DETERMINE, PETSC_DETERMINE, 0, inside.data(), 0,
                       outside.data(), &matrix_),
          "MatCreateAIJ");
    for (local_id c = 0; c < own_; ++c)
      set_row(c, numbers, length);
    check(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY), "MatAssemblyBegin");
    check(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY), "MatAssemblyEnd");
    check(MatSetOption(matrix_, MAT_SPD, PETSC_TRUE), "MatSetOption");
  }

  void set_row(local_id cell, std::vector<PetscInt> const& numbers, double length) {
    auto const c = static_cast<std::size_t>(cell);
    std::vector<PetscInt> columns{numbers[c]};
    std::vector<PetscScalar> values{volumes_.volumes[c]};
    auto k = static_cast<std::size_t>(volumes_.cells2neighbors.a2ab[c]);
    for (local_id const other : volumes_.cells2neighbors[cell]) {
      double const flows = length * volumes_.conductances[k++];
      columns.push_back(numbers[std::size_t(other)]);
      values.push_back(-flows);
      values.front() += flows;
    }
    check(MatSetValues(matrix_, 1, &numbers[c], static_cast<PetscInt>(columns.size()),
                       columns.data(), values.data(), ADD_VALUES),
          "MatSetValues");
  }

  PetscInt step() {
    PetscScalar* heat = nullptr;
    check(VecGetArray(heat_, &heat), "VecGetArray");
    for (local_id c = 0; c < own_; ++c)
      heat[c] = volumes_.volumes[std::size_t(c)] * u_(c);
    check(VecRestoreArray(heat_, &heat), "VecRestoreArray");
    check(KSPSolve(solver_, heat_, values_), "KSPSolve");
    KSPConvergedReason reason{};
    check(KSPGetConvergedReason(solver_, &reason), "KSPGetConvergedReason");
    if (reason < 0)
      throw seam::usage_error(
          fmt::format("diffuse: PETSc's KSPCG does not converge (reason {})", int(reason)), true);
    PetscInt iterations = 0;
    check(KSPGetIterationNumber(solver_, &iterations), "KSPGetIterationNumber");
    return iterations;
  }

  finite_volumes const& volumes_;
  seam::MeshField<double> u_;
  local_id own_;
  Vec values_ = nullptr, heat_ = nullptr;
  Mat matrix_ = nullptr;
  KSP solver_ = nullptr;
};

} // namespace

std::unique_ptr<implicit_steps> make_implicit_steps(
    finite_volumes const& volumes, seam::MeshField<double> const& u, double length) {
  return std::make_unique<petsc_steps>(volumes, u, length);
}

} // namespace diffuse

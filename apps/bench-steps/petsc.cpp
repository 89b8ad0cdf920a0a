// Heat conduction by PETSc's DMDA, in the way of its manual: ghosts come into a local vector, and a loop
// over its arrays writes the next global one.
#include "problem.hpp"

#include <seam/petsc.hpp>

#include <petscdmda.h>

namespace steps_bench {
namespace {

using seam::check_petsc;

class by_distributed_array final : public contender {
public:
  explicit by_distributed_array(seam::Grid<3> const& grid) {
    seam::start_petsc(grid.base().context());
    auto const count = [&](int a) { return static_cast<PetscInt>(grid.cells()[a]); };
    auto const beyond = DM_BOUNDARY_GHOSTED; // zeros
    check_petsc(DMDACreate3d(grid.base().context().native(), beyond, beyond, beyond,
                             DMDA_STENCIL_STAR, count(2), count(1), count(0), grid.processes()[2],
                             grid.processes()[1], grid.processes()[0], 1, 1, nullptr, nullptr,
                             nullptr, &grid_),
                "DMDACreate3d");
    check_petsc(DMSetUp(grid_), "DMSetUp");
    check_petsc(DMCreateGlobalVector(grid_, &now_), "DMCreateGlobalVector");
    check_petsc(DMCreateGlobalVector(grid_, &next_), "DMCreateGlobalVector");
    check_petsc(DMCreateLocalVector(grid_, &with_ghosts_), "DMCreateLocalVector");
    check_petsc(DMDAGetCorners(grid_, &first_[2], &first_[1], &first_[0], &extent_[2], &extent_[1],
                               &extent_[0]),
                "DMDAGetCorners");
    visit(now_, [](PetscInt k, PetscInt j, PetscInt i, double& cell) {
      cell = first_value<3>({k + 0.5, j + 0.5, i + 0.5});
    });
  }
  ~by_distributed_array() override {
    VecDestroy(&with_ghosts_);
    VecDestroy(&next_);
    VecDestroy(&now_);
    DMDestroy(&grid_);
  }

  void run(std::int64_t steps) override {
    for (; steps > 0; --steps) {
      check_petsc(DMGlobalToLocalBegin(grid_, now_, INSERT_VALUES, with_ghosts_),
                  "DMGlobalToLocalBegin");
      check_petsc(DMGlobalToLocalEnd(grid_, now_, INSERT_VALUES, with_ghosts_),
                  "DMGlobalToLocalEnd");
      double ***u, ***out;
      check_petsc(DMDAVecGetArrayRead(grid_, with_ghosts_, &u), "DMDAVecGetArrayRead");
      check_petsc(DMDAVecGetArray(grid_, next_, &out), "DMDAVecGetArray");
      compute(u, out);
      check_petsc(DMDAVecRestoreArray(grid_, next_, &out), "DMDAVecRestoreArray");
      check_petsc(DMDAVecRestoreArrayRead(grid_, with_ghosts_, &u), "DMDAVecRestoreArrayRead");
      std::swap(now_, next_);
    }
  }

  std::vector<double> values() const override {
    std::vector<double> all;
    visit(now_, [&](PetscInt, PetscInt, PetscInt, double const& cell) { all.push_back(cell); });
    return all;
  }

private:
  void compute(double*** u, double*** out) const {
    for (PetscInt k = first_[0]; k < first_[0] + extent_[0]; ++k)
      for (PetscInt j = first_[1]; j < first_[1] + extent_[1]; ++j)
        for (PetscInt i = first_[2]; i < first_[2] + extent_[2]; ++i)
          out[k][j][i] =
              u[k][j][i] +
              heat_rate * (u[k + 1][j][i] + u[k - 1][j][i] + u[k][j + 1][i] + u[k][j - 1][i] +
                           u[k][j][i + 1] + u[k][j][i - 1] - 6 * u[k][j][i]);
  }

  template <class Visit>
  void visit(Vec values, Visit const& each) const {
    double*** cells;
    check_petsc(DMDAVecGetArray(grid_, values, &cells), "DMDAVecGetArray");
    for (PetscInt k = first_[0]; k < first_[0] + extent_[0]; ++k)
      for (PetscInt j = first_[1]; j < first_[1] + extent_[1]; ++j)
        for (PetscInt i = first_[2]; i < first_[2] + extent_[2]; ++i)
          each(k, j, i, cells[k][j][i]);
    check_petsc(DMDAVecRestoreArray(grid_, values, &cells), "DMDAVecRestoreArray");
  }

  DM grid_ = nullptr;
  Vec now_ = nullptr, next_ = nullptr, with_ghosts_ = nullptr;
  std::array<PetscInt, 3> first_{}, extent_{};
};

} // namespace

std::unique_ptr<contender> heat_by_petsc(seam::Communicator const& over, extents const& cells) {
  return std::make_unique<by_distributed_array>(grid_of<3>(over, cells, false));
}

} // namespace steps_bench

// PETSc's DMDA: DMLocalToLocal on the memory of the block.
#include "block.hpp"

#include <seam/petsc.hpp>

#include <petscdmda.h>

namespace halo_bench {
namespace {

using seam::check_petsc;

class petsc final : public way {
public:
  explicit petsc(block const& of) {
    seam::start_petsc(of.comm);
    auto const shape = of.which == neighbors::moore ? DMDA_STENCIL_BOX : DMDA_STENCIL_STAR;
    auto const edge = static_cast<PetscInt>(of.n);
    auto const periodic = DM_BOUNDARY_PERIODIC;
    check_petsc(DMDACreate3d(of.comm, periodic, periodic, periodic, shape, edge * of.processes[2],
                             edge * of.processes[1], edge * of.processes[0], of.processes[2],
                             of.processes[1], of.processes[0], 1, 1, nullptr, nullptr, nullptr,
                             &grid_),
                "DMDACreate3d");
    check_petsc(DMSetUp(grid_), "DMSetUp");
    check_petsc(DMCreateLocalVector(grid_, &values_), "DMCreateLocalVector");
    check_petsc(VecPlaceArray(values_, of.data), "VecPlaceArray");
  }
  ~petsc() override {
    VecResetArray(values_);
    VecDestroy(&values_);
    DMDestroy(&grid_);
  }

  void exchange() override {
    check_petsc(DMLocalToLocalBegin(grid_, values_, INSERT_VALUES, values_), "DMLocalToLocalBegin");
    check_petsc(DMLocalToLocalEnd(grid_, values_, INSERT_VALUES, values_), "DMLocalToLocalEnd");
  }

private:
  DM grid_ = nullptr;
  Vec values_ = nullptr;
};

} // namespace

std::vector<rival> rivals_of_petsc() { return {rival::by<petsc>("petsc dmlocaltolocal")}; }

} // namespace halo_bench

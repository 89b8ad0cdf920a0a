// PETSc's DMDA: DMLocalToLocal on the block's own memory.
#include "block.hpp"

#include <seam/exchange/error.hpp>

#include <petscdmda.h>

#include <fmt/format.h>

namespace halo_bench {
namespace {

void check(PetscErrorCode code, char const* call) {
  if (code != 0)
    throw seam::error(fmt::format("{} failed with PETSc's error {}", call, code));
}

/// PETSc, started for the first block and ended with the program's last communicator.
void start_petsc() {
  PetscBool running = PETSC_FALSE;
  check(PetscInitialized(&running), "PetscInitialized");
  if (running)
    return;
  check(PetscOptionsSetValue(nullptr, "-no_signal_handler", "true"), "PetscOptionsSetValue");
  check(PetscInitializeNoArguments(), "PetscInitializeNoArguments");
  auto const end = [](MPI_Comm, int, void*, void*) -> int { return PetscFinalize(); };
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
}

class petsc final : public way {
public:
  explicit petsc(block const& of) {
    start_petsc();
    auto const shape = of.which == neighbors::moore ? DMDA_STENCIL_BOX : DMDA_STENCIL_STAR;
    auto const edge = static_cast<PetscInt>(of.n);
    auto const periodic = DM_BOUNDARY_PERIODIC;
    check(DMDACreate3d(of.comm, periodic, periodic, periodic, shape, edge * of.processes[2],
                       edge * of.processes[1], edge * of.processes[0], of.processes[2],
                       of.processes[1], of.processes[0], 1, 1, nullptr, nullptr, nullptr, &grid_),
          "DMDACreate3d");
    check(DMSetUp(grid_), "DMSetUp");
    check(DMCreateLocalVector(grid_, &values_), "DMCreateLocalVector");
    check(VecPlaceArray(values_, of.data), "VecPlaceArray");
  }
  ~petsc() override {
    VecResetArray(values_);
    VecDestroy(&values_);
    DMDestroy(&grid_);
  }

  void exchange() override {
    check(DMLocalToLocalBegin(grid_, values_, INSERT_VALUES, values_), "DMLocalToLocalBegin");
    check(DMLocalToLocalEnd(grid_, values_, INSERT_VALUES, values_), "DMLocalToLocalEnd");
  }

private:
  DM grid_ = nullptr;
  Vec values_ = nullptr;
};

} // namespace

std::unique_ptr<way> make_petsc(block const& of) { return std::make_unique<petsc>(of); }

} // namespace halo_bench

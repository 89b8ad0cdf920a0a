// In builds without PETSc.
#include "problem.hpp"

namespace steps_bench {

std::unique_ptr<contender> heat_by_petsc(seam::Communicator const&, extents const&) {
  return nullptr;
}

} // namespace steps_bench

// In builds without PETSc.
#include "problem.hpp"

namespace steps_bench {

std::unique_ptr<contender> heat_by_petsc(seam::Runtime&, std::int64_t) { return nullptr; }

} // namespace steps_bench

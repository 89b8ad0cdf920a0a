// In place of persistent_rivals.cpp where the MPI library has no persistent collectives.
#include "problem.hpp"

namespace collective_bench {

seam::variant persistent_neighbor_collective(problem&) {
  return {"mpix persistent", {}, seam::role::rival};
}

} // namespace collective_bench

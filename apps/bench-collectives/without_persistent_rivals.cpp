// Replaces persistent_rivals.cpp if the MPI library has no persistent collectives.
#include "rivals.hpp"

namespace collective_bench {

std::vector<rival> persistent_rivals() { return {}; }

} // namespace collective_bench

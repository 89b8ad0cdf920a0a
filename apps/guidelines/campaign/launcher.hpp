/// The program that starts processes of the MPI library with which this program is built. A system may
/// have several libraries, each with an mpiexec of its own.
#pragma once

#include <string>

namespace guidelines {

/// The first of its names that this machine has: "mpiexec.openmpi", "mpiexec.mpich", "mpiexec.hydra";
/// "mpiexec" if it has none of them. Local.
std::string launcher_of_library();

} // namespace guidelines

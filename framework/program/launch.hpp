/// launch: what a process knows of its job before MPI starts, by the environment and the command line of
/// its launcher, mpiexec or srun.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace seam::detail {

/// The rank that this process will have, if all processes of its job are known to have main's
/// arguments as this one has them; nothing if some may have others.
///
/// Of several processes that is known with Open MPI, whose environment has the job's command line, and
/// with MPICH if all are on one node, unless the job has several command lines or a script between has
/// changed it. A process that no launcher has started has rank 0.
///
/// Otherwise nothing is known, and MPI has to start: launchers wait without end for a process that ends
/// before MPI while others start it.
/// Local.
std::optional<int> rank_in_uniform_job(int argc, char const* const* argv);

/// True if `launcher`, the command line of Hydra's mpiexec, starts all its processes with the words of
/// `command`, whose first one is the program. False if it has an option that is not known here.
/// Local.
bool hydra_starts_only(std::vector<std::string> const& command,
                       std::vector<std::string> const& launcher);

/// The number of the process of the launcher that has started this process, or of the launcher of that:
/// MPICH's starts a proxy on each node. Empty if a program of another kind has started this one.
/// Local.
std::string topmost_launcher();

/// The words with which a process has been started, its program first; none if that is not known.
/// Local.
std::vector<std::string> command_line_of(std::string const& process);

} // namespace seam::detail

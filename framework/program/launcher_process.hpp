/// The launcher's process: mpiexec, or its proxy on this node, as /proc shows it to the processes that it
/// has started.
#pragma once

#include <string>
#include <vector>

namespace seam::detail {

/// The number of the process of the launcher that has started this process, or of the launcher of that:
/// MPICH's starts a proxy on each node. Empty if a program of another kind has started this one.
/// Local.
std::string topmost_launcher();

/// The words with which a process has been started, its program first; none if that is not known.
/// Local.
std::vector<std::string> command_line_of(std::string const& process);

} // namespace seam::detail

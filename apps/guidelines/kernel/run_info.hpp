/// The head of a result file: the machine, the library, the build and the settings of a run.
#pragma once

#include <seam/runtime.hpp>

#include <string>
#include <utility>
#include <vector>

namespace guidelines {

/// Entries of the head: machine, processes, hosts, library, build, settings, begun.
/// @return  on rank 0; nothing on others
/// Collective: over all processes.
std::vector<std::pair<std::string, std::string>> describe_run(seam::Runtime const& runtime);

} // namespace guidelines

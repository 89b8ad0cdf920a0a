/// Commands that the shell runs.
#pragma once

#include <optional>
#include <string>

namespace guidelines {

/// Runs a command to its end, or ends it after some seconds: by SIGTERM, on which launchers end
/// their processes, and by SIGKILL ten seconds later.
/// @return  its exit code; nothing if it was ended
/// @throws usage_error  no process can be made
std::optional<int> run_in_shell(std::string const& command, double seconds);

} // namespace guidelines

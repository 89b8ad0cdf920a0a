/// The command line: what every program can be told about seam itself, and how all ranks agree on
/// what it says.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <optional>

namespace CLI {
class App;
}

namespace seam::detail {

/// Gives `cli` main's name, --version, and what every program can be told about seam unless it has
/// such options of its own; then reads main's arguments with it.
///
/// If they end the program on any rank, because help is asked for or something is wrong, the lowest
/// such rank says why.
/// @return  nothing if the program goes on, else the exit code, the same on all ranks
/// Collective: over `over`, all ranks of the program.
std::optional<int> read_command_line(CLI::App& cli, int argc, char** argv, mpi::comm_view over);

} // namespace seam::detail

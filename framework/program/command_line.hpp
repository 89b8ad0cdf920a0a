/// The command line: the options of seam that every program takes, and the agreement of all ranks
/// on the exit code.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <optional>

namespace CLI {
class App;
}

namespace seam::detail {

/// Reads main's arguments with `cli`, to which it first adds main's name, --version and the options
/// of seam, unless `cli` has them.
///
/// If the arguments end the program on any rank, by --help or by an error, the lowest such rank
/// prints the reason.
/// @return  nothing if the program goes on, else the exit code, the same on all ranks
/// Collective: over `over`, all ranks of the program.
std::optional<int> read_command_line(CLI::App& cli, int argc, char** argv, mpi::comm_view over);

/// Reads main's arguments in a process that does not start MPI, without the options of seam.
/// @return  as read_command_line()
/// Local.
std::optional<int> read_command_line_alone(CLI::App& cli, int argc, char** argv);

} // namespace seam::detail

/// usage_line: the command line of a program without options of its own.
#pragma once

#include <seam/framework/program/command_line.hpp>
#include <seam/framework/program/runtime.hpp>

#include <CLI/CLI.hpp>

#include <string>

namespace seam::detail {

/// Reads main's arguments, including at most one of the program's own, and ends the program for
/// --help or an error.
class usage_line {
public:
  /// Ends the program before MPI starts, if it can.
  /// Local.
  usage_line(program_usage const& usage, int argc, char** argv);
  usage_line(usage_line const&) = delete;
  usage_line& operator=(usage_line const&) = delete;

  /// Ends the program, and MPI, or leaves the program's argument, if given, in argv[1], for as long
  /// as this lives.
  /// Collective: over MPI_COMM_WORLD.
  void end_or_leave_argument(int& argc, char** argv);

private:
  CLI::App& with_argument(std::string const& name);

  CLI::App cli_;
  std::string argument_;
  command_line line_;
};

} // namespace seam::detail

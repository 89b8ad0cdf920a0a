/// Programs: the part of main that is the same in all of them.
///
///     int main(int argc, char** argv) {
///       CLI::App cli("Conway's Game of Life");
///       std::string pattern;
///       cli.add_option("pattern", pattern, "file to start from")->required();
///       return seam::run_program(cli, argc, argv, [&](seam::Runtime& runtime) {
///         std::string const text = seam::read_text(runtime, pattern);
///         ...
///       });
///     }
///
/// What only one rank does in the set-up, and may fail at, goes through collectively(), which makes
/// its error everybody's:
///
///     collectively(runtime, [&] {
///       if (runtime.rank() == 0)
///         open_log_or_throw();
///     });
#pragma once

#include <seam/framework/program/runtime.hpp>

#include <functional>

namespace CLI {
class App;
}

namespace seam {

/// Starts a Runtime, reads the command line into what `cli` names, and runs `body`.
///
/// --help and --version are printed once. An option with an empty value is an error. An error, of
/// the command line or of `body`, is one line on stderr, "program: message". If all ranks come to
/// the end of `body`, with or without an error, all return the same exit code; if one fails while
/// others cannot end, the job is ended.
///
/// @param cli   the program's options; gets main's name and --version unless it has them, and
///              --checks on|off (see checks_are_on), --debug-stall (see stall.hpp) and --explain
///              (see Runtime)
/// @return      exit code for main: 0, or 1 if a rank failed
/// Collective: over MPI_COMM_WORLD.
int run_program(CLI::App& cli, int argc, char** argv, std::function<void(Runtime&)> const& body);

/// The same with options that another source knows, so that main need not read CLI11, which takes
/// the compiler seconds.
/// @param describe  gives the program its options and its description
int run_program(int argc, char** argv, std::function<void(CLI::App&)> const& describe,
                std::function<void(Runtime&)> const& body);

} // namespace seam

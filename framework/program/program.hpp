/// Programs: the part of main that is the same in all programs.
///
///     int main(int argc, char** argv) {
///       std::string pattern;
///       return seam::run_program(
///           argc, argv,
///           [&](seam::option_list cli) {
///             cli.describe("Conway's Game of Life");
///             cli.add("pattern", pattern, "file to start from").required();
///           },
///           [&](seam::Runtime& runtime) {
///             std::string const text = seam::read_text(runtime, pattern);
///             ...
///           });
///     }
///
/// A set-up step that may fail on one rank goes through collectively(), which throws its error on
/// all ranks:
///
///     collectively(runtime, [&] {
///       if (runtime.rank() == 0)
///         open_log_or_throw();
///     });
#pragma once

#include <seam/framework/program/option_list.hpp>
#include <seam/framework/program/runtime.hpp>

#include <functional>

namespace seam {

/// Reads the command line into the variables of `cli`, starts a Runtime, and runs `body`.
///
/// Only rank 0 prints --help and --version. An option with an empty value is an error. An error of
/// the command line or of `body` is printed as one line on stderr, "program: message". If all ranks
/// come to the end of `body`, with or without an error, all return the same exit code; if one rank
/// fails while others cannot end, the job is aborted.
///
/// --help, --version and an error of the command line end the program before MPI starts, where all
/// processes have the same arguments for sure: a single process, or a job of Open MPI. After such an
/// error rank 0 returns 1, and the others 0, so that no launcher ends rank 0 before it has printed.
///
/// With --endpoints N or SEAM_ENDPOINTS (endpoint_count.hpp), `body` runs once for each endpoint,
/// in a thread of its own and with a Runtime whose ranks are the endpoints. It then must not write
/// to variables that endpoints share.
///
/// @param cli   the program's options; main's name and --version are added unless it has them, and
///              --checks on|off (see checks_are_on), --debug-stall (see stall.hpp), --endpoints,
///              --profile (see step_profile.hpp) and --explain (see Runtime)
/// @return      exit code for main: 0, or 1 if a rank failed
/// Collective: over MPI_COMM_WORLD.
int run_program(CLI::App& cli, int argc, char** argv, std::function<void(Runtime&)> const& body);

/// Runs a program.
/// @param describe  adds the program's options and its description; takes an option_list, or CLI11's App
/// Collective: over MPI_COMM_WORLD.
int run_program(int argc, char** argv, std::function<void(CLI::App&)> const& describe,
                std::function<void(Runtime&)> const& body);

/// Runs a program with options of its own, which `add_options` and `body` share:
///
///     int main(int argc, char** argv) {
///       return seam::run_program(argc, argv, life::add_options, life::play);
///     }
///
/// @param add_options  adds the program's options and its description to `cli`, an option_list (or
///                     CLI11's App), which stores their values in the options
/// Collective: over MPI_COMM_WORLD.
template <class Cli, class Options>
int run_program(int argc, char** argv, void (*add_options)(Cli cli, Options& wanted),
                void (*body)(Runtime& runtime, Options const& wanted)) {
  Options wanted;
  return run_program(
      argc, argv, [&](CLI::App& cli) { add_options(cli, wanted); },
      [&](Runtime& runtime) { body(runtime, wanted); });
}

/// Runs a program, or a part of one, that starts neither MPI nor Kokkos: one that starts other
/// programs, for example. Command line and errors are treated as in run_program().
/// @return  exit code for main: 0, or 1 after an error
/// Local.
int run_program_alone(int argc, char** argv, std::function<void(CLI::App&)> const& describe,
                      std::function<void()> const& body);

} // namespace seam

#include <seam/framework/program/program.hpp>

#include <seam/exchange/steps/run/step_profile.hpp>
#include <seam/exchange/waiting/watch.hpp>
#include <seam/framework/program/command_line.hpp>
#include <seam/framework/program/common_end.hpp>
#include <seam/framework/program/endpoint_count.hpp>
#include <seam/framework/program/last_words.hpp>
#include <seam/framework/program/mpi_session.hpp>
#include <seam/framework/program/print.hpp>

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <exception>
#include <optional>

namespace seam {
using namespace detail;

namespace {

/// Runs a body that may end before its time without an error.
void run_to_an_end(std::function<void(Runtime&)> const& body, Runtime& runtime) {
  try {
    body(runtime);
    if (steps_are_profiled())
      print(runtime, "{}", step_profile(runtime));
  } catch (detail::ended_early const& reason) {
    if (runtime.rank() == 0)
      detail::print_error_line(reason.what());
  }
}

std::optional<detail::job_error> run_body(std::function<void(Runtime&)> const& body,
                                          Runtime& runtime) {
  try {
    body(runtime);
    return std::nullopt;
  } catch (...) {
    return detail::report_of(std::current_exception());
  }
}

/// The time that a rank with an error waits for the others to end too, so that the job can end in
/// good order. It is longer for an error that all ranks have, since all ranks then come here.
detail::common_end::seconds limit_after(detail::job_error const& error) {
  return detail::common_end::seconds(error.on_all_ranks ? 5 : 1) + detail::turn_to_speak();
}

int run_to_the_end(std::function<void(Runtime&)> const& whole_body, Runtime& runtime) {
  auto const body = [&](Runtime& own) { run_to_an_end(whole_body, own); };
  watching const stalls(runtime); // if an option asks for it
  detail::common_end ending(runtime);
  int const num_endpoints = endpoint_count(runtime);
  auto const error =
      num_endpoints > 0 ? run_on_endpoints(runtime, num_endpoints, body) : run_body(body, runtime);
  auto const failed = ending.meet(error.has_value(), error ? limit_after(*error) : ending.forever);
  if (error && (!failed || *failed == runtime.rank()))
    detail::print_last_error(error->line);
  if (!failed)
    detail::end_job();
  return *failed == runtime.size() ? EXIT_SUCCESS : EXIT_FAILURE;
}

/// Runs the program while MPI runs. Prints errors first: a rank that finalizes MPI may end the job.
int run_within_mpi(detail::command_line const& line, int argc, char** argv,
                   std::function<void(Runtime&)> const& body) {
  try {
    Runtime runtime(argc, argv);
    auto const early = line.end_or_apply(runtime);
    return early ? *early : run_to_the_end(body, runtime);
  } catch (...) {
    auto const error = detail::report_of(std::current_exception());
    if (!error.on_all_ranks || detail::place_in_job().rank == 0)
      detail::print_last_error(error.line);
    return EXIT_FAILURE;
  }
}

} // namespace

int run_program(CLI::App& cli, int argc, char** argv, std::function<void(Runtime&)> const& body) {
  detail::last_words const words(argc > 0 ? argv[0] : nullptr);
  try {
    detail::command_line const line(cli, argc, argv);
    if (auto const early = line.end_before_mpi())
      return *early;
    detail::mpi_session const session(argc, argv);
    return run_within_mpi(line, argc, argv, body);
  } catch (...) {
    detail::print_last_error(detail::report_of(std::current_exception()).line);
    return EXIT_FAILURE;
  }
}

int run_program(int argc, char** argv, std::function<void(CLI::App&)> const& describe,
                std::function<void(Runtime&)> const& body) {
  CLI::App cli;
  describe(cli);
  return run_program(cli, argc, argv, body);
}

int run_program_alone(int argc, char** argv, std::function<void(CLI::App&)> const& describe,
                      std::function<void()> const& body) {
  detail::last_words const words(argc > 0 ? argv[0] : nullptr);
  try {
    CLI::App cli;
    describe(cli);
    auto const early = detail::read_command_line_alone(cli, argc, argv);
    if (!early)
      body();
    return early.value_or(EXIT_SUCCESS);
  } catch (...) {
    detail::print_last_error(detail::report_of(std::current_exception()).line);
    return EXIT_FAILURE;
  }
}

} // namespace seam

#include <seam/framework/program.hpp>

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/checks.hpp>
#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/collective.hpp>
#include <seam/exchange/stall.hpp>
#include <seam/framework/detail/last_words.hpp>
#include <seam/framework/detail/mpi_session.hpp>
#include <seam/framework/detail/rendezvous.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <sstream>
#include <string>

namespace seam {
namespace {

/// Why a program ends after its command line, and what it has to say.
struct early_end {
  int exit_code;
  std::string text;
};

void name_program(CLI::App& cli) {
  if (cli.get_name().empty())
    cli.name(detail::place_in_job().program);
  if (cli.get_version_ptr() == nullptr)
    cli.set_version_flag("--version", fmt::format("{} (seam {})", cli.get_name(), SEAM_VERSION));
}

/// Adds what every program can be told about seam itself, unless it has such options of its own.
void add_options_of_seam(CLI::App& cli) {
  if (cli.get_option_no_throw("--checks") != nullptr)
    return;
  cli.add_option_function<std::string>(
         "--checks", [](std::string const& wish) { set_checks(wish == "on"); },
         fmt::format("Checked mode: find calls of different ranks that do not fit [{}]",
                     checks_are_on() ? "on" : "off"))
      ->check(CLI::IsMember({"on", "off"}))
      ->group("seam");
  cli.add_option_function<double>(
         "--debug-stall", [](double seconds) { set_time_before_report(stall_time(seconds)); },
         "Say on stderr what is missing where an operation is waited for so long [s]")
      ->check(CLI::PositiveNumber)
      ->group("seam");
  // The runtime has taken it already; this is for --help.
  cli.add_flag("--explain")
      ->description("Tell who exchanges how much with whom, how, and what the mapping won")
      ->group("seam");
}

/// An empty word after an option would count as no option at all.
void refuse_empty_values(CLI::App& cli) {
  auto const check = [](std::string const& value) {
    return value.empty() ? std::string("'' (expected a value)") : std::string();
  };
  for (CLI::Option* const option : cli.get_options())
    if (option->get_expected_min() > 0)
      option->check(check);
}

std::optional<early_end> parse(CLI::App& cli, int argc, char** argv) {
  try {
    cli.parse(argc, argv);
    return std::nullopt;
  } catch (CLI::Success const& wish) {
    std::ostringstream text;
    cli.exit(wish, text, text);
    return early_end{EXIT_SUCCESS, text.str()};
  } catch (std::exception const& problem) {
    return early_end{EXIT_FAILURE, fmt::format("{} (--help shows the options)", problem.what())};
  }
}

void print(early_end const& end) {
  if (end.exit_code != EXIT_SUCCESS)
    return detail::print_error_line(end.text);
  std::fwrite(end.text.data(), 1, end.text.size(), stdout);
  std::fflush(stdout);
}

/// The exit code if the command line of any rank ends the program; the lowest such rank says why.
std::optional<int> read_command_line(CLI::App& cli, int argc, char** argv, Runtime const& runtime) {
  auto const mine = parse(cli, argc, argv);
  int const first = mpi::allreduce(runtime, mine ? runtime.rank() : runtime.size(), MPI_MIN);
  if (first == runtime.size()) {
    require_same(runtime, "program: --checks", checks_are_on() ? "on" : "off");
    return std::nullopt;
  }
  if (first == runtime.rank())
    print(*mine);
  int exit_code = mine ? mine->exit_code : 0;
  mpi::bcast(runtime, std::span(&exit_code, 1), first);
  return exit_code;
}

std::optional<detail::error_report> run_body(std::function<void(Runtime&)> const& body,
                                             Runtime& runtime) {
  try {
    body(runtime);
    return std::nullopt;
  } catch (...) {
    return detail::report_of(std::current_exception());
  }
}

/// How long a rank with an error waits for the others to end too, so that the job can end in good
/// order. An error that all ranks have brings them all here.
detail::rendezvous::seconds limit_after(detail::error_report const& error) {
  return detail::rendezvous::seconds(error.on_all_ranks ? 5 : 1) + detail::turn_to_speak();
}

int run_to_the_end(std::function<void(Runtime&)> const& body, Runtime& runtime) {
  detail::rendezvous ending(runtime);
  auto const error = run_body(body, runtime);
  auto const failed = ending.meet(error.has_value(), error ? limit_after(*error) : ending.forever);
  if (error && (!failed || *failed == runtime.rank()))
    detail::print_error_line(error->line);
  if (!failed)
    detail::end_job();
  return *failed == runtime.size() ? EXIT_SUCCESS : EXIT_FAILURE;
}

/// The whole program while MPI runs: by leaving MPI a rank may end the job, so all is said before.
int run_within_mpi(CLI::App& cli, int argc, char** argv,
                   std::function<void(Runtime&)> const& body) {
  try {
    Runtime runtime(argc, argv);
    name_program(cli);
    add_options_of_seam(cli);
    refuse_empty_values(cli);
    auto const early = read_command_line(cli, argc, argv, runtime);
    return early ? *early : run_to_the_end(body, runtime);
  } catch (...) {
    auto const error = detail::report_of(std::current_exception());
    if (!error.on_all_ranks || detail::place_in_job().rank == 0)
      detail::print_error_line(error.line);
    return EXIT_FAILURE;
  }
}

} // namespace

int run_program(CLI::App& cli, int argc, char** argv, std::function<void(Runtime&)> const& body) {
  detail::last_words const words(argc > 0 ? argv[0] : nullptr);
  try {
    detail::mpi_session const session(argc, argv);
    return run_within_mpi(cli, argc, argv, body);
  } catch (...) {
    detail::print_error_line(detail::report_of(std::current_exception()).line);
    return EXIT_FAILURE;
  }
}

int run_program(int argc, char** argv, std::function<void(CLI::App&)> const& describe,
                std::function<void(Runtime&)> const& body) {
  CLI::App cli;
  describe(cli);
  return run_program(cli, argc, argv, body);
}

} // namespace seam

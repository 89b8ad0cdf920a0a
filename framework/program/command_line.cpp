#include <seam/framework/program/command_line.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/steps/run/step_profile.hpp>
#include <seam/exchange/waiting/stall.hpp>
#include <seam/framework/program/endpoint_count.hpp>
#include <seam/framework/program/kokkos_session.hpp>
#include <seam/framework/program/last_words.hpp>
#include <seam/framework/program/launch.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <span>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

namespace seam::detail {
namespace {

/// The fewest characters to insert, remove or replace that make `to` of `from`.
std::size_t edits_between(std::string_view from, std::string_view to) {
  std::vector<std::size_t> edits(to.size() + 1); // of the characters of `from` seen so far
  std::iota(edits.begin(), edits.end(), 0);
  for (char const removed : from) {
    std::size_t diagonal = edits[0]++;
    for (std::size_t i = 0; i < to.size(); ++i) {
      std::size_t const replaced = diagonal + (removed == to[i] ? 0 : 1);
      diagonal = edits[i + 1];
      edits[i + 1] = std::min({replaced, diagonal + 1, edits[i] + 1});
    }
  }
  return edits.back();
}

/// Returns the name that the fewest edits make of `word`; the first of several. Empty if even that
/// takes more edits than a third of the word's length, rounded up.
/// Local.
/// Source: V. Levenshtein (1966).
std::string nearest_name(std::string_view word, std::span<std::string const> names) {
  std::string nearest;
  std::size_t least = (word.size() + 2) / 3 + 1;
  for (std::string const& name : names)
    if (auto const edits = edits_between(word, name); edits < least) {
      least = edits;
      nearest = name;
    }
  return nearest;
}

constexpr char const* group_of_seam = "seam";

void name_program(CLI::App& cli) {
  if (cli.get_name().empty())
    cli.name(place_in_job().program);
  if (cli.get_version_ptr() == nullptr)
    cli.set_version_flag("--version", fmt::format("{} (seam {})", cli.get_name(), SEAM_VERSION));
}

/// The default of --checks. A wrong value of the environment is refused later, by all ranks together.
bool checks_are_on_by_default() {
  try {
    return checks_are_on();
  } catch (usage_error const&) {
    return false;
  }
}

/// Adds an option of seam, whose value is read when the whole command line is known to be right.
template <class Value>
CLI::Option* add_option_of_seam(CLI::App& cli, char const* name, std::string const& description) {
  auto const read_later = [](Value const&) {};
  return cli.add_option_function<Value>(name, read_later, description)->group(group_of_seam);
}

/// Adds the options of seam that every program takes, unless `cli` has options of these names.
void add_options_of_seam(CLI::App& cli) {
  if (cli.get_option_no_throw("--checks") != nullptr)
    return;
  bool const checks = checks_are_on_by_default();
  add_option_of_seam<std::string>(cli, "--checks",
                                  fmt::format("Checked mode: compare the calls of all ranks [{}]",
                                              checks ? "on" : "off"))
      ->check(CLI::IsMember({"on", "off"}));
  add_option_of_seam<double>(
      cli, "--debug-stall",
      fmt::format("Report on stderr which rank keeps others waiting this long [s]{}",
                  checks ? " [10]" : ""))
      ->check(CLI::PositiveNumber);
  add_option_of_seam<int>(cli, "--endpoints",
                          "Ranks per process, each a thread [SEAM_ENDPOINTS, or 1]")
      ->check(CLI::Range(1, most_endpoints));
  cli.add_flag("--profile")
      ->description("Print at the end where the time of steps goes, by kernels, messages and waits")
      ->group(group_of_seam);
  // Runtime takes --explain from the arguments; --help lists it.
  cli.add_flag("--explain")
      ->description("Print what ranks exchange, by which transport, and what the mapping saves; "
                    "--explain=dot the graph of steps, for Graphviz")
      ->group(group_of_seam);
}

/// The value of an option of seam; nothing if it was not given, or if the program has another of this
/// name.
template <class Value>
std::optional<Value> given_value(CLI::App const& cli, char const* name) {
  CLI::Option const* const option = cli.get_option_no_throw(name);
  if (option == nullptr || option->get_group() != group_of_seam || option->empty())
    return std::nullopt;
  return option->as<Value>();
}

void apply_options_of_seam(CLI::App const& cli) {
  if (auto const checks = given_value<std::string>(cli, "--checks"))
    set_checks(*checks == "on");
  if (auto const seconds = given_value<double>(cli, "--debug-stall"))
    set_time_before_report(stall_time(*seconds));
  if (auto const count = given_value<int>(cli, "--endpoints"))
    set_endpoint_count(*count);
  if (given_value<bool>(cli, "--profile"))
    profile_steps(true);
}

template <class Number>
bool is_too_large(std::string_view text) {
  Number number = 0;
  auto const [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), number);
  return trouble == std::errc::result_out_of_range && end == text.data() + text.size();
}

/// Describes a number that its type cannot hold; empty if it can. CLI11 replaces such a number by
/// the nearest that fits.
std::string problem_with_number(std::string const& value, bool is_unsigned) {
  if (is_unsigned && value.starts_with('-'))
    return fmt::format("'{}' (expected a number of at least 0)", value);
  if (is_unsigned ? is_too_large<std::uint64_t>(value) : is_too_large<std::int64_t>(value))
    return fmt::format("'{}' (expected a number below 2^{})", value, is_unsigned ? 64 : 63);
  return {};
}

/// Removes the zeros before a number, and describes one of another base than 10; empty if there is
/// none. CLI11 reads numbers as C does: 010 is 8, and 0x10 is 16.
std::string make_decimal(std::string& value) {
  auto const begin = std::min(value.find_first_not_of("+-"), value.size());
  std::string_view const digits = std::string_view(value).substr(begin);
  constexpr std::string_view bases = "xXbBoO";
  if (digits.size() > 1 && digits[0] == '0' && bases.find(digits[1]) != bases.npos)
    return fmt::format("'{}' (expected a decimal number)", value);
  if (!digits.empty() && digits.find_first_not_of("0123456789") == digits.npos)
    value.erase(begin, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return {};
}

/// True for options that take values which may be numbers.
bool takes_numbers(CLI::Option const& option) {
  std::string const type = option.get_type_name();
  return !option.get_positional() && option.get_expected_min() > 0 &&
         type.find("TEXT") == type.npos && type.find("FILE") == type.npos;
}

void check_numbers(CLI::App& cli) {
  for (CLI::Option* const option : cli.get_options()) {
    std::string const type = option->get_type_name();
    bool const is_unsigned = type.find("UINT") != type.npos;
    if (!takes_numbers(*option))
      continue;
    option->check([=](std::string const& value) {
      return problem_with_number(value, is_unsigned);
    });
    if (type.find('x') == type.npos) // programs read values such as 16x8 themselves
      option->transform(CLI::Validator(make_decimal, ""));
  }
}

/// Refuses empty values of options, before any other check: CLI11 would treat the option as absent.
void refuse_empty_values(CLI::App& cli) {
  auto const check = [](std::string& value) {
    return value.empty() ? std::string("'' (expected a value)") : std::string();
  };
  for (CLI::Option* const option : cli.get_options())
    if (option->get_expected_min() > 0)
      option->transform(CLI::Validator(check, ""));
}

std::string with_hint(std::string_view problem) {
  return fmt::format("{} (--help shows the options)", problem);
}

/// The names of options as they are given: "--cells", "-h".
std::vector<std::string> names_of_options(CLI::App const& cli) {
  std::vector<std::string> names;
  for (CLI::Option const* const option : cli.get_options()) {
    for (std::string const& name : option->get_lnames())
      names.push_back("--" + name);
    for (std::string const& name : option->get_snames())
      names.push_back("-" + name);
  }
  return names;
}

/// Names the words that no option takes, and the option that the first of them may stand for.
std::string line_of_unknown(CLI::App const& cli) {
  auto const unknown = cli.remaining();
  std::string const problem = CLI::ExtrasError(unknown).what();
  auto const first =
      std::ranges::find_if(unknown, [](std::string const& word) { return word.starts_with('-'); });
  if (first == unknown.end())
    return with_hint(problem);
  auto const option = std::string_view(*first).substr(0, first->find('='));
  auto const meant = nearest_name(option, names_of_options(cli));
  return with_hint(meant.empty() ? problem : fmt::format("{}; is {} meant?", problem, meant));
}

std::optional<early_end> parse(CLI::App& cli, int argc, char** argv) {
  try {
    cli.parse(argc, argv);
    return std::nullopt;
  } catch (CLI::Success const& wish) {
    std::ostringstream text;
    cli.exit(wish, text, text);
    return early_end{EXIT_SUCCESS, text.str()};
  } catch (CLI::ExtrasError const&) {
    return early_end{EXIT_FAILURE, line_of_unknown(cli)};
  } catch (CLI::RequiredError const& problem) {
    // CLI11 reports missing options before unknown ones.
    bool const knows_all = cli.remaining_size() == 0;
    return early_end{EXIT_FAILURE, knows_all ? with_hint(problem.what()) : line_of_unknown(cli)};
  } catch (std::exception const& problem) {
    return early_end{EXIT_FAILURE, with_hint(problem.what())};
  }
}

void print(early_end const& end) {
  if (end.exit_code != EXIT_SUCCESS)
    return print_error_line(end.text);
  std::fwrite(end.text.data(), 1, end.text.size(), stdout);
  std::fflush(stdout);
}

std::optional<early_end> parse_strictly(CLI::App& cli, int argc, char** argv) {
  refuse_empty_values(cli);
  check_numbers(cli);
  return parse(cli, argc, argv);
}

/// Parses main's arguments, without those that Runtime takes.
std::optional<early_end> parse_for_program(CLI::App& cli, int argc, char** argv) {
  std::vector<char*> words(argv, argv + argc);
  words.push_back(nullptr);
  take_wish_to_explain(argc, words.data());
  take_kokkos_options(argc, words.data());
  return parse_strictly(cli, argc, words.data());
}

} // namespace

wish_to_explain take_wish_to_explain(int& argc, char** argv) {
  auto* const end = argv + argc;
  auto* const options_end = std::find(argv, end, std::string_view("--"));
  auto found = wish_to_explain::none;
  auto* const kept_end = std::remove_if(argv, options_end, [&](std::string_view word) {
    if (word != "--explain" && word != "--explain=dot")
      return false;
    found = word == "--explain" ? wish_to_explain::words : wish_to_explain::graphs;
    return true;
  });
  *std::move(options_end, end, kept_end) = nullptr;
  argc -= static_cast<int>(options_end - kept_end);
  return found;
}

command_line::command_line(CLI::App& cli, int argc, char** argv)
    : cli_(cli), rank_in_uniform_job_(rank_in_uniform_job(argc, argv)) {
  name_program(cli);
  add_options_of_seam(cli);
  end_ = parse_for_program(cli, argc, argv);
}

std::optional<int> command_line::end_before_mpi() const {
  if (!end_ || !rank_in_uniform_job_ || mpi::is_running())
    return std::nullopt;
  if (*rank_in_uniform_job_ != 0)
    return EXIT_SUCCESS;
  print(*end_);
  return end_->exit_code;
}

std::optional<int> command_line::end_or_apply(mpi::comm_view over) const {
  int const first = mpi::allreduce(over, end_ ? over.rank() : over.size(), MPI_MIN);
  if (first == over.size()) {
    apply_options_of_seam(cli_);
    require_same(over, "program: --checks", checks_are_on() ? "on" : "off");
    bool const is_profiled = collectively(over, [] { return steps_are_profiled(); });
    require_same(over, "program: --profile", is_profiled ? "on" : "off");
    return std::nullopt;
  }
  if (first == over.rank())
    print(*end_);
  int exit_code = end_ ? end_->exit_code : 0;
  mpi::bcast(over, std::span(&exit_code, 1), first);
  return exit_code;
}

std::optional<int> read_command_line_alone(CLI::App& cli, int argc, char** argv) {
  name_program(cli);
  auto const end = parse_strictly(cli, argc, argv);
  if (!end)
    return std::nullopt;
  print(*end);
  return end->exit_code;
}

} // namespace seam::detail

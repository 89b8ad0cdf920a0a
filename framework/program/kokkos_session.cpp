#include <seam/framework/program/kokkos_session.hpp>

#include <seam/exchange/ground/error.hpp>

#include <Kokkos_Core.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <string_view>

#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

namespace seam::detail {
namespace {

// The option was renamed in Kokkos 3.7. Both names are taken with every version.
constexpr std::string_view old_threads_option = "--kokkos-threads";
constexpr std::string_view new_threads_option = "--kokkos-num-threads";
constexpr std::string_view threads_option =
    KOKKOS_VERSION < 30700 ? old_threads_option : new_threads_option;

bool sets_threads(std::string const& option) {
  auto const name = std::string_view(option).substr(0, option.find('='));
  return name == old_threads_option || name == new_threads_option;
}

/// Kokkos has places for so many threads of a process, and writes behind them if there are more.
constexpr int most_threads = 1024;

/// The number of threads that `text` begins with, up to a comma; 0 if it is none from 1 to
/// most_threads.
int threads_in(std::string_view text) {
  text = text.substr(0, text.find(','));
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  int number = 0;
  auto const [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool const is_number = trouble == std::errc() && end == text.data() + text.size();
  return is_number && number >= 1 && number <= most_threads ? number : 0;
}

/// @throws usage_error  a variable asks for a number of threads that there cannot be
void check_environment() {
  for (char const* const name : {"KOKKOS_NUM_THREADS", "OMP_NUM_THREADS"})
    if (char const* const text = std::getenv(name);
        text != nullptr && *text != '\0' && threads_in(text) == 0)
      refuse(
          fmt::format("runtime: {}={} in the environment (expected a number of threads, 1 to {})",
                      name, text, most_threads));
}

bool environment_sets_threads() {
  return std::getenv("OMP_NUM_THREADS") != nullptr || std::getenv("KOKKOS_NUM_THREADS") != nullptr;
}

/// Sets the number of threads to `number`. To be called before the first parallel region, which
/// Kokkos::initialize contains.
void choose_threads(std::vector<std::string>& options, int number) {
  options.push_back(fmt::format("{}={}", threads_option, number));
#ifdef KOKKOS_ENABLE_OPENMP
  omp_set_num_threads(number);
#endif
}

/// Returns the option under the name that this Kokkos knows.
/// @throws usage_error  its value is no number from 1 to most_threads
std::string known_threads_option(std::string const& option) {
  auto const begin = option.find('=');
  int const number = begin == option.npos ? 0 : threads_in(option.substr(begin + 1));
  if (number == 0)
    refuse(fmt::format("runtime: {} (expected {}=N with N from 1 to {})", option, threads_option,
                       most_threads));
  return fmt::format("{}={}", threads_option, number);
}

std::vector<std::string> complete(std::vector<std::string> options, int default_threads) {
  check_environment();
  for (std::string& option : options)
    if (sets_threads(option))
      option = known_threads_option(option);
  if (std::ranges::none_of(options, sets_threads) && !environment_sets_threads())
    choose_threads(options, default_threads);
  if (std::getenv("KOKKOS_DISABLE_WARNINGS") == nullptr)
    options.emplace_back("--kokkos-disable-warnings");
  return options;
}

void start(std::vector<std::string>& options) {
  std::string program = "seam";
  std::vector<char*> arguments = {program.data()};
  for (std::string& option : options)
    arguments.push_back(option.data());
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  Kokkos::initialize(count, arguments.data());
  if (count > 1) {
    Kokkos::finalize();
    refuse(fmt::format("runtime: Kokkos does not know the option {}", arguments[1]));
  }
}

} // namespace

std::vector<std::string> take_kokkos_options(int& argc, char** argv) {
  auto const is_other = [](std::string_view text) { return !text.starts_with("--kokkos-"); };
  auto const first = std::stable_partition(argv, argv + argc, is_other);
  std::vector<std::string> options(first, argv + argc);
  argc = static_cast<int>(first - argv);
  if (!options.empty())
    argv[argc] = nullptr;
  return options;
}

kokkos_session::kokkos_session(std::vector<std::string> options, int default_threads)
    : is_owner_(!Kokkos::is_initialized()) {
  if (!is_owner_)
    return;
  auto all = complete(std::move(options), default_threads);
  try {
    start(all);
  } catch (usage_error const&) {
    throw;
  } catch (std::exception const& problem) {
    refuse(fmt::format("runtime: Kokkos does not start with {}: {}", fmt::join(all, " "),
                       problem.what()));
  }
}

kokkos_session::~kokkos_session() {
  if (is_owner_ && Kokkos::is_initialized())
    Kokkos::finalize();
}

int num_kokkos_threads() {
  return static_cast<int>(Kokkos::DefaultHostExecutionSpace().concurrency());
}

std::string kokkos_in_words() {
  return fmt::format("Kokkos {}.{}.{} {}", KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100,
                     KOKKOS_VERSION % 100, Kokkos::DefaultHostExecutionSpace::name());
}

} // namespace seam::detail

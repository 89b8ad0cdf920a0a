#include <seam/framework/checkpoint/interval.hpp>

#include <seam/exchange/ground/error.hpp>

#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <mutex>
#include <string_view>
#include <system_error>

namespace seam::detail {
namespace {

[[noreturn]] void refuse_interval(std::string const& text) {
  refuse("--checkpoint '" + text +
         "' (expected a number of steps or a time: 1000steps, 30s, 10min or 2h)");
}

/// Seconds in a unit of time; 0 if it is none.
double seconds_in(std::string_view unit) {
  return unit == "s" ? 1 : unit == "min" ? 60 : unit == "h" ? 3600 : 0;
}

} // namespace

checkpoint_interval parse_interval(std::string const& text) {
  constexpr std::string_view prefix = "every ";
  std::string_view rest = text;
  if (rest.starts_with(prefix))
    rest.remove_prefix(prefix.size());
  std::int64_t number = 0;
  char const* const last = rest.data() + rest.size();
  auto const [end, trouble] = std::from_chars(rest.data(), last, number);
  constexpr std::int64_t most = 1'000'000'000'000;
  if (trouble != std::errc() || number < 1 || number > most)
    refuse_interval(text);
  std::string_view const unit(end, last);
  if (unit == "steps" || unit == "step")
    return {number, {}};
  if (seconds_in(unit) == 0)
    refuse_interval(text);
  return {0, std::chrono::duration<double>(static_cast<double>(number) * seconds_in(unit))};
}

namespace {

constexpr std::array noted{SIGTERM, SIGUSR1};

std::atomic<int> last_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free, "handlers of signals may not lock");

std::mutex counting;
int num_users = 0;
std::array<struct sigaction, noted.size()> before{};

void note_signal(int signal) { last_signal.store(signal); }

} // namespace

noted_signals::noted_signals() {
  std::lock_guard const alone(counting);
  if (num_users++ > 0)
    return;
  last_signal.store(0);
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  for (int s = 0; s < std::ssize(noted); ++s)
    ::sigaction(noted[s], &action, &before[s]);
}

noted_signals::~noted_signals() {
  std::lock_guard const alone(counting);
  if (--num_users > 0)
    return;
  for (int s = 0; s < std::ssize(noted); ++s)
    ::sigaction(noted[s], &before[s], nullptr);
}

int noted_signals::last() noexcept { return last_signal.load(); }

} // namespace seam::detail

#include <seam/framework/checkpoint/checkpoints.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/checkpoint/checkpoint_numbers.hpp>
#include <seam/framework/files/output_file.hpp>
#include <seam/framework/program/last_words.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <mutex>
#include <system_error>

namespace seam {
using namespace detail;

namespace {

/// A number of steps, or a time; the other is 0.
struct checkpoint_interval {
  std::int64_t steps = 0;
  std::chrono::duration<double> time{0};
};

/// While one lives, SIGTERM and SIGUSR1 are noted in place of ending the process.
/// Threads: any.
class noted_signals {
public:
  noted_signals();
  noted_signals(noted_signals const&) = delete;
  noted_signals& operator=(noted_signals const&) = delete;
  ~noted_signals();

  /// The signal that has come to this process last since one lives, or 0. Local.
  static int last() noexcept;
};

[[noreturn]] void refuse_interval(std::string const& text) {
  refuse("--checkpoint '" + text +
         "' (expected a number of steps or a time: 1000steps, 30s, 10min or 2h)");
}

/// Seconds in a unit of time; 0 if it is none.
double seconds_in(std::string_view unit) {
  return unit == "s" ? 1 : unit == "min" ? 60 : unit == "h" ? 3600 : 0;
}

/// Reads an interval, before which "every " may stand.
/// @throws usage_error  it is none
/// Local.
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

constexpr std::array noted{SIGTERM, SIGUSR1};

std::atomic<int> last_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free, "handlers of signals may not lock");

std::mutex counting;
int num_users = 0;
std::array<struct sigaction, noted.size()> before{};

void note_signal(int signal) { last_signal.store(signal); }

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

using clock = std::chrono::steady_clock;
using seconds = std::chrono::duration<double>;

/// What ranks agree on at a look: the largest of all.
struct look_facts {
  int signal, is_time, steps_at_once;
};

} // namespace

struct checkpoints::kept {
  Communicator const* over;
  checkpoint_place place;
  checkpoint_interval interval;
  std::shared_ptr<void> lock;
  noted_signals signals{};
  std::vector<stored_array> arrays{};
  std::int64_t step = 0, first_step = 0, last_written = 0;
  int steps_at_once = 1;
  clock::time_point last_look = clock::now(), last_write = last_look;

  bool has_passed_interval() const {
    return interval.steps > 0 && step / interval.steps != last_written / interval.steps;
  }

  /// As many steps as take some tenths of a second.
  int better_steps_at_once() const {
    constexpr int most = 1 << 20;
    auto const taken = seconds(clock::now() - last_look).count();
    if (taken < 0.1)
      return std::min(most, 2 * steps_at_once);
    return taken > 0.5 ? std::max(1, steps_at_once / 2) : steps_at_once;
  }

  /// Rank 0's clock counts. Collective.
  look_facts agree_on_facts() const {
    bool const is_clock = over->rank() == 0;
    bool const is_time =
        is_clock && interval.time.count() > 0 && clock::now() - last_write >= interval.time;
    std::array facts{noted_signals::last(), is_time ? 1 : 0, is_clock ? better_steps_at_once() : 0};
    largest_of_all(over->context(), facts);
    return {facts[0], facts[1], facts[2]};
  }

  void write() {
    if (step == last_written)
      return;
    save_checkpoint(*over, place, arrays);
    last_written = step;
    last_write = clock::now();
  }
};

checkpoints::checkpoints(checkpoints&&) noexcept = default;
checkpoints& checkpoints::operator=(checkpoints&&) noexcept = default;
checkpoints::~checkpoints() = default;

void checkpoints::begin(Communicator const& over, checkpoint_options const& wanted,
                        std::vector<stored_array> arrays) {
  detail::call_scope const here("checkpoints");
  std::string const program = place_in_job().program;
  std::string const path = wanted.path.empty() ? program + ".h5" : wanted.path;
  auto const interval = collectively(over.context(), [&] {
    return wanted.every.empty() ? checkpoint_interval{} : parse_interval(wanted.every);
  });
  auto lock = lock_checkpoints(over, path);
  collectively(over.context(), [&] {
    if (over.rank() != 0 || wanted.resumes)
      return;
    if (auto const numbers = checkpoint_numbers(path); !numbers.empty())
      refuse(
          fmt::format("checkpoint: '{}' is there (expected --resume, to go on from it, or another "
                      "--checkpoint-file)",
                      numbered_path(path, numbers.front())));
  });
  require_writable(over.context(), numbered_path(path, 1));
  kept_.reset(new kept{&over, path, interval, std::move(lock)});
  arrays.push_back(stored_value("step", reinterpret_cast<std::byte*>(&kept_->step),
                                element_format_of<std::int64_t>()));
  kept_->arrays = std::move(arrays);
  if (wanted.resumes)
    load_checkpoint(over, path, program, kept_->arrays);
  kept_->first_step = kept_->last_written = kept_->step;
}

std::int64_t checkpoints::first_step() const noexcept { return kept_ ? kept_->first_step : 0; }

void checkpoints::require_end(std::int64_t end, std::string_view option) const {
  if (kept_ && first_step() > end)
    refuse(fmt::format("checkpoint: '{}' is at step {} (expected at most {}, of {})",
                       kept_->place.path, first_step(), end, option));
}

void checkpoints::require_end_time(double looked, double end, std::string_view option) const {
  if (first_step() > 0 && looked >= end)
    refuse(fmt::format(
        "checkpoint: '{}' is at step {}, before which the time was {} already (expected "
        "less than {}, of {})",
        kept_->place.path, first_step(), looked, end, option));
}

std::int64_t checkpoints::until_look(std::int64_t step, std::int64_t most) const noexcept {
  if (!kept_)
    return most;
  most = std::min<std::int64_t>(most, kept_->steps_at_once);
  if (std::int64_t const interval = kept_->interval.steps; interval > 0)
    most = std::min(most, interval - step % interval);
  return most;
}

void checkpoints::look(std::int64_t step) {
  if (!kept_)
    return;
  detail::call_scope const here("checkpoints");
  kept_->step = step;
  look_facts const facts = kept_->agree_on_facts();
  if (facts.signal != 0 || facts.is_time != 0 || kept_->has_passed_interval())
    kept_->write();
  if (facts.signal != 0)
    throw ended_early(fmt::format("ended by a signal after step {} (--resume goes on from there)",
                                  step));
  kept_->steps_at_once = facts.steps_at_once;
  kept_->last_look = clock::now();
}

void checkpoint_options::add_options(option_list cli) {
  cli.add("--checkpoint", every, "steps or time between checkpoints: 1000steps, 10min, 2h")
      .named("INTERVAL")
      .within("restart")
      .must([](std::string const& text) {
        try {
          parse_interval(text);
          return std::string();
        } catch (usage_error const&) {
          return "'" + text +
                 "' (expected a number of steps or a time: 1000steps, 30s, 10min or 2h)";
        }
      });
  cli.add("--checkpoint-file", path, "name of the numbered files: NAME-0001.h5, ...")
      .named("NAME.h5")
      .within("restart");
  cli.add_flag("--resume", resumes, "continue from the newest checkpoint").within("restart");
}

} // namespace seam

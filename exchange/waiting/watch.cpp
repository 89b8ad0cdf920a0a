#include <seam/exchange/waiting/watch.hpp>

#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/waiting/datagrams.hpp>
#include <seam/exchange/waiting/detail/background_thread.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/exchange/waiting/stall.hpp>
#include <seam/exchange/waiting/stall_words.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <stop_token>
#include <thread>
#include <vector>

namespace seam::detail {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Pauses between looks: a part of the time before reports.
constexpr int looks_in_time = 10;
constexpr milliseconds shortest_pause{5}, longest_pause{250};

/// How long answers may take, whose processes may have to wait for a core, and the waiting thread to
/// tell what is missing.
constexpr milliseconds longest_for_answers{2000}, longest_for_text{500};

constinit std::atomic<int> num_leaving = 0;
constinit std::atomic<bool> watched = false;
constinit std::atomic<void (*)()> end_of_hopeless_waits = nullptr;

/// A question about a record, or the answer to it.
struct watch_message {
  std::uint64_t job; ///< a number of the job's own: others' messages are left aside
  std::uint64_t id;  ///< of the record
  std::int32_t from; ///< the rank
  std::int32_t is_answer;
  watch_answer answer;
};

/// Looks at the waits of all threads of this process.
class process_watch {
public:
  static process_watch& of_process() {
    static process_watch only;
    return only;
  }

  /// Looks on, and asks by `channel` from now on.
  void ask_by(std::unique_ptr<datagrams> channel, std::uint64_t job) {
    thread_ = {};
    channel_ = std::move(channel);
    job_ = job;
    begin();
  }

private:
  process_watch() : rank_(mpi::comm_view(MPI_COMM_WORLD).rank()) {
    look({}); // here, so that the thread takes no memory
    begin();
  }

  void begin() {
    thread_ = start_background_thread([this](std::stop_token const& stop) {
      std::stop_callback const wakes(stop, [this] { channel_->wake(); });
      while (!stop.stop_requested())
        take_messages(look(stop));
    });
  }

  /// Returns the pause before the next look.
  milliseconds look(std::stop_token const& stop) noexcept {
    try {
      list_threads(threads_);
      auto const now = clock::now();
      for (auto const& thread : threads_)
        note_calls(*thread, now);
      auto const limit = time_before_report();
      if (!limit || num_leaving.load() > 0)
        return longest_pause;
      auto const ticks = std::chrono::duration_cast<milliseconds>(*limit);
      for (auto const& thread : threads_)
        look_at(*thread, now, ticks, stop);
      return std::clamp(ticks / looks_in_time, shortest_pause, longest_pause);
    } catch (...) { // without memory there is no report
      return longest_pause;
    }
  }

  /// Notes the time of new calls, which note none themselves: they began about now.
  void note_calls(thread_calls& of, clock::time_point now) {
    auto const num_calls = of.num_calls.load(std::memory_order_relaxed);
    if (of.seen.num_calls == num_calls && of.name.load(std::memory_order_relaxed) == nullptr)
      return;
    of.seen.num_calls = num_calls;
    last_call_ = of.last.load(std::memory_order_relaxed);
    time_of_last_ = now;
  }

  void look_at(thread_calls& thread, clock::time_point now, milliseconds limit,
               std::stop_token const& stop) {
    auto const wait = thread.wait.load(std::memory_order_acquire);
    seen_calls& seen = thread.seen;
    if (seen.wait != wait) {
      seen.wait = wait;
      seen.begin = now;
      seen.due = now + limit;
    }
    if (wait % 2 == 0 || now < seen.due)
      return;
    // A wait that a lower rank shares is looked at again: that rank's may end before its report.
    seen.due = explain(thread, limit, stop) ? clock::time_point::max() : now + limit;
  }

  /// Prints the line about a wait, unless it ends, a lower rank waits in the same call, or all do so
  /// for less than twice the time.
  bool explain(thread_calls& thread, milliseconds limit, std::stop_token const& stop) {
    long_wait found{.rank = rank_, .id = thread.id, .number = thread.number};
    if (char const* const name = thread.name; name != nullptr)
      found.call = name;
    auto const goes_on = [&] {
      return thread.wait.load(std::memory_order_acquire) == thread.seen.wait;
    };
    thread.text_is_wanted.store(true, std::memory_order_relaxed);
    auto const end_of_text = clock::now() + longest_for_text;
    if (!ask(found, goes_on, stop))
      return false;
    while (thread.num_watches.load(std::memory_order_relaxed) > 0 && goes_on() &&
           thread.text_is_wanted.load(std::memory_order_relaxed) && clock::now() < end_of_text)
      take_messages(shortest_pause);
    if (!goes_on() || stop.stop_requested())
      return false;
    {
      std::scoped_lock const lock(thread.text_mutex);
      found.missing = thread.text;
    }
    found.waited = clock::now() - thread.seen.begin;
    if (found.is_shared_by_all() && found.waited < 2 * limit)
      return false;
    report_stall(found.line());
    if (auto* const end = end_of_hopeless_waits.load(); end != nullptr && found.is_hopeless())
      end();
    return true;
  }

  /// Asks the other ranks in ascending order, in groups of growing length; false if a lower one
  /// waits in the same call, or the wait ends.
  bool ask(long_wait& found, auto const& goes_on, std::stop_token const& stop) {
    auto const processes = channel_->reaches_others() ? processes_of_calls(found.id) : nullptr;
    if (processes == nullptr)
      return true;
    for (int k = 0; k < processes->size(); ++k)
      if (int const rank = (*processes)[k]; rank != rank_)
        found.others.push_back({rank, std::nullopt});
    asking_ = &found;
    bool is_ours = true;
    for (std::ptrdiff_t end = 1; is_ours && end < 2 * std::ssize(found.others); end *= 2) {
      auto const asked = std::span(found.others).first(std::min(end, std::ssize(found.others)));
      await_answers(asked, found.id, goes_on, stop);
      is_ours = goes_on() && !stop.stop_requested() && !found.has_lower_reporter();
    }
    asking_ = nullptr;
    return is_ours;
  }

  /// Asks those that have not answered, again after each pause without a message.
  void await_answers(std::span<asked_rank const> asked, std::uint64_t id, auto const& goes_on,
                     std::stop_token const& stop) {
    auto const end = clock::now() + longest_for_answers;
    auto const is_silent = [](asked_rank const& other) { return !other.answer; };
    bool has_come = false;
    while (std::ranges::any_of(asked, is_silent) && clock::now() < end && goes_on() &&
           !stop.stop_requested()) {
      for (asked_rank const& other : asked)
        if (!has_come && is_silent(other))
          send({.job = job_, .id = id, .from = rank_, .is_answer = 0, .answer = {}}, other.rank);
      has_come = take_messages(shortest_pause);
    }
  }

  void send(watch_message const& message, int to) {
    channel_->send(std::as_bytes(std::span(&message, 1)), to);
  }

  /// Answers questions and notes answers, at the latest after `pause`; true if one has come.
  bool take_messages(milliseconds pause) {
    if (!channel_->wait(pause))
      return false;
    watch_message message{};
    while (channel_->receive(std::as_writable_bytes(std::span(&message, 1)))) {
      message.answer.call.back() = '\0';
      if (message.job == job_)
        take(message);
    }
    return true;
  }

  void take(watch_message const& message) {
    if (message.is_answer == 0)
      send({.job = job_,
            .id = message.id,
            .from = rank_,
            .is_answer = 1,
            .answer = answer_about(message.id)},
           message.from);
    else if (asking_ != nullptr && asking_->id == message.id)
      asking_->take(message.from, message.answer);
  }

  watch_answer answer_about(std::uint64_t id) {
    watch_answer answer{.count = count_of_calls(id)};
    char const* call = last_call_;
    for (auto const& thread : threads_) {
      char const* const name = thread->name.load(std::memory_order_relaxed);
      if (thread->waits() && thread->id.load(std::memory_order_relaxed) == id)
        answer.waits_there = 1;
      if (name == nullptr || answer.state == process_state::waits)
        continue;
      answer.state = thread->waits() ? process_state::waits : process_state::is_in_call;
      call = name;
    }
    if (num_leaving.load() > 0)
      answer.state = process_state::has_left;
    if (answer.state == process_state::computes)
      answer.since = std::chrono::duration<double>(clock::now() - time_of_last_).count();
    answer.set_call(call);
    return answer;
  }

  int rank_;
  std::unique_ptr<datagrams> channel_ = std::make_unique<datagrams>();
  std::uint64_t job_ = 0;
  std::vector<std::shared_ptr<thread_calls>> threads_; ///< as of the last look
  char const* last_call_ = nullptr;
  clock::time_point time_of_last_ = clock::now();
  long_wait* asking_ = nullptr;
  std::jthread thread_; ///< the last member: it uses the others
};

bool is_wanted_by_any(mpi::comm_view world) {
  int wanted = stalls_are_explained() ? 1 : 0;
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, &wanted, 1, MPI_INT, MPI_MAX, world.native()),
             "MPI_Allreduce");
  return wanted != 0;
}

/// A number that no other job of these hosts has, but by chance.
std::uint64_t number_of_job(mpi::comm_view world) {
  std::random_device random;
  std::uint64_t job = std::uint64_t{random()} << 32 | random();
  mpi::check(MPI_Bcast(&job, 1, MPI_UINT64_T, 0, world.native()), "MPI_Bcast");
  return job;
}

} // namespace

void begin_watch() noexcept {
  static constinit std::atomic<bool> has_begun = false;
  try {
    if (!has_begun.load(std::memory_order_relaxed) && time_before_report()) {
      has_begun.store(true, std::memory_order_relaxed);
      static_cast<void>(process_watch::of_process());
    }
  } catch (...) { // a wrong setting is refused elsewhere
  }
}

watching::watching(mpi::comm_view world) : has_begun_(!is_watched() && is_wanted_by_any(world)) {
  if (!has_begun_)
    return;
  auto channel = std::make_unique<datagrams>(world);
  process_watch::of_process().ask_by(std::move(channel), number_of_job(world));
  watched.store(true);
}

watching::~watching() {
  if (!has_begun_)
    return;
  watched.store(false);
  try {
    process_watch::of_process().ask_by(std::make_unique<datagrams>(), 0);
  } catch (...) { // then no thread can start, and waits are not reported any more
  }
}

bool is_watched() noexcept { return watched.load(std::memory_order_relaxed); }

void end_hopeless_waits_by(void (*end)()) noexcept { end_of_hopeless_waits.store(end); }

leaving::leaving() noexcept { ++num_leaving; }
leaving::~leaving() { --num_leaving; }

} // namespace seam::detail

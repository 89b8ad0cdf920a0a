#include <seam/exchange/waiting/watch.hpp>

#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/exchange/waiting/detail/lone_watch.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>
#include <seam/exchange/waiting/inquiry.hpp>
#include <seam/exchange/waiting/peers.hpp>
#include <seam/exchange/waiting/stall.hpp>
#include <seam/exchange/waiting/thread_wait.hpp>
#include <seam/exchange/waiting/watch_messages.hpp>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace seam::detail {
namespace {

using clock = std::chrono::steady_clock;

constinit std::atomic<int> num_leaving = 0;
constinit std::atomic<bool> watched = false, watched_at_any_time = false;
constinit std::atomic<void (*)()> end_of_hopeless_waits = nullptr;

/// A thread's wait, as the watch saw it last.
struct seen_wait {
  std::uint32_t wait = 0;
  clock::time_point begin, due;
};

/// The calls of this process's threads, as the watch saw them last.
class seen_calls {
public:
  /// Notes the time of new calls, which note none themselves: they began about now.
  void note(std::vector<std::shared_ptr<thread_calls>> const& threads, clock::time_point now) {
    for (auto const& thread : threads) {
      auto const num_calls = thread->num_calls.load(std::memory_order_relaxed);
      bool const is_in_call = thread->name.load(std::memory_order_relaxed) != nullptr;
      auto& noted = threads2calls_[thread.get()];
      if (noted == num_calls && !is_in_call)
        continue;
      noted = num_calls;
      time_of_last_ = now;
      last_ = thread->last.load(std::memory_order_relaxed);
    }
  }

  char const* last() const noexcept { return last_; } ///< nullptr: none
  double seconds_since_last() const {
    return std::chrono::duration<double>(clock::now() - time_of_last_).count();
  }

private:
  std::map<thread_calls const*, std::uint32_t> threads2calls_;
  char const* last_ = nullptr;
  clock::time_point time_of_last_ = clock::now();
};

void set_call(watch_answer& in, char const* call) {
  if (call != nullptr)
    std::string_view(call).substr(0, in.call.size() - 1).copy(in.call.data(), in.call.size() - 1);
}

/// Answers the questions of other processes, and asks them about waits of this one that last long.
class job_watch final : public progressable {
public:
  static job_watch& of_process() {
    static auto* const only = new job_watch; // outlives all operations
    return *only;
  }

  void begin(mpi::comm_view world) {
    for (mpi::comm* const made : {&over_, &meetings_}) {
      mpi::check(MPI_Comm_dup(world.native(), made->receive()), "MPI_Comm_dup");
      mpi::return_errors(*made);
    }
    watched_at_any_time.store(mpi::thread_level() >= MPI_THREAD_MULTIPLE);
    watched.store(true);
    add_to_progress(*this);
    start_progress_thread();
  }

  void end() noexcept {
    watched.store(false);
    remove_from_progress(*this);
    inquiry_.reset();
    waits_.clear();
    try {
      take_messages(); // so that none is left behind
      sends_ = {};
      over_ = {};
      meetings_ = {};
    } catch (...) { // the program ends anyway
    }
  }

  mpi::comm_view meetings() const noexcept { return meetings_; }

  bool make_progress() noexcept override {
    note_watch_of_job();
    try {
      list_threads(threads_);
      take_messages();
      sends_.erase_complete();
      auto const now = clock::now();
      calls_.note(threads_, now);
      if (!inquiry_)
        look_for_due_wait(now);
      if (inquiry_ && inquiry_->advance(now))
        conclude(now);
    } catch (...) { // an error of MPI here will be found by the user's calls, too
      inquiry_.reset();
    }
    return inquiry_.has_value();
  }

private:
  job_watch() = default;

  void take_messages() {
    MPI_Status status;
    for (int found = 1;;) {
      mpi::check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, over_.native(), &found, &status),
                 "MPI_Iprobe");
      if (found == 0)
        return;
      take(status);
    }
  }

  void take(MPI_Status const& found) {
    switch (static_cast<watch_tag>(found.MPI_TAG)) {
    case watch_tag::question: {
      auto const asked = receive_found<watch_question>(over_, found);
      sends_.send(over_, answer_to(asked), found.MPI_SOURCE);
      return;
    }
    case watch_tag::notice: {
      auto const reported = receive_found<watch_notice>(over_, found);
      ids2reported_[reported.id] = reported.finding;
      return;
    }
    case watch_tag::answer: {
      auto const answer = receive_found<watch_answer>(over_, found);
      if (inquiry_ && inquiry_->is_of(answer.number))
        inquiry_->take(found.MPI_SOURCE, answer);
      return;
    }
    }
  }

  watch_answer answer_to(watch_question const& asked) const {
    watch_answer answer{.number = asked.number,
                        .count = count_of_calls(asked.id),
                        .since = 0,
                        .state = process_state::computes,
                        .waits_there = 0,
                        .call = {}};
    char const* call = calls_.last();
    for (auto const& thread : threads_) {
      char const* const name = thread->name.load(std::memory_order_relaxed);
      auto const wait = wait_of(thread);
      if (wait && wait->id == asked.id)
        answer.waits_there = 1;
      if (name == nullptr || answer.state == process_state::waits)
        continue;
      answer.state = wait ? process_state::waits : process_state::is_in_call;
      call = name;
    }
    if (has_left())
      answer.state = process_state::has_left;
    if (answer.state == process_state::computes)
      answer.since = calls_.seconds_since_last();
    set_call(answer, call);
    return answer;
  }

  void look_for_due_wait(clock::time_point now) {
    auto const limit = time_before_report();
    if (!limit || has_left())
      return;
    time_of_limit_ = std::chrono::duration_cast<clock::duration>(*limit);
    for (auto const& thread : threads_) {
      auto const wait = wait_of(thread);
      if (!wait)
        continue;
      seen_wait& seen = waits_[thread.get()];
      if (seen.wait != wait->wait)
        seen = {wait->wait, now, now + time_of_limit_};
      if (now >= seen.due) {
        inquiry_.emplace(over_, sends_, *wait, seen.begin, now);
        return;
      }
    }
  }

  /// Prints the finding, unless a lower rank will, or another rank has. A wait that is not printed
  /// is looked at again later: the lower rank's wait may end before it reports.
  void conclude(clock::time_point now) {
    auto const& wait = inquiry_->wait();
    if (wait.goes_on()) {
      bool const is_ours = !inquiry_->has_lower_reporter() && !is_known();
      if (is_ours)
        report(now);
      waits_[wait.thread.get()].due = is_ours ? clock::time_point::max() : now + time_of_limit_;
    }
    inquiry_.reset();
  }

  /// True if the same ranks have been reported as missing where this one waits.
  bool is_known() const {
    if (is_of_peers(inquiry_->wait().id))
      return false; // no other rank waits there
    auto const found = ids2reported_.find(inquiry_->wait().id);
    return found != ids2reported_.end() && found->second == inquiry_->finding() &&
           !inquiry_->others().empty();
  }

  void report(clock::time_point now) {
    print_stall(inquiry_->line(now));
    if (auto* const end = end_of_hopeless_waits.load(); end != nullptr && inquiry_->is_hopeless())
      end();
    if (is_of_peers(inquiry_->wait().id))
      return;
    watch_notice const reported{inquiry_->wait().id, inquiry_->finding()};
    ids2reported_[reported.id] = reported.finding;
    for (asked_rank const& other : inquiry_->others())
      sends_.send(over_, reported, other.rank);
  }

  mpi::comm over_, meetings_;
  background_sends sends_;
  std::optional<inquiry> inquiry_;
  std::vector<std::shared_ptr<thread_calls>> threads_; ///< as of this look
  std::map<thread_calls const*, seen_wait> waits_;
  std::map<std::uint64_t, std::int64_t> ids2reported_; ///< findings, by the record's id
  seen_calls calls_;
  clock::duration time_of_limit_{};
};

bool is_wanted_by_any(mpi::comm_view world) {
  int wanted = time_before_report() ? 1 : 0;
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, &wanted, 1, MPI_INT, MPI_MAX, world.native()),
             "MPI_Allreduce");
  return wanted != 0;
}

} // namespace

watching::watching(mpi::comm_view world) : has_begun_(!is_watched() && is_wanted_by_any(world)) {
  if (has_begun_)
    job_watch::of_process().begin(world);
}

watching::~watching() {
  if (has_begun_ && mpi::is_running())
    job_watch::of_process().end();
}

mpi::comm_view comm_of_meetings() noexcept { return job_watch::of_process().meetings(); }

bool is_watched() noexcept { return watched.load(std::memory_order_relaxed); }
bool is_watched_at_any_time() noexcept {
  return is_watched() && watched_at_any_time.load(std::memory_order_relaxed);
}

void end_hopeless_waits_by(void (*end)()) noexcept { end_of_hopeless_waits.store(end); }

leaving::leaving() noexcept { ++num_leaving; }
leaving::~leaving() { --num_leaving; }
bool has_left() noexcept { return num_leaving.load() > 0; }

} // namespace seam::detail

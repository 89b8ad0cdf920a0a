#include <seam/exchange/waiting/watch.hpp>

#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/exchange/waiting/detail/lone_watch.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>
#include <seam/exchange/waiting/peers.hpp>
#include <seam/exchange/waiting/stall.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <list>
#include <map>
#include <optional>
#include <span>

namespace seam::detail {
namespace {

using clock = std::chrono::steady_clock;

constinit std::atomic<int> num_leaving = 0;
constinit std::atomic<bool> watched = false, watched_at_any_time = false;

/// How long a rank waits for answers of other processes, which may have to wait for a core.
constexpr std::chrono::seconds longest_for_answers{2};

enum tag { questions, answers, notices };

/// Asks a process how often it has called on a record, and what it does.
struct question {
  std::uint64_t id;    ///< of the record
  std::int64_t number; ///< tells the questions of a process apart
};

/// Tells a process that the ranks missing on a record have been reported.
struct notice {
  std::uint64_t id;
  std::int64_t finding; ///< of the inquiry
};

enum class doing : std::int32_t { computes, calls, waits, left };

struct answer {
  std::int64_t number; ///< of the question
  std::int64_t count;  ///< of calls on the record
  double since;        ///< the last call began [s], if it computes
  doing what;
  std::int32_t waits_there;  ///< 1 if it waits in a call on the record
  std::array<char, 64> call; ///< the name of the call that it is in, or of the last; empty: none
};

template <class Message>
std::span<std::byte, sizeof(Message)> bytes_of(Message& message) {
  return std::as_writable_bytes(std::span<Message, 1>(&message, 1));
}

/// A thread's wait, as the watch saw it last.
struct seen_wait {
  std::uint32_t wait = 0;
  clock::time_point begin, due;
};

/// The call that a thread waits in, as long as the wait goes on.
struct wait_of_thread {
  std::shared_ptr<thread_calls> thread;
  std::uint32_t wait;
  char const* name;
  std::uint64_t id;
  std::int64_t number;

  bool goes_on() const { return thread->wait.load(std::memory_order_acquire) == wait; }
};

/// The wait of a thread that is in a call and waits.
std::optional<wait_of_thread> wait_of(std::shared_ptr<thread_calls> const& thread) {
  wait_of_thread found{.thread = thread,
                       .wait = thread->wait.load(std::memory_order_acquire),
                       .name = thread->name.load(std::memory_order_relaxed),
                       .id = thread->id.load(std::memory_order_relaxed),
                       .number = thread->number.load(std::memory_order_relaxed)};
  if (found.wait % 2 == 0 || found.name == nullptr || !found.goes_on())
    return std::nullopt;
  return found;
}

/// "a, b, c and 12 others"
std::string list_of(std::vector<std::string> const& all) {
  constexpr std::ptrdiff_t most = 8;
  std::string text;
  for (int k = 0; k < std::min(most, std::ssize(all)); ++k)
    text += fmt::format("{}{}", k == 0 ? "" : "; ", all[k]);
  if (std::ssize(all) > most)
    text += fmt::format("; and {} other ranks", std::ssize(all) - most);
  return text;
}

/// The questions of one process to the others when a wait of its own is due: first to lower ranks,
/// since the lowest of all ranks that wait there reports.
class inquiry {
public:
  /// @param begin  of the wait
  inquiry(mpi::comm_view over, wait_of_thread due, clock::time_point begin, clock::time_point now)
      : over_(over), wait_(std::move(due)), begin_(begin) {
    if (auto const processes = processes_of_calls(wait_.id))
      ranks_ = *processes;
    answers_.resize(ranks_.size());
    self_ = std::ranges::lower_bound(ranks_, over.rank()) - ranks_.begin();
    wait_.thread->text_is_wanted.store(true, std::memory_order_relaxed);
    ask_more(now);
  }

  bool is_of(std::int64_t number) const { return number == number_; }
  wait_of_thread const& wait() const { return wait_; }
  bool has_lower_reporter() const { return has_lower_reporter_; }

  /// The processes that may be asked, ascending.
  std::vector<int> const& ranks() const { return ranks_; }

  /// The fewest calls that a process is known to have made on the record; the number of the awaited
  /// call if no process has made fewer.
  std::int64_t fewest_calls() const {
    std::int64_t fewest = wait_.number;
    for (auto const& reply : answers_)
      if (reply)
        fewest = std::min(fewest, reply->count);
    return fewest;
  }

  void take(int rank, answer const& reply) {
    auto const at = std::ranges::lower_bound(ranks_, rank);
    if (at == ranks_.end() || *at != rank)
      return;
    std::int64_t const index = at - ranks_.begin();
    answers_[index] = reply;
    has_lower_reporter_ = has_lower_reporter_ || (index < self_ && reply.waits_there != 0);
  }

  /// Asks more processes; true if no more answers are expected, or nothing is to be reported.
  bool advance(clock::time_point now) {
    if (has_lower_reporter_ || !wait_.goes_on())
      return true;
    bool const all_have_answered =
        std::all_of(answers_.begin(), answers_.begin() + static_cast<std::ptrdiff_t>(asked_),
                    [&, rank = std::int64_t{0}](auto const& reply) mutable {
                      return rank++ == self_ || reply;
                    });
    if (!all_have_answered && now < deadline_)
      return false;
    if (asked_ < std::ssize(ranks_)) {
      ask_more(now);
      return false;
    }
    return !is_telling() || now > deadline_of_text_;
  }

  std::string line(clock::time_point now) const {
    std::string text = fmt::format("seam: rank {} has waited for {:.3g} s in {}", over_.rank(),
                                   std::chrono::duration<double>(now - begin_).count(), wait_.name);
    if (!ranks_.empty())
      text += is_of_peers(wait_.id)
                  ? words_of_peers()
                  : fmt::format(", a call of {} ranks: {}", ranks_.size(), missing_ranks());
    std::scoped_lock const lock(wait_.thread->text_mutex);
    if (!wait_.thread->text.empty())
      text += fmt::format("{} {}", ranks_.empty() ? ":" : ";", wait_.thread->text);
    return text;
  }

  /// Numbers the findings about a record: the fewest calls that ranks have made, and whether these
  /// are too few.
  std::int64_t finding() const {
    std::int64_t const fewest = fewest_calls();
    return 2 * fewest + (fewest < wait_.number ? 1 : 0);
  }

private:
  /// True if the waiting thread looks now and then whether it has to tell what is missing, and has
  /// not told it yet.
  bool is_telling() const {
    return wait_.thread->num_watches.load(std::memory_order_relaxed) > 0 &&
           wait_.thread->text_is_wanted.load(std::memory_order_relaxed);
  }

  /// Asks lower ranks in growing groups, then all higher ranks.
  void ask_more(clock::time_point now) {
    std::int64_t const end = asked_ < self_ ? std::min(self_, 2 * asked_ + 1) : std::ssize(ranks_);
    static std::atomic<std::int64_t> num_questions = 0;
    if (number_ == 0)
      number_ = ++num_questions;
    for (; asked_ < end; ++asked_)
      if (asked_ != self_)
        ask(ranks_[asked_]);
    deadline_ = now + longest_for_answers;
    deadline_of_text_ = now + longest_for_answers / 2;
  }

  void ask(int rank);

  std::string missing_ranks() const {
    std::int64_t const fewest = fewest_calls();
    std::vector<std::string> all;
    for (int k = 0; k < std::ssize(ranks_); ++k)
      if (k != self_ && !answers_[k])
        all.push_back(fmt::format("rank {} {}", ranks_[k], silent));
      else if (k != self_ && answers_[k]->count < wait_.number && answers_[k]->count == fewest)
        all.push_back(words_of(ranks_[k], *answers_[k]));
    return all.empty() ? "all have made it" : list_of(all);
  }

  std::string words_of(int rank, answer const& reply) const {
    std::string_view const call = reply.call.data();
    if (reply.what != doing::left && reply.what != doing::computes && call == wait_.name)
      return fmt::format("rank {} has not come as far in it, where it {}", rank,
                         reply.what == doing::waits ? "waits" : "computes");
    return fmt::format("rank {} has not made it, it {}", rank, deed_of(reply));
  }

  static std::string deed_of(answer const& reply) {
    std::string_view const call = reply.call.data();
    switch (reply.what) {
    case doing::left: return "has left";
    case doing::waits: return fmt::format("waits in {}", call);
    case doing::calls: return fmt::format("is in {}", call);
    case doing::computes: break;
    }
    if (call.empty())
      return "computes and has made no call so far";
    return fmt::format("computes and called {} last, {:.3g} s ago", call, reply.since);
  }

  /// The ranks at the other end of the message, and what they do.
  std::string words_of_peers() const {
    bool const is_one = ranks_.size() == 2;
    std::vector<std::string> all;
    for (int k = 0; k < std::ssize(ranks_); ++k)
      if (k != self_)
        all.push_back(fmt::format("{} {}", is_one ? "it" : fmt::format("rank {}", ranks_[k]),
                                  answers_[k] ? deed_of(*answers_[k]) : silent));
    return fmt::format(", which needs {}: {}",
                       is_one ? fmt::format("rank {}", ranks_[1 - self_])
                              : fmt::format("one of {} ranks", all.size()),
                       list_of(all));
  }

  static constexpr char const* silent =
      "does not answer, it computes or is in a call of the MPI library";

  mpi::comm_view over_;
  wait_of_thread wait_;
  clock::time_point begin_, deadline_, deadline_of_text_;
  std::vector<int> ranks_;
  std::vector<std::optional<answer>> answers_; ///< [ranks_]
  std::int64_t self_ = 0, asked_ = 0;
  std::int64_t number_ = 0;
  bool has_lower_reporter_ = false;
};

/// Messages that are sent without a wait for them.
class outbound {
public:
  template <class Message>
  void send(mpi::comm_view over, Message const& message, int to, tag as) {
    entry& made = all_.emplace_back();
    std::memcpy(made.bytes.data(), &message, sizeof message);
    mpi::check(MPI_Isend(made.bytes.data(), static_cast<int>(sizeof message), MPI_BYTE, to, as,
                         over.native(), &made.request),
               "MPI_Isend");
  }

  void erase_complete_sends() {
    std::erase_if(all_, [](entry& sent) {
      int done = 0;
      mpi::check(MPI_Test(&sent.request, &done, MPI_STATUS_IGNORE), "MPI_Test");
      return done != 0;
    });
  }

private:
  struct entry {
    MPI_Request request = MPI_REQUEST_NULL;
    std::array<std::byte, std::max(sizeof(question), sizeof(answer))> bytes;
  };
  std::list<entry> all_; ///< a list, so that their addresses never change
};

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
      outbound_ = {};
      over_ = {};
      meetings_ = {};
    } catch (...) { // the program ends anyway
    }
  }

  mpi::comm_view meetings() const noexcept { return meetings_; }

  void ask(int rank, question const& asked) { outbound_.send(over_, asked, rank, questions); }

  bool make_progress() noexcept override {
    note_watch_of_job();
    try {
      list_threads(threads_);
      take_messages();
      outbound_.erase_complete_sends();
      auto const now = clock::now();
      note_calls(now);
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
    mpi::comm_view const over = over_;
    MPI_Status status;
    for (int found = 1;;) {
      mpi::check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, over.native(), &found, &status),
                 "MPI_Iprobe");
      if (found == 0)
        return;
      if (status.MPI_TAG == questions) {
        auto const asked = receive<question>(status);
        outbound_.send(over, reply_to(asked), status.MPI_SOURCE, answers);
      } else if (status.MPI_TAG == notices) {
        auto const answer = receive<notice>(status);
        ids2reported_[answer.id] = answer.finding;
      } else if (auto const reply = receive<answer>(status);
                 inquiry_ && inquiry_->is_of(reply.number)) {
        inquiry_->take(status.MPI_SOURCE, reply);
      }
    }
  }

  template <class Message>
  Message receive(MPI_Status const& status) {
    Message received{};
    auto const into = bytes_of(received);
    mpi::check(MPI_Recv(into.data(), static_cast<int>(into.size()), MPI_BYTE, status.MPI_SOURCE,
                        status.MPI_TAG, over_.native(), MPI_STATUS_IGNORE),
               "MPI_Recv");
    return received;
  }

  answer reply_to(question const& asked) const {
    answer reply{.number = asked.number,
                 .count = count_of_calls(asked.id),
                 .since = 0,
                 .what = doing::computes,
                 .waits_there = 0,
                 .call = {}};
    char const* call = last_call_;
    for (auto const& thread : threads_) {
      char const* const name = thread->name.load(std::memory_order_relaxed);
      auto const wait = wait_of(thread);
      if (wait && wait->id == asked.id)
        reply.waits_there = 1;
      if (name == nullptr || reply.what == doing::waits)
        continue;
      reply.what = wait ? doing::waits : doing::calls;
      call = name;
    }
    if (has_left())
      reply.what = doing::left;
    if (reply.what == doing::computes)
      reply.since = std::chrono::duration<double>(clock::now() - time_of_call_).count();
    if (call != nullptr)
      std::string_view(call)
          .substr(0, reply.call.size() - 1)
          .copy(reply.call.data(), reply.call.size() - 1);
    return reply;
  }

  /// Notes the time of new calls, which note none themselves: they began about now.
  void note_calls(clock::time_point now) {
    for (auto const& thread : threads_) {
      auto const num_calls = thread->num_calls.load(std::memory_order_relaxed);
      bool const is_in_call = thread->name.load(std::memory_order_relaxed) != nullptr;
      auto& noted = threads2calls_[thread.get()];
      if (noted == num_calls && !is_in_call)
        continue;
      noted = num_calls;
      time_of_call_ = now;
      last_call_ = thread->last.load(std::memory_order_relaxed);
    }
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
        inquiry_.emplace(over_, *wait, seen.begin, now);
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
           !inquiry_->ranks().empty();
  }

  void report(clock::time_point now) {
    print_stall(inquiry_->line(now));
    if (is_of_peers(inquiry_->wait().id))
      return;
    notice const answer{inquiry_->wait().id, inquiry_->finding()};
    ids2reported_[answer.id] = answer.finding;
    for (int const rank : inquiry_->ranks())
      if (rank != mpi::comm_view(over_).rank())
        outbound_.send(over_, answer, rank, notices);
  }

  mpi::comm over_, meetings_;
  outbound outbound_;
  std::optional<inquiry> inquiry_;
  std::vector<std::shared_ptr<thread_calls>> threads_; ///< as of this look
  std::map<thread_calls const*, seen_wait> waits_;
  std::map<std::uint64_t, std::int64_t> ids2reported_; ///< findings, by the record's id
  std::map<thread_calls const*, std::uint32_t> threads2calls_;
  clock::duration time_of_limit_{};
  char const* last_call_ = nullptr;
  clock::time_point time_of_call_ = clock::now();
};

void inquiry::ask(int rank) {
  job_watch::of_process().ask(rank, {.id = wait_.id, .number = number_});
}

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

leaving::leaving() noexcept { ++num_leaving; }
leaving::~leaving() { --num_leaving; }
bool has_left() noexcept { return num_leaving.load() > 0; }

} // namespace seam::detail

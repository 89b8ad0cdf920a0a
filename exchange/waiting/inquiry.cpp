#include <seam/exchange/waiting/inquiry.hpp>

#include <seam/exchange/waiting/peers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

namespace seam::detail {
namespace {

/// How long a rank waits for answers of other processes, which may have to wait for a core.
constexpr std::chrono::seconds longest_for_answers{2};

std::int64_t next_number() {
  static std::atomic<std::int64_t> num_inquiries = 0;
  return ++num_inquiries;
}

} // namespace

inquiry::inquiry(mpi::comm_view over, background_sends& sends, wait_of_thread due,
                 clock::time_point begin, clock::time_point now)
    : over_(over), sends_(&sends), wait_(std::move(due)), begin_(begin), number_(next_number()) {
  int const self = over.rank();
  if (auto const processes = processes_of_calls(wait_.id))
    for (int k = 0; k < processes->size(); ++k)
      if (int const rank = (*processes)[k]; rank != self)
        others_.push_back({rank, std::nullopt});
  num_lower_ = static_cast<int>(std::ranges::count_if(others_, [self](asked_rank const& other) {
    return other.rank < self;
  }));
  wait_.thread->text_is_wanted.store(true, std::memory_order_relaxed);
  ask_more(now);
}

void inquiry::take(int rank, watch_answer const& answer) {
  auto const found = std::ranges::lower_bound(others_, rank, {}, &asked_rank::rank);
  if (found == others_.end() || found->rank != rank)
    return;
  found->answer = answer;
  bool const is_lower = found - others_.begin() < num_lower_;
  has_lower_reporter_ = has_lower_reporter_ || (is_lower && answer.waits_there != 0);
}

bool inquiry::advance(clock::time_point now) {
  if (has_lower_reporter_ || !wait_.goes_on())
    return true;
  if (!have_all_answered() && now < deadline_)
    return false;
  if (num_asked_ < std::ssize(others_)) {
    ask_more(now);
    return false;
  }
  return !is_text_expected() || now > deadline_of_text_;
}

/// Asks lower ranks in growing groups, then all higher ranks.
void inquiry::ask_more(clock::time_point now) {
  int const end = num_asked_ < num_lower_ ? std::min(num_lower_, 2 * num_asked_ + 1)
                                          : static_cast<int>(others_.size());
  for (; num_asked_ < end; ++num_asked_)
    sends_->send(over_, watch_question{.id = wait_.id, .number = number_},
                 others_[num_asked_].rank);
  deadline_ = now + longest_for_answers;
  deadline_of_text_ = now + longest_for_answers / 2;
}

bool inquiry::have_all_answered() const {
  return std::ranges::all_of(std::span(others_).first(num_asked_),
                             [](asked_rank const& other) { return other.answer.has_value(); });
}

/// True if the waiting thread looks now and then whether it has to tell what is missing, and has
/// not told it yet.
bool inquiry::is_text_expected() const {
  return wait_.thread->num_watches.load(std::memory_order_relaxed) > 0 &&
         wait_.thread->text_is_wanted.load(std::memory_order_relaxed);
}

std::string inquiry::line(clock::time_point now) const {
  std::string text = fmt::format("seam: rank {} has waited for {:.3g} s in {}", over_.rank(),
                                 std::chrono::duration<double>(now - begin_).count(), wait_.name);
  bool const is_asking = !others_.empty();
  if (is_asking && is_of_peers(wait_.id))
    text += words_of_peers(others_);
  else if (is_asking)
    text += fmt::format(", a call of {} ranks: {}", others_.size() + 1,
                        words_of_missing(others_, wait_.name, wait_.number));
  std::scoped_lock const lock(wait_.thread->text_mutex);
  if (!wait_.thread->text.empty())
    text += fmt::format("{} {}", is_asking ? ";" : ":", wait_.thread->text);
  return text;
}

bool inquiry::is_hopeless() const {
  return !is_of_peers(wait_.id) && std::ranges::any_of(others_, [this](asked_rank const& other) {
    return other.answer && other.answer->state == process_state::has_left &&
           other.answer->count < wait_.number;
  });
}

std::int64_t inquiry::finding() const {
  std::int64_t const fewest = fewest_calls(others_, wait_.number);
  return 2 * fewest + (fewest < wait_.number ? 1 : 0);
}

} // namespace seam::detail

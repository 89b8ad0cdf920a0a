#include <seam/exchange/partitioned/aggregation.hpp>

#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/partitioned/channel_tags.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

/// The weight of a new observation; all earlier ones together have the rest.
constexpr double weight_of_last = 0.5;

/// Epochs that are observed before partitions are first kept waiting.
constexpr int epochs_before_aggregating = 3;

/// The shortest time that partitions wait for others that do not become ready. [s]
constexpr double shortest_wait = 2e-5;

} // namespace

aggregation::aggregation(int partitions, std::optional<int> messages,
                         std::shared_ptr<sending_time> sending)
    : fixed_(messages),
      may_wait_(mpi::thread_level() == MPI_THREAD_MULTIPLE),
      messages_(std::min({messages.value_or(partitions), partitions, most_messages})),
      of_all_(sending != nullptr ? std::move(sending) : std::make_shared<sending_time>()) {}

void aggregation::begin() noexcept {
  if (fixed_)
    together_ = messages_ == 1;
  else
    decide();
  first_ready_.store(0, std::memory_order_relaxed);
  all_ready_.store(0, std::memory_order_relaxed);
  was_split_.store(false, std::memory_order_relaxed);
}

void aggregation::note_ready() noexcept {
  if (first_ready_.load(std::memory_order_relaxed) != 0)
    return;
  clock::rep none = 0;
  auto const sent = of_all_->all.load(std::memory_order_relaxed);
  if (first_ready_.compare_exchange_strong(none, clock::now().time_since_epoch().count()))
    sent_at_first_.store(sent, std::memory_order_relaxed);
}

void aggregation::note_all_ready() noexcept {
  sent_at_last_.store(of_all_->all.load(std::memory_order_relaxed), std::memory_order_relaxed);
  all_ready_.store(clock::now().time_since_epoch().count(), std::memory_order_relaxed);
}

void aggregation::note_sending(clock::duration cost) noexcept {
  was_split_.store(true, std::memory_order_relaxed);
  note_sending_whole(cost);
}

void aggregation::note_sending_whole(clock::duration cost) noexcept {
  of_all_->all.fetch_add(cost.count(), std::memory_order_relaxed);
}

bool aggregation::has_waited_too_long() const noexcept {
  auto const first = first_ready_.load(std::memory_order_relaxed);
  if (first == 0 || fixed_)
    return false;
  std::chrono::duration<double> const waited =
      clock::now() - clock::time_point(clock::duration(first));
  return waited.count() > std::max(shortest_wait, cost_);
}

/// Splitting an epoch pays as long as sending takes no longer than the partitions take to become
/// ready: all messages but the last are then hidden in this time.
void aggregation::decide() noexcept {
  using seconds = std::chrono::duration<double>;
  auto const first = first_ready_.load(std::memory_order_relaxed);
  auto const last = all_ready_.load(std::memory_order_relaxed);
  if (first == 0 || last == 0)
    return;
  auto const sent = sent_at_last_.load(std::memory_order_relaxed) -
                    sent_at_first_.load(std::memory_order_relaxed);
  double const sending = seconds(clock::duration(sent)).count();
  if (was_split_.load(std::memory_order_relaxed) && sending > 0)
    cost_ = sending;
  double const observed = seconds(clock::duration(last - first)).count() - sending;
  spread_ += weight_of_last * (std::max(observed, 0.0) - spread_);
  together_ = may_wait_ && ++epochs_ >= epochs_before_aggregating && spread_ < cost_;
}

} // namespace seam::detail

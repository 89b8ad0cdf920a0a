/// The state of a partitioned operation: its parts, whether it is active, and the checks of its
/// calls. It numbers the partitions of all parts that leave, and those that arrive, through.
#pragma once

#include <seam/exchange/ground/kept_error.hpp>
#include <seam/exchange/ground/turn.hpp>
#include <seam/exchange/partitioned/detail/part.hpp>
#include <seam/exchange/partitioned/partitioned_operation.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>
#include <seam/exchange/waiting/stall.hpp>
#include <seam/exchange/waiting/thread_level.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seam::detail {

/// Numbers the partitions that leave, or those that arrive. Immutable.
class partition_numbers {
public:
  using part_size = int (part::*)() const;

  /// @param size     the number of partitions of a part
  /// @param for_all  all ends have the same partitions, which are numbered once
  partition_numbers(std::vector<part_end> const& ends, part_size size, bool for_all);

  /// One end with the numbers of its partitions: `count` from `first` on.
  struct numbered_end {
    part_end end;
    int first, count;
  };

  int total() const noexcept { return total_; }

  /// The end of `edge`, or nullptr.
  numbered_end const* find(int edge) const;

  /// Calls visit(part, first, last) with the own numbers of the partitions of each part that
  /// [first, last) contains, until it returns a partition instead of -1. Returns the number of this
  /// partition, or -1.
  template <class Visit>
  int for_each_part(int first, int last, Visit visit) const {
    for (auto end = for_all_ ? ends_.begin() : end_with(first); end != ends_.end(); ++end) {
      if (end->first >= last)
        break;
      int const from = std::max(first - end->first, 0);
      int const to = std::min(last - end->first, end->count);
      if (int const found = from < to ? visit(*end->end.of, from, to) : -1; found >= 0)
        return end->first + found;
    }
    return -1;
  }

  /// The edges of all ends, for errors: "0, 1, 3".
  std::string edges() const;

private:
  /// The last end that begins at or before `partition`.
  std::vector<numbered_end>::const_iterator end_with(int partition) const {
    auto const behind = std::ranges::upper_bound(ends_, partition, {}, &numbered_end::first);
    return behind == ends_.begin() ? behind : behind - 1;
  }

  std::vector<numbered_end> ends_;
  int total_ = 0;
  bool for_all_;
};

/// Refusals of calls of a partitioned operation.
class operation_checks {
public:
  explicit operation_checks(partitioned_parts const& parts) : parts_(parts) {}

  /// @throws usage_error  the communicator of the operation is gone
  void context(char const* call) const {
    if (is_gone()) [[unlikely]]
      refuse_gone(call);
  }

  /// @throws usage_error  partitions low to high are not among `count`
  void range(char const* call, int low, int high, int count) const {
    if (low < 0 || low > high || high >= count) [[unlikely]]
      refuse_range(call, low, high, count);
  }

  /// @throws usage_error  there is no end of `edge`
  /// @param direction  "source" or "destination"
  partition_numbers::numbered_end const& end(partition_numbers const& ends, char const* call,
                                             char const* direction, int edge) const;

  [[noreturn]] void refuse_active_start() const;
  [[noreturn]] void refuse_inactive(char const* call) const;
  [[noreturn]] void refuse_inactive(char const* call, int partition) const;
  [[noreturn]] void refuse_second(char const* call, int partition) const;

  /// True once the communicator of the operation is gone.
  bool is_gone() const noexcept {
    return parts_.is_gone != nullptr && parts_.is_gone->load(std::memory_order_acquire);
  }

private:
  [[noreturn]] void refuse_gone(char const* call) const;
  [[noreturn]] void refuse_range(char const* call, int low, int high, int count) const;

  partitioned_parts const& parts_;
};

/// The line that lists the partitions that `parts` lack. Local.
std::string missing_of(partitioned_parts const& parts);

/// Partitions as text: "partitions 1, 3", "partition 2"; of many the first eight. Local.
std::string list_of_partitions(std::vector<int> const& partitions);

} // namespace seam::detail

struct seam::partitioned_operation::state final : detail::progressable {
  using clock = std::chrono::steady_clock;

  explicit state(partitioned_parts made);
  ~state() override;

  void start();

  bool is_active() const noexcept { return active_.load(std::memory_order_acquire); }

  void check_active(char const* call) const {
    if (!is_active()) [[unlikely]]
      check.refuse_inactive(call);
  }

  /// Marks partitions low to high ready, among those of all destinations or of one.
  void ready(char const* call, int low, int high);
  void ready(char const* call, int low, int high, int destination);

  bool arrived(int partition);
  bool arrived(int partition, int source);

  /// Makes progress; returns true if the operation is inactive.
  bool test();

  /// Errors are kept and thrown by the user's next call. The other parts go on, as other processes
  /// may wait for them.
  bool make_progress() noexcept override;

  /// Partitions that this process has not marked ready. Allocates.
  std::vector<int> not_ready() const;

  /// "wait: psend_init to rank 3 is active, and partitions 1, 2 are not ready (expected ...)"
  std::string line_of_active(char const* call) const;

  bool may_be_freed() const { return !is_active() || failure.is_set() || check.is_gone(); }

  partitioned_parts parts;
  detail::operation_checks check;
  detail::partition_numbers leaving, arriving;
  std::atomic<bool> is_waited_for = false; ///< by a thread, which reports the stall itself
  char const* name_of_call = detail::lasting_name(parts.name);
  std::int64_t number = 0; ///< number of the last start in the record
  detail::kept_error failure;

private:
  bool test_parts();
  bool report_stall() noexcept;

  template <class Look>
  bool has_arrived(Look look);

  std::optional<stall_time> report_after_;
  std::atomic<clock::time_point> started_ = clock::time_point();
  std::atomic<bool> reported_ = false;
  std::atomic<bool> active_ = false;
  std::atomic_flag testing_;
};

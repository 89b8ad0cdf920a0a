/// The state of a partitioned operation: its parts, whether it is active, and the checks of its
/// calls.
#pragma once

#include <seam/exchange/ground/kept_error.hpp>
#include <seam/exchange/ground/turn.hpp>
#include <seam/exchange/partitioned/partition_numbers.hpp>
#include <seam/exchange/partitioned/partitioned_operation.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>
#include <seam/exchange/waiting/stall.hpp>
#include <seam/exchange/waiting/thread_level.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seam::detail {

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

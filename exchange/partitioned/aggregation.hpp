/// Aggregation: in how many messages the partitions of an edge travel.
///
/// seam observes from epoch to epoch whether partitions become ready together or one by one.
/// Partitions that become ready together leave as one message, at the cost of one. Otherwise each
/// leaves as a message of its own as soon as it is ready, if sending takes no longer than the time
/// between the first ready partition and the last. Users may set any number of messages between the
/// two. Below MPI_THREAD_MULTIPLE there is no progress thread that sends waiting partitions while
/// the program computes; each partition then leaves at once unless the user has set a number.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

namespace seam::detail {

/// Divides partitions [0, partitions) among messages [0, messages), in order and evenly.
struct message_layout {
  int partitions = 0;
  int messages = 0;

  int first_of(int message) const noexcept {
    return static_cast<int>(std::int64_t{message} * partitions / messages);
  }
  int message_of(int partition) const noexcept {
    return static_cast<int>((std::int64_t{partition + 1} * messages - 1) / partitions);
  }
  friend bool operator==(message_layout const&, message_layout const&) = default;
};

/// The time that the senders of one operation have spent on sending since it was made. A thread
/// that marks a partition for several senders sends several messages, and these delay the next
/// partition of each sender. Threads: any.
struct sending_time {
  std::atomic<std::chrono::steady_clock::rep> all = 0;
};

/// Decides on the messages of one sender. Threads: the note functions from any, the rest by one at
/// a time.
class aggregation {
public:
  /// @param messages  fixed by the user, 1 to the number of partitions; empty: as observed
  /// @param sending   of all senders of the operation; nullptr: only of this one
  aggregation(int partitions, std::optional<int> messages,
              std::shared_ptr<sending_time> sending = nullptr);

  /// Begins an epoch, and decides by the observations of earlier ones.
  void begin() noexcept;

  using clock = std::chrono::steady_clock;

  /// Notes that a partition is ready (only the first call in an epoch counts), and that all are.
  void note_ready() noexcept;
  void note_all_ready() noexcept;

  /// Note the cost of sending one of several messages, and of sending a whole epoch.
  void note_sending(clock::duration cost) noexcept;
  void note_sending_whole(clock::duration cost) noexcept;

  /// True if the operation has other senders, which take account of the cost of sending the whole.
  bool is_one_of_several() const noexcept { return of_all_.use_count() > 1; }

  /// True if partitions are expected to become ready together: the first ones wait for the others.
  bool expects_all_together() const noexcept { return together_; }

  /// True if partitions have waited for the others longer than messages of their own would cost.
  bool has_waited_too_long() const noexcept;

  /// Number of messages of an epoch whose partitions do not leave together.
  int num_messages() const noexcept { return messages_; }

  /// True if the user has fixed the number of messages.
  bool is_fixed() const noexcept { return fixed_.has_value(); }

private:
  void decide() noexcept;

  std::optional<int> fixed_;
  bool may_wait_; ///< a progress thread sends partitions that have waited too long
  int messages_;
  bool together_ = false;
  int epochs_ = 0;
  double spread_ = 0; ///< from the first ready partition to the last, without sends [s]
  double cost_ = 0;   ///< of the messages of a split epoch, of all senders [s]
  std::shared_ptr<sending_time> of_all_;
  std::atomic<clock::rep> first_ready_ = 0, all_ready_ = 0;
  std::atomic<clock::rep> sent_at_first_ = 0, sent_at_last_ = 0; ///< of_all_ at those times
  std::atomic<bool> was_split_ = false;
};

} // namespace seam::detail

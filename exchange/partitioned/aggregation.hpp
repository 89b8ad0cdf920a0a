/// Aggregation: in how many messages the partitions of an edge travel.
///
/// Whether partitions become ready together or one by one is observed from epoch to epoch.
/// Together, they leave as one message, which costs what one message costs. Apart, each leaves as a
/// message of its own as soon as it is ready, if all but the last of these hide behind the time
/// between the first partition and the last. Users set any number of messages between the two.
/// Below MPI_THREAD_MULTIPLE no thread could send what waits while the program does something else,
/// and each partition leaves at once unless the user has set a number.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

namespace seam {

/// How partitions [0, partitions) are shared out to messages [0, messages), in order and evenly.
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

/// What the senders of one operation have spent on sending since it was made. A thread that marks a
/// partition for several of them sends several messages, which keep each one's next partition
/// waiting. Threads: any.
struct sending_time {
  std::atomic<std::chrono::steady_clock::rep> all = 0;
};

/// Decides for one sender. Threads: the notes from any, the rest by one at a time.
class aggregation {
public:
  /// @param messages  fixed by the user, 1 to the number of partitions; nothing: as observed
  /// @param sending   of all senders of the operation; nullptr: of this one alone
  aggregation(int partitions, std::optional<int> messages,
              std::shared_ptr<sending_time> sending = nullptr);

  /// Begins an epoch with what the last ones have taught.
  void begin() noexcept;

  using clock = std::chrono::steady_clock;

  /// A partition is ready: of interest is the first in an epoch, and that all are.
  void note_ready() noexcept;
  void note_all_ready() noexcept;

  /// What sending one of several messages has cost, or a message of the whole.
  void note_sending(clock::duration cost) noexcept;
  void note_sending_whole(clock::duration cost) noexcept;

  /// True if others of the operation want to know what sending the whole costs.
  bool is_one_of_several() const noexcept { return of_all_.use_count() > 1; }

  /// True: this epoch's partitions are expected together, so the first one waits for the others.
  bool expects_all_together() const noexcept { return together_; }

  /// True if partitions have waited for the others longer than is worth it.
  bool has_waited_too_long() const noexcept;

  /// Messages of an epoch whose partitions do not leave together.
  int num_messages() const noexcept { return messages_; }

  /// True if the user has fixed the number of messages.
  bool is_fixed() const noexcept { return fixed_.has_value(); }

private:
  void decide() noexcept;

  std::optional<int> fixed_;
  bool may_wait_; ///< the progress thread lets partitions go whose company does not come
  int messages_;
  bool together_ = false;
  int epochs_ = 0;
  double spread_ = 0; ///< from the first ready partition to the last, without sends [s]
  double cost_ = 0;   ///< of the messages of a split epoch, of all senders [s]
  std::shared_ptr<sending_time> of_all_;
  std::atomic<clock::rep> first_ready_ = 0, all_ready_ = 0;
  std::atomic<clock::rep> sent_at_first_ = 0, sent_at_last_ = 0; ///< of_all_ at these times
  std::atomic<bool> was_split_ = false;
};

} // namespace seam

/// Channels: partitioned data along one directed edge, from a sending end to a receiving end.
///
///     on-node    each partition by itself, through shared memory (lane.hpp)
///     off-node   the whole epoch in one message, or an announcement and then several messages
///
/// The sender chooses between the two off-node forms in each epoch, as late as it can. The
/// announcement is a message without useful content, whose length says how many messages follow;
/// the receiver expects them from then on. So neither form needs an agreement beforehand, and a
/// whole epoch costs one message.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/partitioned/aggregation.hpp>
#include <seam/exchange/partitioned/detail/buffer.hpp>
#include <seam/exchange/partitioned/detail/part.hpp>
#include <seam/exchange/partitioned/settings.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace seam::detail {

/// One end of a channel.
struct channel_end {
  std::string name; ///< as error lines name it: "psend_init to rank 3, tag 0"
  int peer;         ///< or MPI_PROC_NULL: partitions are not sent, and count as arrived at once
  int tag;          ///< the user's, or the number of a collective
  partitioned_buffer buffer;
  bool alike = false; ///< both ends are asserted to have as many partitions

  /// Memory of the node [lane_bytes()] through which the partitions of a sender travel. nullptr:
  /// they are sent by MPI.
  std::shared_ptr<std::byte> memory{};

  std::shared_ptr<sending_time> sending{}; ///< of all senders, if there are several
};

/// Refuses a number of messages in which `partitions` cannot travel.
/// @param call  begins the error line
/// Local.
void check_messages(char const* call, partitioned_settings const& settings, int partitions);

/// The bytes that leave along the edge, and the way that they take.
/// @param end  of a sender
outgoing_load load_of(channel_end const& end);

/// Make the ends of a channel. A sending end uses the memory of the node if `end` has some.
/// @param messages  number of messages of a split epoch; empty: as observed. The memory of the node
///                  carries each partition by itself whatever this says
/// Local.
std::unique_ptr<part> make_sending_end(Communicator const& over, channel_end const& end,
                                       std::optional<int> messages);
std::unique_ptr<part> make_message_sending_end(Communicator const& over, channel_end const& end,
                                               std::optional<int> messages);
std::unique_ptr<part> make_shared_sending_end(Communicator const& over, channel_end const& end);
std::unique_ptr<part> make_receiving_end(Communicator const& over, channel_end const& end);

/// Makes the edge from a process to itself: partitions are copied when they are ready.
/// @param from, into  of the same number of bytes
/// Local.
std::unique_ptr<part> make_own_edge(partitioned_buffer const& from, partitioned_buffer const& into);

/// Whether the epoch of one end of a channel is complete. Complete before the first begin().
class epoch_progress {
public:
  void begin(bool is_complete = false) noexcept { complete_.store(is_complete); }

  /// Returns true if the epoch is complete. Otherwise calls advance(), which returns whether it is
  /// complete now, unless another thread holds mutex().
  /// Threads: any.
  template <class Advance>
  bool test(Advance const& advance) {
    if (complete_.load(std::memory_order_acquire))
      return true;
    std::unique_lock const alone(progress_, std::try_to_lock);
    if (!alone.owns_lock())
      return false;
    if (complete_.load(std::memory_order_acquire))
      return true;
    bool const done = advance();
    complete_.store(done, std::memory_order_release);
    return done;
  }

  /// Is held by the thread that advances the epoch.
  std::mutex& mutex() noexcept { return progress_; }

private:
  std::atomic<bool> complete_ = true;
  std::mutex progress_;
};

} // namespace seam::detail

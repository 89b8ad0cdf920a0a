/// Lanes: links through which partitions travel in the memory of a node, each on its own and
/// without messages. Instead of one offer for each epoch there is a mark for each partition, and
/// only the sender makes a lane: all of it lies in the sender's memory.
///
///     taken      <--- the last epoch whose partitions the receiver has
///     prepared   <--- the last epoch for which the receiver's buffer is ready
///     marks [p]  ---> the last epoch in which partition p has been marked
///     slots      ---> packed partitions, unless the receiver reads user memory
///
/// The sender marks a partition by one atomic operation, which never waits. The receiver copies it
/// from the memory of the user if that is shared (see shared_memory.hpp), otherwise from a slot.
/// Short epochs are packed into slots in turn, so that a sender may be some epochs ahead of its
/// receiver and need not wait for it; long ones have one slot, or none, and have left when the
/// receiver has taken them.
#pragma once

#include <seam/exchange/ground/detail/countdown.hpp>
#include <seam/exchange/partitioned/channel.hpp>
#include <seam/exchange/partitioned/marks.hpp>
#include <seam/exchange/partitioned/meeting.hpp>
#include <seam/exchange/partitioned/wire.hpp>
#include <seam/exchange/transport/node/link.hpp>

#include <atomic>
#include <memory>
#include <vector>

namespace seam::detail {

/// Bytes of the node's memory that a sending end needs. 0 if its partitions are sent by MPI: the
/// receiver is off-node, or a long buffer would have to be packed, which MPI copies once. Local.
std::int64_t lane_bytes(Communicator const& over, channel_end const& end);

/// Takes lane_bytes() of the shared memory that exists already; nullptr if it does not suffice, or
/// none is needed. Local.
std::shared_ptr<std::byte> take_lane(Communicator const& over, channel_end const& end);

/// The sender's side. Threads: mark() from any thread, the rest by one.
class sending_lane {
public:
  /// @param end  with memory
  sending_lane(Communicator const& over, channel_end const& end);
  sending_lane(sending_lane const&) = delete;
  sending_lane& operator=(sending_lane const&) = delete;
  ~sending_lane();

  /// The places in shared memory that the receiver has to know.
  shown_lane shown() const noexcept { return shown_; }

  void start() noexcept {
    ++epoch_;
    num_marked_ = 0;
    packed_.clear();
  }

  /// Packs and marks partitions [first, last). Returns one that was marked already, or -1.
  int mark(int first, int last);

  /// Returns true if all partitions are marked and may be written again.
  bool have_left() noexcept;

  /// True if the receiver has prepared its buffer for this epoch.
  bool is_prepared() const noexcept { return words_->prepared.load() >= epoch_; }

  std::vector<int> not_marked() const;

  partition_wire const& wire() const noexcept { return wire_; }

  /// The words at the beginning of the lane's memory.
  struct words {
    alignas(64) shared_word taken = 0, prepared = 0;
  };

private:
  int mark_packed(int first, int last);
  int mark_lent(int first, int last);
  bool is_marked(int partition) const noexcept {
    return marks_[partition].load(std::memory_order_relaxed) == epoch_;
  }

  std::shared_ptr<std::byte> memory_;
  partition_wire wire_;
  words* words_;
  shared_word* marks_; ///< [partitions]
  sending_link link_;
  shown_lane shown_;
  marks packed_; ///< partitions that a thread packs or has packed; of size 0 if none are packed
  std::uint64_t epoch_ = 0;
  int num_marked_ = 0; ///< partitions before this one are known to be marked
};

/// The receiver's side. Threads: take() from any thread, the rest by one.
class receiving_lane {
public:
  /// @param sender   the sender's places in shared memory, for `sender_partitions` partitions
  /// @param arrived  notes partitions that have been taken; must outlive the lane, as must `into`
  receiving_lane(shown_lane const& sender, int sender_partitions, partition_wire const& into,
                 marks& arrived);

  void start();

  /// Takes `partition` if it is there and no thread has taken it.
  void take(int partition);

  /// Takes the partitions that are there; returns true if the epoch has been taken.
  bool take_all();

  /// Tells the sender that the buffer of this epoch is ready.
  void prepare() noexcept { words_->prepared.store(epoch_); }

private:
  bool is_there(int partition) const noexcept;

  partition_wire const& into_;
  marks& arrived_;
  marks claimed_;
  sending_lane::words* words_;
  shared_word const* marks_; ///< [partitions of the sender]
  receiving_link link_;
  std::int64_t sender_partition_bytes_;
  std::uint64_t epoch_ = 0;
  int first_left_ = 0; ///< partitions before this one have arrived
  countdown left_;
  std::atomic<bool> complete_ = true;
};

} // namespace seam::detail

/// Lanes: how partitions travel through the memory of a node, each on its own and without messages.
///
///     sender's memory   taken      <--- the epoch whose partitions the receiver has, all of them
///                       prepared   <--- the epoch for which the receiver's buffer is ready
///                       marks [p]  ---> the last epoch in which partition p has been marked
///                       slots      ---> packed partitions, unless the receiver reads the user's
///
/// A partition is marked by one atomic operation, for which nobody waits, and copied by the
/// receiver: from the memory of the user if that is shared (see shared_memory.hpp), otherwise from
/// a slot. Short epochs are packed into slots in turn, so that a sender may be some epochs ahead of
/// its receiver and need not wait for it; long ones have one slot, or none, and are sent when they
/// have been taken.
#pragma once

#include <seam/exchange/partitioned/channel.hpp>
#include <seam/exchange/partitioned/marks.hpp>
#include <seam/exchange/partitioned/meeting.hpp>
#include <seam/exchange/partitioned/wire.hpp>
#include <seam/exchange/transport/shared/lines.hpp>

#include <atomic>
#include <memory>
#include <vector>

namespace seam {

/// Looks between calls of the MPI library, in which others may wait for this process.
inline constexpr int looks_between_progress = 1000;

/// Bytes of the node's memory that a sending end needs, 0 if its partitions go by messages: the
/// receiver is elsewhere, or a long buffer would have to be packed that MPI copies once. Local.
std::int64_t lane_bytes(Communicator const& over, channel_end const& what);

/// That much of what is there already; nullptr if it is not, or none is needed. Local.
std::shared_ptr<std::byte> take_lane(Communicator const& over, channel_end const& what);

/// The sender's side. Threads: mark() from any, the rest by one.
class sending_lane {
public:
  /// @param what  with memory
  sending_lane(Communicator const& over, channel_end const& what);
  sending_lane(sending_lane const&) = delete;
  sending_lane& operator=(sending_lane const&) = delete;
  ~sending_lane();

  /// What the receiver has to know.
  shown_lane shown() const noexcept { return shown_; }

  void start() noexcept {
    ++epoch_;
    num_marked_ = 0;
    packed_.clear();
  }

  /// Packs and marks partitions [first, last). Returns one that was marked already, or -1.
  int mark(int first, int last);

  /// True if all are marked and may be written again.
  bool have_left() noexcept;

  /// True if the receiver has prepared its buffer for this epoch.
  bool is_prepared() const noexcept { return words_->prepared.load() >= epoch_; }

  std::vector<int> not_marked() const;

  partition_wire const& wire() const noexcept { return wire_; }

  /// At the beginning of the lane's memory.
  struct words {
    alignas(64) shared_word taken = 0, prepared = 0;
  };

private:
  int mark_packed(int first, int last);
  int mark_lent(int first, int last);
  std::byte* slot_now() const noexcept;
  bool is_marked(int partition) const noexcept {
    return marks_[partition].load(std::memory_order_relaxed) == epoch_;
  }

  std::shared_ptr<std::byte> memory_;
  partition_wire wire_;
  words* words_;
  shared_word* marks_; ///< [partitions]
  std::byte* slots_;
  shown_lane shown_;
  marks packed_; ///< partitions that a thread packs, or has packed; of no size if none are
  std::uint64_t epoch_ = 0;
  int num_marked_ = 0; ///< partitions before this one are known to be marked
};

/// The receiver's side. Threads: take() from any, the rest by one.
class receiving_lane {
public:
  /// @param sender   what the sender shows, of so many partitions
  /// @param arrived  where taken partitions are noted; outlives the lane, as `into`
  receiving_lane(shown_lane const& sender, int sender_partitions, partition_wire const& into,
                 marks& arrived);

  void start();

  /// Takes `partition` if it is there and nobody has taken it.
  void take(int partition);

  /// Takes what is there; true if all of the epoch has been taken.
  bool take_all();

  /// Tells the sender that the buffer is ready.
  void prepare() noexcept { words_->prepared.store(epoch_); }

private:
  bool is_there(int partition) const noexcept;
  std::byte const* data_now() const noexcept;

  partition_wire const& into_;
  marks& arrived_;
  marks claimed_;
  sending_lane::words* words_;
  shared_word const* marks_; ///< of the sender's partitions
  std::byte const* data_;
  std::uint64_t num_slots_; ///< that epochs use in turn
  std::int64_t sender_partition_bytes_;
  std::uint64_t epoch_ = 0;
  int first_left_ = 0; ///< partitions before this one have arrived
  std::atomic<int> left_ = 0;
  std::atomic<bool> complete_ = true;
};

} // namespace seam

/// Mailboxes: where the messages to one endpoint meet its receives.
///
///     arrival  -- a posted receive matches? -- yes --> copied into the receive
///                                              no  --> kept until a receive comes
///
/// Each endpoint has a mailbox in each of its contexts, so that receives of one do not slow another
/// down. Receives and arrivals are found by a hash of source and tag; receives that match any
/// source or tag wait in a list of their own, and numbers say which receive came first.
///
/// Short messages of endpoints of the same process come by rings, which the receiver empties when
/// it looks for a message; all others are delivered by their senders.
#pragma once

#include <seam/exchange/endpoints/line_ring.hpp>
#include <seam/exchange/ground/cache_line.hpp>
#include <seam/exchange/mpi/detail/context.hpp>

#include <sched.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace seam::detail {

/// A list of objects of type T, linked by their members `Previous` and `Next`. Owns nothing.
template <class T, T* T::*Previous, T* T::*Next>
class chain {
public:
  T* first() const noexcept { return first_; }

  void append(T& last) noexcept {
    last.*Previous = last_;
    last.*Next = nullptr;
    (last_ != nullptr ? last_->*Next : first_) = &last;
    last_ = &last;
  }

  void remove(T& linked) noexcept {
    (linked.*Previous != nullptr ? linked.*Previous->*Next : first_) = linked.*Next;
    (linked.*Next != nullptr ? linked.*Next->*Previous : last_) = linked.*Previous;
  }

  /// The first object for which `suits` is true, or nullptr.
  template <class Suits>
  T* find(Suits const& suits) const {
    for (T* linked = first_; linked != nullptr; linked = linked->*Next)
      if (suits(*linked))
        return linked;
    return nullptr;
  }

private:
  T *first_ = nullptr, *last_ = nullptr;
};

/// A mutex that spins, and gives the core away after a while: the thread that holds it may need one.
class spin_lock {
public:
  void lock() noexcept {
    for (int looks = 1; taken_.test_and_set(std::memory_order_acquire); ++looks)
      while (taken_.test(std::memory_order_relaxed))
        if (++looks % looks_between_yields == 0)
          sched_yield();
  }
  bool try_lock() noexcept { return !taken_.test_and_set(std::memory_order_acquire); }
  void unlock() noexcept { taken_.clear(std::memory_order_release); }

private:
  static constexpr int looks_between_yields = 128;

  std::atomic_flag taken_;
};

/// Messages up to this length are copied when no receive waits for them; the sender of a longer one
/// keeps it until its receive comes. [bytes]
inline constexpr std::int64_t longest_kept_message = 4096;

/// A long message of another process, whose content comes when it is asked for.
struct remote_content {
  int process = -1;
  int tag = 0;
};

/// A message that has arrived before its receive.
struct kept_message {
  mpi::arrived_message message{};
  mpi::transfer* sender = nullptr; ///< keeps the content; nullptr: it is here
  remote_content remote;           ///< where the content is if `is_remote`
  bool is_remote = false;
  std::array<std::byte, line_ring::longest> short_content;
  std::vector<std::byte> long_content; ///< keeps its memory for later messages

  bool is_short() const noexcept { return message.bytes <= line_ring::longest; }
  std::byte const* content() const noexcept {
    return is_short() ? short_content.data() : long_content.data();
  }

  kept_message *previous = nullptr, *next = nullptr;                 ///< of its hash
  kept_message *previous_arrival = nullptr, *next_arrival = nullptr; ///< of all
};

/// Brings the content of messages of other processes.
class content_bringer {
public:
  content_bringer() = default;
  content_bringer(content_bringer const&) = delete;
  content_bringer& operator=(content_bringer const&) = delete;
  virtual ~content_bringer() = default;

  /// Starts to receive `bytes` into `into`, which ends the transfer.
  virtual void bring(remote_content const& from, std::int64_t bytes, mpi::transfer& into) = 0;
};

/// The messages and receives of one endpoint in one context.
/// Threads: any.
class mailbox {
public:
  /// @param bringer      may be nullptr if all messages come from this process
  /// @param num_senders  endpoints of this process
  mailbox(content_bringer* bringer, int num_senders);
  mailbox(mailbox const&) = delete;
  mailbox& operator=(mailbox const&) = delete;
  ~mailbox();

  /// Delivers `message`, which an endpoint of this process sends as rank `source`.
  /// @param sender  its index among the endpoints of the process
  void deliver(mpi::transfer& message, int source, int sender);

  /// Delivers a message of another process, with its content, or with its place.
  void deliver(mpi::arrived_message const& message, std::byte const* content);
  void deliver(mpi::arrived_message const& message, remote_content const& remote);

  /// Starts a receive.
  void receive(mpi::transfer& into);

  /// Takes what has come by rings.
  void look_into_lanes();

  /// Receives a message that take() has returned.
  void receive(std::unique_ptr<kept_message> taken, mpi::transfer& into);

  bool cancel(mpi::transfer& receive);
  std::optional<mpi::arrived_message> look(int source, int tag);
  std::unique_ptr<kept_message> take(int source, int tag);

  /// True if neither receives nor messages wait here.
  bool is_empty();

private:
  using receives = chain<mpi::transfer, &mpi::transfer::previous, &mpi::transfer::next>;
  using messages = chain<kept_message, &kept_message::previous, &kept_message::next>;
  using arrivals =
      chain<kept_message, &kept_message::previous_arrival, &kept_message::next_arrival>;

  // Buckets are written by the receiver, rings looked up by senders: none share a line.
  struct alignas(cache_line) bucket {
    receives posted;
    messages kept;
  };
  struct alignas(line_pair) lane_of_sender {
    std::atomic<line_ring*> made = nullptr;
  };

  bucket& bucket_of(int source, int tag);
  mpi::transfer* take_receive(int source, int tag);
  receives& list_of(mpi::transfer const& receive);
  kept_message* find(int source, int tag);
  void unlink(kept_message& message);
  kept_message& keep(mpi::arrived_message const& message);
  std::unique_ptr<kept_message> new_message();
  void recycle(std::unique_ptr<kept_message> message);
  void grow();
  void hand_over(kept_message& message, mpi::transfer& into);
  void post(mpi::transfer& receive);
  void withdraw(mpi::transfer& receive);
  void keep_content(kept_message& kept, std::byte const* content);
  void deliver_behind_ring(mpi::transfer& message, int source, std::atomic<line_ring*>& of_sender);
  void make_ring(int source, std::atomic<line_ring*>& of_sender);
  void empty(line_ring& filled, mpi::transfer const* until = nullptr);
  void empty_lanes(mpi::transfer const* until = nullptr);
  void close_lanes();

  alignas(line_pair) spin_lock lock_;
  std::vector<bucket> buckets_;
  receives posted_for_any_;
  arrivals kept_;
  std::uint64_t num_receives_ = 0; ///< posted so far
  std::int64_t num_linked_ = 0;    ///< receives and messages that wait
  int num_with_call_ = 0;          ///< receives that wait, and whose owners do not look for them
  std::vector<std::unique_ptr<kept_message>> spare_;
  content_bringer* bringer_;

  // Read without the lock, and written with it.
  alignas(line_pair) std::vector<lane_of_sender> lanes_;
  std::atomic<line_ring*> first_ring_ = nullptr;
};

} // namespace seam::detail

/// The links through which the nonblocking calls on one communicator exchange their messages inside
/// a node. Any number of calls may be in flight, and complete in any order; no start waits.
///
/// Only the sender makes a link, in memory that the processes of its node share already, and tells
/// its receiver the place in a message of MPI beside those of their first call (the hello). The
/// receiver then says from which epoch on it looks at the link.
///
///     sender    takes memory, hello          --->
///                                            <---   first: the first epoch that may use the link
///     sender    an epoch whose place is free --->   lines (call_messages.hpp)
///     sender    any other epoch              --->   messages of MPI, and a word that says so
///                                            <---   taken [places]: the last epoch of each place
///
/// Both ends count the calls in which one sends to the other: an epoch each. Calls complete in any
/// order, and so the receiver notes for each place by itself what it has taken. Messages that do
/// not fit into lines are sent by MPI: a call must end although its receiver waits for another one,
/// and MPI sends only short messages whose receiver has not asked for them yet.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/communicator/shared_arena.hpp>
#include <seam/exchange/transport/node/call_messages.hpp>
#include <seam/exchange/transport/node/link.hpp>
#include <seam/exchange/transport/node/thresholds.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>

namespace seam::detail {

/// What a link of nonblocking calls has for the messages of an epoch.
inline constexpr call_room room_of_starts{.lines = lines_of_starts, .slot_bytes = 0};

/// The words at the beginning of a link's memory. Those that one process writes lie together.
struct start_words {
  using of_places = std::array<shared_word, places_of_starts>;

  alignas(64) of_places by_link{};     ///< [places] the last epoch that uses the link
  alignas(64) of_places by_messages{}; ///< [places] the last epoch that is sent by MPI
  alignas(64) of_places taken{};       ///< [places] the last epoch by link that has been taken
  shared_word first = 0;               ///< the first epoch that may use the link; 0: none yet
  shared_word has_left = 0;            ///< 1: the receiver does not touch the link any more
};

/// The message in which a sender tells its receiver where a link lies.
struct start_hello {
  std::int64_t has_link = 0;
  shared_place where{};
};

/// A call as an end of a link begins it.
struct begun_call {
  std::uint64_t epoch = 0;
  /// Sender: its short messages, and the check of all lengths, go through the link. Receiver: they
  /// may come through it. False: MPI sends all messages.
  bool in_link = false;
};

/// Common to both ends of a link: the epochs, and the hello in flight.
struct start_end {
  std::uint64_t epoch = 0; ///< of the last call
  start_hello hello{};
  MPI_Request hello_request = MPI_REQUEST_NULL;

  /// Makes progress; true if the hello has been sent, or received.
  bool test_hello();
};

/// The sender's end. Threads: begin() by the thread that starts calls.
class start_sender : public start_end {
public:
  start_sender() = default;
  start_sender(start_sender const&) = delete;
  start_sender& operator=(start_sender const&) = delete;
  /// Frees the memory once the receiver has left the link.
  ~start_sender();

  /// Begins a call with messages for the receiver, the first with the hello, which has `tag`.
  begun_call begin(mpi::comm_view context, peer_messages const& to, int tag);

  sending_link const& by() const noexcept { return link_; }

private:
  void say_hello(mpi::comm_view context, int peer, int tag);
  bool is_free(std::uint64_t next);

  std::shared_ptr<std::byte> memory_; ///< none: all epochs are sent by MPI
  start_words* words_ = nullptr;
  sending_link link_;
  std::array<std::uint64_t, places_of_starts> used_{};  ///< the last epoch in each place
  std::array<std::uint64_t, places_of_starts> taken_{}; ///< what `taken` has said
};

/// The receiver's end. Threads: begin() by the thread that starts calls, note_taken() and
/// is_sent_by_messages() from any, test_hello() by one at a time.
class start_receiver : public start_end {
public:
  start_receiver() = default;
  start_receiver(start_receiver const&) = delete;
  start_receiver& operator=(start_receiver const&) = delete;
  ~start_receiver();

  /// Begins a call with messages from `sender`, the first with the hello, which has `tag`.
  begun_call begin(mpi::comm_view context, int sender, int tag);

  /// As start_end, and finds the link.
  bool test_hello();

  /// True if the sender has begun epoch `number` and sends its messages by MPI. Otherwise they
  /// come through the link, or the sender has not begun.
  bool is_sent_by_messages(std::uint64_t number) const;

  /// Notes that all messages of epoch `number`, which came through the link, have been taken.
  void note_taken(std::uint64_t number) const;

  receiving_link const& by() const noexcept { return link_; }

private:
  receiving_link link_;
  std::atomic<start_words*> words_ = nullptr; ///< nullptr: the link is not known yet
  std::uint64_t first_ = 0;                   ///< as the word
};

/// This process's ends of the links of a communicator.
class start_links {
public:
  /// Local.
  explicit start_links(Communicator const& over);

  mpi::comm_view context() const noexcept { return context_; }

  /// The end of the link to, or from, `peer`; nullptr if there is no edge on a graph.
  start_sender* to(int peer);
  start_receiver* from(int peer);

private:
  mpi::comm_view context_;
  std::map<int, start_sender> out_;
  std::map<int, start_receiver> in_;
};

/// True if nonblocking calls on `over` may use links: along the edges of a graph, and among few
/// processes that all exchange messages. The same on all ranks. Local.
bool has_start_links(Communicator const& over);

/// The links of the nonblocking calls on `over`, which has_start_links(). Local.
std::shared_ptr<start_links> start_links_of(Communicator const& over);

} // namespace seam::detail

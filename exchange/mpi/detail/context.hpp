/// Contexts: the ranks behind communicators whose ranks are endpoints, not processes of MPI.
///
///     comm_view --> MPI_Comm --+--> processes of MPI
///                              +--> context    of one endpoint: its rank, its mailbox, its peers
///
/// MPI knows nothing of endpoints. Each endpoint therefore holds a handle of MPI of its own, a copy
/// of MPI_COMM_SELF, with which its context is kept: handles stay what all of seam passes around,
/// attributes belong to one endpoint, and freeing the handle ends the context. Functions that call
/// MPI with a handle ask context_of() first.
#pragma once

#include <seam/exchange/ground/detail/shared_copy.hpp>
#include <seam/exchange/mpi/comm.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace seam::mpi {

/// Ranks and tags of receives that match any.
inline constexpr int any_source = -1;
inline constexpr int any_tag = -1;

/// Tags of users' messages are below this number; tags below any_tag are seam's own.
inline constexpr int end_of_tags = 1 << 30;

/// A message that an endpoint sends or receives, from its start until it is done. Stays where it is
/// meanwhile.
struct transfer {
  transfer() = default;
  /// A message to `to`.
  transfer(std::span<std::byte const> content, int to, int its_tag)
      : data(const_cast<std::byte*>(content.data())),
        bytes(std::ssize(content)),
        peer(to),
        tag(its_tag) {}
  /// Room for a message from `from`.
  transfer(std::span<std::byte> room, int from, int its_tag)
      : data(room.data()), bytes(std::ssize(room)), peer(from), tag(its_tag) {}
  transfer(transfer const&) = delete;
  transfer& operator=(transfer const&) = delete;

  std::byte* data = nullptr;   ///< read by a send, written by a receive
  std::int64_t bytes = 0;      ///< to send; room; once received, of the message
  int peer = 0;                ///< the other rank; once received, the sender
  int tag = 0;                 ///< once received, of the message
  bool is_synchronous = false; ///< a send that is done only when its receive has begun
  bool is_truncated = false;   ///< the message was longer than the room
  bool is_cancelled = false;

  /// Called once by the thread that ends the transfer, after it is done.
  void (*when_done)(transfer&) = nullptr;

  bool is_done() const noexcept { return done_.load(std::memory_order_acquire); }

  /// True if done; takes part in its copying if that takes long. For threads that wait.
  bool is_done_with_help() noexcept {
    if (is_done())
      return true;
    helper.help();
    return is_done();
  }

  /// Ends the transfer. Its owner may destroy it at once, if `when_done` is empty.
  void finish() noexcept {
    auto* const call = when_done;
    done_.store(true, std::memory_order_release);
    if (call != nullptr)
      call(*this);
  }

  /// Makes a transfer that is done ready for another start.
  void restart() noexcept {
    is_truncated = is_cancelled = false;
    done_.store(false, std::memory_order_relaxed);
  }

  detail::copy_helper helper; ///< for the content of this message

  // The mailbox in which a receive waits links it here, and numbers it from 1 on.
  transfer *previous = nullptr, *next = nullptr;
  std::uint64_t number = 0;

private:
  std::atomic<bool> done_ = false;
};

/// A message that has arrived and has not been received.
struct arrived_message {
  int source;
  int tag;
  std::int64_t bytes;
};

/// A message that a matched probe has taken out of its mailbox. It can be received once.
class taken_message {
public:
  taken_message() = default;
  taken_message(taken_message const&) = delete;
  taken_message& operator=(taken_message const&) = delete;
  virtual ~taken_message() = default;

  virtual arrived_message const& message() const noexcept = 0;

  /// Starts to receive the message into `into`.
  virtual void receive(transfer& into) = 0;
};

/// The place of an endpoint in its job.
struct endpoint_place {
  int process; ///< rank in the communicator that the endpoints were made of
  int index;   ///< among the endpoints of the process
  int number;  ///< among all endpoints: consecutive within a process

  friend bool operator==(endpoint_place const&, endpoint_place const&) = default;
};

/// One endpoint's view of a set of endpoints that exchange messages.
///
/// Threads: any; collective members by one thread of the endpoint at a time.
class context : public std::enable_shared_from_this<context> {
public:
  context() = default;
  context(context const&) = delete;
  context& operator=(context const&) = delete;
  virtual ~context() = default;

  /// The rank of this endpoint, and the number of ranks of its side.
  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }

  /// The endpoints of this side, and of the side that messages go to: the same unless bipartite.
  virtual std::vector<endpoint_place> const& members() const noexcept = 0;
  virtual std::vector<endpoint_place> const& peers() const noexcept = 0;
  virtual bool is_bipartite() const noexcept = 0;

  /// Starts to send, or to receive, a message. Messages from one endpoint to another with tags that
  /// one receive matches do not overtake each other.
  virtual void send(transfer& message) = 0;
  virtual void receive(transfer& into) = 0;

  /// Ends a receive that no message has matched. False if one has.
  virtual bool cancel(transfer& receive) = 0;

  /// Looks for a message, which may be of any_source and any_tag; take() also takes it.
  virtual std::optional<arrived_message> look(int source, int tag) = 0;
  virtual std::unique_ptr<taken_message> take(int source, int tag) = 0;

  /// Moves messages between processes.
  virtual void progress() = 0;

  /// Refuses calls of threads that do not belong to this endpoint.
  /// @throws usage_error  of the class ENDPOINTS
  virtual void check_thread(char const* call) const = 0;

  /// A number that endpoints whose processes share memory have in common.
  virtual int node() const noexcept = 0;

  /// A context of the same endpoints, and one for each color, ranks ordered by key and rank.
  /// @param own  the handle of this context, whose attributes the copy gets
  /// Collective: over this context.
  virtual comm dup(comm_view own) = 0;
  virtual comm split(int color, int key) = 0;

  /// A context of `ranks`, in their order, to which this endpoint belongs. `tag` tells concurrent
  /// calls apart.
  /// Collective: over `ranks`.
  virtual comm part(std::vector<int> const& ranks, int tag) = 0;

  /// A bipartite context of the endpoints that pass 0 and those that pass 1.
  /// Collective: over this context.
  virtual comm two_sides(int side) = 0;

  /// The endpoints of both sides, side 0 before side 1.
  /// Collective: over both sides.
  virtual comm both_sides() = 0;

protected:
  int rank_ = 0, size_ = 1;
};

/// The context that a handle stands for, or nullptr: its ranks are processes.
/// Cost: one read of a word in programs without endpoints. Local, any thread.
context* context_of(comm_view over);

/// A handle of MPI for `ranks`, which end when it is freed and no message of theirs is in flight: a
/// copy of MPI_COMM_SELF, or of the handle of another context. Local, any thread.
comm handle_of(std::shared_ptr<context> ranks, comm_view copied = MPI_COMM_SELF);

} // namespace seam::mpi

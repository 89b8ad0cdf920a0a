/// Packets: messages between endpoints of different processes, as messages of MPI.
///
///     short    one packet: header and content
///     long     one packet: the header; the content follows in a context of its own, with a tag of
///              its own, and is received where the endpoint wants it
///
/// All packets of two processes have one tag, so that MPI keeps their order. The receives of users
/// are never posted in MPI: packets are matched by the mailboxes of endpoints.
#pragma once

#include <seam/exchange/endpoints/mailbox.hpp>
#include <seam/exchange/ground/kept_error.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace seam::detail {

/// The head of a packet. Plain numbers.
struct packet_header {
  std::uint64_t context = 0; ///< the number of the context
  std::int32_t side = 0;     ///< of the receiver
  std::int32_t to = 0, from = 0;
  std::int32_t tag = 0;
  std::int32_t content_tag = no_tag; ///< of a content that follows
  std::int32_t padding = 0;
  std::int64_t bytes = 0;

  static constexpr int no_tag = -1;
};

/// Finds the mailboxes of this process.
class mailbox_finder {
public:
  mailbox_finder() = default;
  mailbox_finder(mailbox_finder const&) = delete;
  mailbox_finder& operator=(mailbox_finder const&) = delete;
  virtual ~mailbox_finder() = default;

  /// Delivers a packet now, or keeps it until its context is made.
  virtual void deliver(packet_header const& header, std::byte const* content, int process) = 0;
};

/// The packets that one process exchanges with the others of a communicator.
/// Threads: any.
class packets final : public content_bringer, public progressable {
public:
  /// Collective: over `processes`.
  packets(mpi::comm_view processes, mailbox_finder& receivers);
  ~packets() override;

  /// Starts to send `message` to a process.
  void send(packet_header header, mpi::transfer& message, int process);

  void bring(remote_content const& from, std::int64_t bytes, mpi::transfer& into) override;

  /// Moves all messages as far as they go; throws an error of MPI.
  void progress();
  bool make_progress() noexcept override;

  /// Counts the contexts of this process. Without any, packets that arrive wait in MPI.
  void begin_context() noexcept { num_contexts_.fetch_add(1, std::memory_order_relaxed); }
  void end_context() noexcept { num_contexts_.fetch_sub(1, std::memory_order_relaxed); }
  bool is_at_rest() const noexcept override;

private:
  struct outgoing {
    MPI_Request request = MPI_REQUEST_NULL;
    std::unique_ptr<std::byte[]> packet; ///< [longest_packet]; nullptr: a content
    mpi::transfer* message = nullptr;    ///< whose content it is
    int process = -1, tag = packet_header::no_tag;
  };
  struct incoming {
    MPI_Request request = MPI_REQUEST_NULL;
    mpi::transfer* into = nullptr;
    std::unique_ptr<std::byte[]> content; ///< of a message that is longer than its room
    std::int64_t bytes = 0;
  };

  /// Tags of contents for one process: none is used twice at a time.
  struct tag_pool {
    std::vector<int> returned;
    int next = 0;
  };

  void send_packet(packet_header const& header, std::byte const* content, int process);
  int draw_content_tag(int process);
  void move();
  bool take_packet();
  bool end_if_complete(outgoing& sent);
  bool end_if_complete(incoming& received);

  mpi::comm packets_, contents_;
  mailbox_finder& receivers_;
  int end_of_tags_;
  std::atomic_flag moving_;
  std::atomic<int> num_contexts_ = 0;
  std::atomic<std::ptrdiff_t> num_in_flight_ = 0; ///< messages sent and received, after a move
  kept_error failure_;

  std::mutex mutex_; ///< guards what follows; not held while a mailbox is locked
  std::vector<outgoing> sent_;
  std::vector<incoming> received_;
  std::vector<std::unique_ptr<std::byte[]>> spare_;
  std::map<int, tag_pool> tags_;    ///< of contents, by process
  std::vector<std::byte> arriving_; ///< [longest_packet] by the thread that moves
};

} // namespace seam::detail

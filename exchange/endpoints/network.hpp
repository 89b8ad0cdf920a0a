/// Networks: all endpoints that are made of one communicator of processes, and how their messages
/// find each other.
#pragma once

#include <seam/exchange/endpoints/mailbox.hpp>
#include <seam/exchange/endpoints/packets.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace seam::detail {

/// The members of a context: one side, or two if it is bipartite.
using context_sides = std::array<std::vector<mpi::endpoint_place>, 2>;

class endpoint_network;

/// A context as all of its endpoints in one process share it. Ends with the last of them, once all
/// have entered.
struct shared_context {
  shared_context(std::shared_ptr<endpoint_network> on, std::uint64_t its_number,
                 context_sides members);
  shared_context(shared_context const&) = delete;
  shared_context& operator=(shared_context const&) = delete;
  ~shared_context();

  bool is_bipartite() const noexcept { return !sides[1].empty(); }

  /// The number of its endpoints in this process.
  int num_here() const;

  std::shared_ptr<endpoint_network> over;
  std::uint64_t number; ///< no other context of the job has it
  context_sides sides;
  /// The mailboxes of each side by rank; nullptr for endpoints of other processes.
  std::array<std::vector<std::unique_ptr<mailbox>>, 2> boxes;
};

/// Threads: any.
class endpoint_network final : public mailbox_finder,
                               public std::enable_shared_from_this<endpoint_network> {
public:
  /// The network that is kept with `processes`, made when first asked for.
  /// @throws usage_error  `processes` are several and MPI allows no calls of several threads
  /// Collective: over `processes`, the first time; local from then on.
  static std::shared_ptr<endpoint_network> of(mpi::comm_view processes);

  explicit endpoint_network(mpi::comm_view processes);

  int process() const noexcept { return process_; }

  /// A number that processes of one node have in common.
  int node() const noexcept { return node_; }

  /// The messages between processes; nullptr if there is one process.
  packets* wire() const noexcept { return wire_.get(); }

  /// A number for one more context, which no other process draws. Local.
  std::uint64_t draw_number() noexcept;

  /// The context `number` of this process, which each of its endpoints here enters once, with the
  /// same members.
  std::shared_ptr<shared_context> enter(std::uint64_t number, context_sides const& members);

  void forget(std::uint64_t number);

  void deliver(packet_header const& header, std::byte const* content, int process) override;

private:
  /// A packet of a context that no endpoint of this process has entered yet.
  struct early_packet {
    packet_header header;
    std::vector<std::byte> content;
    int process;
  };

  /// A context that an endpoint of this process has entered. One endpoint may send and leave before
  /// another comes: until all have come, the context is owned here.
  struct entered_context {
    std::weak_ptr<shared_context> found;
    std::shared_ptr<shared_context> owned;
    int num_to_come = 0;
  };

  std::shared_ptr<shared_context> make(std::uint64_t number, context_sides const& members);
  static void deliver_in(shared_context& into, packet_header const& header,
                         std::byte const* content, int process);

  int process_, node_;
  std::atomic<std::uint64_t> num_drawn_ = 0;
  std::mutex mutex_;
  std::map<std::uint64_t, entered_context> contexts_;
  std::map<std::uint64_t, std::vector<early_packet>> early_;
  std::unique_ptr<packets> wire_;
};

} // namespace seam::detail

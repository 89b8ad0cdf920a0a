/// Delivery inside a node: each process writes its message to each other process, or that there is
/// none, to a link. Messages that do not fit there are sent by MPI.
#pragma once

#include <seam/exchange/sparse/algorithms/delivery.hpp>
#include <seam/exchange/transport/node/links.hpp>
#include <seam/exchange/waiting/requests.hpp>

#include <cstdint>
#include <memory>

namespace seam::detail {

/// Costs a cache line from each process to each other one. A line that has been read also proves
/// that its writer sends no more in this exchange. An exchange is an epoch of all links, which are
/// answered: no process is two exchanges ahead of another.
///
///     lines   number of bytes, and the message if it is short, or its place in the slot
///     slot    longer messages, one after another; all links of a process have the same slots
class node_links final : public delivery {
public:
  /// The delivery among the processes of `node`, which share memory; nullptr, on all of them, if
  /// that is used up.
  /// Collective: over `node`.
  static std::unique_ptr<delivery> make(mpi::comm_view node);

  /// @param ends  to and from the other processes of `node`, by rank
  node_links(mpi::comm_view node, std::shared_ptr<links> ends)
      : node_(node), ends_(std::move(ends)) {}

  void run(std::span<parcel const> out, inbox& in) override;

private:
  struct head;

  int peer(int k) const;
  void write(sending_link& end, parcel const* message);
  void write_long(sending_link& end, parcel const& message, head& first);
  void read(receiving_link const& end, int source, inbox& in);
  head wait_for_head(receiving_link const& end) const;

  mpi::comm_view node_;
  std::shared_ptr<links> ends_;
  std::uint64_t epoch_ = 0;
  std::int64_t slot_used_ = 0; ///< in this epoch [bytes]
  mpi::requests messages_;     ///< messages that do not fit into the slot
};

} // namespace seam::detail

/// Channels: partitioned data along one directed edge, from a sending end to a receiving end.
///
/// Inside a node partitions travel through its memory, each on its own (lane.hpp), elsewhere in
/// messages. The sender then decides in each epoch, as late as it can, how they travel: all
/// together as one message, which lands where it belongs, or in several. Then an empty-handed
/// message comes first, whose mere length says how many follow; the receiver expects them from then
/// on. So both ways cost no more messages than they move, and neither end has to know beforehand.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/partitioned/aggregation.hpp>
#include <seam/exchange/partitioned/buffer.hpp>
#include <seam/exchange/partitioned/detail/part.hpp>
#include <seam/exchange/partitioned/settings.hpp>

#include <memory>
#include <optional>
#include <string>

namespace seam {

/// One end of an edge.
struct channel_end {
  std::string name; ///< as errors say it: "psend_init to rank 3, tag 0"
  int peer;         ///< or MPI_PROC_NULL: partitions go nowhere, and come from nowhere at once
  int tag;          ///< of the user, or tag_of_collectives
  partitioned_buffer buffer;
  bool alike = false; ///< both ends are said to have as many partitions

  /// Of the node, [lane_bytes()]: a sender's partitions travel through it. Nothing: by messages.
  std::shared_ptr<std::byte> memory{};

  std::shared_ptr<sending_time> sending{}; ///< of all senders of the operation, if there are more
};

/// Refuses, in the name of `call`, a number of messages that `partitions` cannot travel in. Local.
void check_messages(char const* call, partitioned_settings const& settings, int partitions);

/// What goes out along the edge. @param what  of a sender
outgoing_load load_of(channel_end const& what);

/// @param messages  in which partitions travel if not together; nothing: as observed. The memory of
///                  the node carries each on its own, whatever is said here
/// Local.
std::unique_ptr<part> make_sending_end(Communicator const& over, channel_end const& what,
                                       std::optional<int> messages);
std::unique_ptr<part> make_message_sending_end(Communicator const& over, channel_end const& what,
                                               std::optional<int> messages);
std::unique_ptr<part> make_shared_sending_end(Communicator const& over, channel_end const& what);
std::unique_ptr<part> make_receiving_end(Communicator const& over, channel_end const& what);

/// The edge from a process to itself: ready partitions are copied. As many bytes in both. Local.
std::unique_ptr<part> make_own_edge(partitioned_buffer const& from, partitioned_buffer const& into);

} // namespace seam

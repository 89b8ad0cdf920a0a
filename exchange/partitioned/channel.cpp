#include <seam/exchange/partitioned/channel.hpp>

#include <fmt/format.h>

namespace seam {

outgoing_load load_of(channel_end const& what) {
  int const partitions = what.buffer.partitions;
  return {wire_bytes(what.buffer.all()),
          fmt::format("{} partition{} by {}", partitions, partitions == 1 ? "" : "s",
                      what.memory != nullptr ? "the memory of the node" : "MPI")};
}

std::unique_ptr<part> make_sending_end(Communicator const& over, channel_end const& what,
                                       std::optional<int> messages) {
  return what.memory != nullptr ? make_shared_sending_end(over, what)
                                : make_message_sending_end(over, what, messages);
}

} // namespace seam

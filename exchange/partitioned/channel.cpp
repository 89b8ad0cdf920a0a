#include <seam/exchange/partitioned/channel.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/partitioned/channel_tags.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam::detail {

void check_messages(char const* call, partitioned_settings const& settings, int partitions) {
  if (!settings.messages)
    return;
  if (*settings.messages < 1)
    refuse(MPI_ERR_ARG, fmt::format("{}: partitions in {} messages (expected 1 or more)", call,
                                    *settings.messages));
  if (std::min(*settings.messages, partitions) > most_messages)
    refuse(MPI_ERR_ARG, fmt::format("{}: {} partitions in {} messages (expected at most {})", call,
                                    partitions, *settings.messages, most_messages));
}

outgoing_load load_of(channel_end const& end) {
  int const partitions = end.buffer.partitions;
  bool const has_memory = end.memory != nullptr;
  return {wire_bytes(end.buffer.all()),
          fmt::format("{} partition{} by {}{}", partitions, partitions == 1 ? "" : "s",
                      has_memory ? "the memory of the node" : "MPI",
                      partitions > most_messages && !has_memory
                          ? fmt::format(" in at most {} messages", most_messages)
                          : "")};
}

std::unique_ptr<part> make_sending_end(Communicator const& over, channel_end const& end,
                                       std::optional<int> messages) {
  return end.memory != nullptr ? make_shared_sending_end(over, end)
                               : make_message_sending_end(over, end, messages);
}

} // namespace seam::detail

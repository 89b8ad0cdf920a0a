#include <seam/exchange/partitioned/channel.hpp>

namespace seam {

std::unique_ptr<part> make_sending_end(Communicator const& over, channel_end const& what,
                                       std::optional<int> messages) {
  return what.memory != nullptr ? make_shared_sending_end(over, what)
                                : make_message_sending_end(over, what, messages);
}

} // namespace seam

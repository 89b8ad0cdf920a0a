#include <seam/exchange/waiting/watch_messages.hpp>

namespace seam::detail {

void background_sends::send_bytes(mpi::comm_view over, std::span<std::byte const> message, int to,
                                  watch_tag as) {
  entry& sent = all_.emplace_back();
  std::ranges::copy(message, sent.bytes.begin());
  mpi::check(MPI_Isend(sent.bytes.data(), static_cast<int>(message.size()), MPI_BYTE, to,
                       static_cast<int>(as), over.native(), &sent.request),
             "MPI_Isend");
}

void background_sends::erase_complete() {
  std::erase_if(all_, [](entry& sent) {
    int done = 0;
    mpi::check(MPI_Test(&sent.request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  });
}

} // namespace seam::detail

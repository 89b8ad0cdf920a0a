#include <seam/exchange/sparse/algorithms/consensus.hpp>

#include <seam/exchange/waiting/detail/patience.hpp>

namespace seam::detail {

bool consensus::receive_one(int tag, inbox& in) {
  auto const found = mpi::look_for_message(over_, MPI_ANY_SOURCE, tag);
  if (found)
    receives_.add(mpi::start_receive(over_, in.add(found->source, found->bytes), found->source,
                                     tag));
  return found.has_value();
}

void consensus::run(std::span<parcel const> out, inbox& in) {
  int const tag = tags::consensus + parity_;
  parity_ ^= 1;
  for (parcel const& message : out)
    sends_.add(mpi::start_synchronous_send(over_, message.bytes, message.to, tag));
  bool in_barrier = false;
  for (patience wait;;) {
    bool const received = receive_one(tag, in);
    if (!in_barrier && sends_.test()) {
      barrier_.start();
      in_barrier = true;
    }
    if (in_barrier && barrier_.test())
      break;
    if (!received)
      wait.pause();
  }
  receives_.wait();
}

} // namespace seam::detail

#include <seam/exchange/sparse/algorithms/counts.hpp>

#include <seam/exchange/agreement/reported_call.hpp>

namespace seam::detail {

int counts::num_arriving(std::span<parcel const> out) {
  for (parcel const& message : out)
    sends_to_[message.to] = 1;
  int arriving = 0;
  mpi::reported_call const now(over_, "MPI_Reduce_scatter_block");
  mpi::check(MPI_Reduce_scatter_block(sends_to_.data(), &arriving, 1, MPI_INT, MPI_SUM,
                                      over_.native()),
             "MPI_Reduce_scatter_block");
  for (parcel const& message : out)
    sends_to_[message.to] = 0;
  return arriving;
}

void counts::run(std::span<parcel const> out, inbox& in) {
  int const tag = tags::counted + parity_;
  parity_ ^= 1;
  for (parcel const& message : out)
    messages_.add(mpi::start_send(over_, message.bytes, message.to, tag));
  for (int left = num_arriving(out); left > 0; --left) {
    auto const found = mpi::wait_for_message(over_, MPI_ANY_SOURCE, tag);
    messages_.add(mpi::start_receive(over_, in.add(found.source, found.bytes), found.source, tag));
  }
  messages_.wait();
}

} // namespace seam::detail

#include <seam/exchange/sparse/algorithms/counts.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <numeric>

namespace seam::detail {

namespace {

/// The sum of what all ranks have in `counts` for this one.
int sum_for_this_rank(mpi::comm_view over, std::vector<int> const& counts) {
  if (mpi::context_of(over) != nullptr) {
    auto const of_each = mpi::alltoall(over, counts);
    return std::reduce(of_each.begin(), of_each.end());
  }
  int sum = 0;
  blocking_call const now(over, "MPI_Reduce_scatter_block");
  mpi::check(MPI_Reduce_scatter_block(counts.data(), &sum, 1, MPI_INT, MPI_SUM, over.native()),
             "MPI_Reduce_scatter_block");
  return sum;
}

} // namespace

int counts::num_arriving(std::span<parcel const> out) {
  for (parcel const& message : out)
    sends_to_[message.to] = 1;
  int const arriving = sum_for_this_rank(over_, sends_to_);
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

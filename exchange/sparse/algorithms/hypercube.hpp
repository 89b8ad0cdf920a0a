/// The crystal router: in each round the processes that are left split in halves, and each sends
/// one message with all that is bound for the other half to a partner there.
#pragma once

#include <seam/exchange/sparse/algorithms/delivery.hpp>
#include <seam/exchange/sparse/detail/byte_buffer.hpp>

#include <seam/exchange/waiting/mpi_bytes.hpp>

namespace seam::detail {

/// ceil(log2 P) messages of each process, whatever is sent to how many; bytes travel up to as
/// often. Good for many small messages. Works for any P: where halves differ by one, the odd one of
/// the lower half sends to the first of the upper, who receives twice. Nobody has to find out how
/// many messages come. Source: Fox et al., Solving Problems on Concurrent Processors (1988), the
/// crystal router.
class hypercube final : public delivery {
public:
  explicit hypercube(mpi::comm_view over) : over_(over), rank_(over.rank()), size_(over.size()) {}

  void run(std::span<parcel const> out, inbox& in) override;

private:
  struct half_swap;

  void swap_halves(half_swap const& round);
  void split(half_swap const& round);
  void receive_from(int rank);

  mpi::comm_view over_;
  int rank_, size_;
  byte_buffer held_, staying_, leaving_; ///< records
  mpi::requests messages_;
};

} // namespace seam::detail

/// The crystal router: in each round a group of processes splits in halves, and each process sends
/// all records for ranks of the other half in one message to a partner there.
///
///     P = 8    round 0: 0123 <-> 7654    round 1: 01 <-> 32, 45 <-> 76    round 2: 0 <-> 1, ...
#pragma once

#include <seam/exchange/sparse/algorithms/delivery.hpp>
#include <seam/exchange/sparse/detail/byte_buffer.hpp>

#include <seam/exchange/waiting/mpi_bytes.hpp>

namespace seam::detail {

/// Each process sends ceil(log2 P) messages, whatever the number of destinations; bytes travel up
/// to as often. Good for many small messages. Works for any P: if the lower half has one process
/// more, its last sends to the first of the upper half, which receives twice. All messages have
/// known sources, so that none has to be discovered.
///
/// Source: Fox et al., Solving Problems on Concurrent Processors (1988), the crystal router.
class hypercube final : public delivery {
public:
  explicit hypercube(mpi::comm_view over) : over_(over), rank_(over.rank()), size_(over.size()) {}

  void run(std::span<parcel const> out, inbox& in) override;

private:
  struct half_swap;

  void swap_halves(half_swap const& round);
  void split_records(half_swap const& round);
  void receive_from(int rank);

  mpi::comm_view over_;
  int rank_, size_;
  byte_buffer held_, staying_, leaving_; ///< records
  mpi::requests messages_;
};

} // namespace seam::detail

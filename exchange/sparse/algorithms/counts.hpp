/// Counts by reduce_scatter: each process gets the number of messages that are sent to it, and
/// receives that many.
#pragma once

#include <seam/exchange/sparse/algorithms/delivery.hpp>

#include <seam/exchange/waiting/mpi_bytes.hpp>

namespace seam::detail {

/// Time and memory O(P), but a single collective and no synchronous sends: good on few processes.
/// Source: [Ibanez2015] sec. 2.3 (personalized consensus of Hoefler, Siebert and Lumsdaine).
class counts final : public delivery {
public:
  explicit counts(mpi::comm_view over) : over_(over), sends_to_(over.size()) {}

  void run(std::span<parcel const> out, inbox& in) override;

private:
  int num_arriving(std::span<parcel const> out);

  mpi::comm_view over_;
  int parity_ = 0;
  std::vector<int> sends_to_; ///< 0 or 1 for each rank; all 0 between exchanges
  mpi::requests messages_;
};

} // namespace seam::detail

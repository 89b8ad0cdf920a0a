/// Nonblocking consensus: synchronous sends, and a nonblocking barrier that a process enters when
/// all messages that it sent have been received.
#pragma once

#include <seam/exchange/sparse/algorithms/delivery.hpp>
#include <seam/exchange/sparse/algorithms/dissemination.hpp>

#include <seam/exchange/waiting/mpi_bytes.hpp>

namespace seam::detail {

/// Time O(log P), memory O(1). Source: [Ibanez2015] sec. 2.2 algorithm 1, with tags that alternate
/// in place of the leading barrier of algorithm 2 (sec. 4.3).
class consensus final : public delivery {
public:
  explicit consensus(mpi::comm_view over) : over_(over), barrier_(over, tags::dissemination) {}

  void run(std::span<parcel const> out, inbox& in) override;

private:
  bool receive_one(int tag, inbox& in);

  mpi::comm_view over_;
  int parity_ = 0;
  dissemination barrier_;
  mpi::requests sends_, receives_;
};

} // namespace seam::detail

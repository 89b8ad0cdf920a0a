/// Delivery inside a node: each process writes its message to each other process, or that there is
/// none, into a cell of shared memory. Messages that do not fit there are sent by MPI.
#pragma once

#include <seam/exchange/sparse/algorithms/delivery.hpp>
#include <seam/exchange/sparse/node_memory.hpp>

#include <seam/exchange/waiting/mpi_bytes.hpp>

#include <cstdint>

namespace seam::detail {

/// Costs a cache line from each process to each other one. A cell that has been read also proves
/// that its writer sends no more in this exchange.
///
///     cells[parity][writer][reader]     epoch of the exchange, number of bytes, short messages
///     slabs[parity][writer]             longer messages
///
/// Cells and slabs of an exchange are overwritten two exchanges later: by then all processes have
/// entered the exchange in between, and so have read all of the first.
class shared_memory final : public delivery {
public:
  /// @throws usage_error  on all ranks: the system has no memory left to share
  /// Collective: over `node`, whose processes must be on one host.
  explicit shared_memory(mpi::comm_view node);

  void run(std::span<parcel const> out, inbox& in) override;

private:
  struct cell;

  cell& from_to(int writer, int reader) const;
  std::byte* slab_of(int writer) const;
  void write_message(cell& into, parcel const& message);
  void read_message(cell const& from, int source, inbox& in);
  bool has_written(cell const& from) const;
  void wait_for(cell const& from) const;

  mpi::comm_view node_;
  std::size_t rank_, size_;
  std::size_t slab_bytes_;
  node_memory memory_;
  std::uint64_t exchange_ = 0; ///< number of the current exchange
  std::size_t slab_used_ = 0;  ///< by this process, in the current exchange [bytes]
  mpi::requests messages_;     ///< messages that fit neither cells nor slabs
};

} // namespace seam::detail

/// Memory that the processes of a node share.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <cstddef>

namespace seam::detail {

/// Bytes that all processes of a communicator see, all zero at first. The system keeps it as long
/// as one of them has it, and has no name for it any more.
class node_memory {
public:
  /// @throws usage_error  on all ranks: the system has no such memory left
  /// Collective: over `node`, whose processes must be on one host.
  node_memory(mpi::comm_view node, std::size_t size);
  node_memory(node_memory const&) = delete;
  node_memory& operator=(node_memory const&) = delete;
  ~node_memory();

  std::byte* data() const noexcept { return data_; }

private:
  std::byte* data_ = nullptr;
  std::size_t size_;
};

} // namespace seam::detail

/// Node memory: bytes that the processes of a node share.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <cstddef>

namespace seam::detail {

/// Memory that all processes of a communicator can access, all zero at first. It has no name any
/// more, and the system frees it with the last object that refers to it.
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

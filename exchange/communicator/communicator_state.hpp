/// The state of a communicator, which operations that are built on it share.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/communicator/node.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

namespace seam::detail {

/// Types of values that upper floors may keep with a communicator.
constexpr int num_slots = 12;

} // namespace seam::detail

struct seam::Communicator::state {
  MPI_Comm native = MPI_COMM_NULL;
  mpi::comm owned; ///< `native`, unless another owner frees it
  mpi::comm context;
  Topology topology = Topology::complete();
  std::shared_ptr<cartesian_structure const> structure;
  int next_tag = 0;
  std::atomic<std::uint32_t> num_starts = 0;
  std::array<std::shared_ptr<void>, detail::num_slots> kept; ///< by upper floors, see kept.hpp
  std::shared_ptr<detail::call_record> calls = detail::call_record::unknown();
  std::shared_ptr<detail::node const>
      node; ///< of all communicators of these processes in this order
  bool borrows_context = false;
  std::atomic<bool> is_gone = false; ///< a borrowed context has been freed by its owner

  state() = default;
  state(state const&) = delete;
  state& operator=(state const&) = delete;
  ~state() {
    if (borrows_context)
      static_cast<void>(context.release());
  }
};

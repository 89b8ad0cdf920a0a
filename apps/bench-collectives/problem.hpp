/// What all variants work on: a neighborhood on a periodic grid of processes, and blocks of
/// doubles.
#pragma once

#include <seam/seam.hpp>

#include <functional>
#include <string>
#include <vector>

namespace collective_bench {

/// One question: which collective, where, with how long blocks.
struct problem {
  seam::Communicator graph; ///< with a Cartesian structure
  MPI_Comm native;          ///< the same for MPI's own calls
  std::string operation;    ///< one of operations()
  int count;                ///< doubles in a block
  int root = 0;
  std::vector<double> send, receive; ///< a block for each destination, and for each source

  int num_destinations() const { return static_cast<int>(graph.topology().destinations().size()); }
  int num_sources() const { return static_cast<int>(graph.topology().sources().size()); }
  double* sent_to(int e) { return send.data() + static_cast<std::ptrdiff_t>(e) * count; }
  double* received_from(int e) { return receive.data() + static_cast<std::ptrdiff_t>(e) * count; }
};

/// The names of all operations.
std::vector<std::string> const& operations();

/// The operation of a problem on its buffers, which stay where they are.
seam::collective make_collective(problem& on);

/// What others do for it; empty functions where they have nothing. Each is collective.
seam::variant neighbor_collective(problem& on); ///< MPI_Neighbor_*, where there is one
seam::variant by_hand(problem& on); ///< Irecv, Isend, Waitall, as in the paper's listing 2

/// MPI's persistent neighborhood collectives, where the library has them.
seam::variant persistent_neighbor_collective(problem& on);

} // namespace collective_bench

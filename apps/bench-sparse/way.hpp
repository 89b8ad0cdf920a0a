/// Ways: methods to send doubles to ranks that do not know their sources. Each message has to be
/// packed first, as in a program that gathers its messages from fields.
#pragma once

#include "pattern.hpp"

#include <kit/benchmark.hpp>
#include <seam/sparse.hpp>

#include <span>
#include <vector>

namespace sparse_bench {

/// The messages that have arrived, in any order.
struct arrivals {
  std::vector<int> ranks;
  std::vector<double const*> values; ///< message of each rank, valid until the next exchange
};

class way : public bench::method {
public:
  /// Packs `values` for each of `ranks`, sends them and stores the received messages in `in`.
  /// Collective: over the communicator.
  virtual void exchange(std::vector<int> const& ranks, std::span<double const> values,
                        arrivals& in) = 0;
};

/// Packs `values` once for each of `ranks` into one buffer.
inline void pack(std::vector<int> const& ranks, std::span<double const> values,
                 std::vector<double>& into) {
  into.clear();
  for (int m = 0; m < std::ssize(ranks); ++m)
    into.insert(into.end(), values.begin(), values.end());
}

/// Sets in.values to the messages of `length` doubles in `buffer`, in the order of in.ranks.
inline void point_to(double const* buffer, std::int64_t length, arrivals& in) {
  in.values.clear();
  for (int m = 0; m < std::ssize(in.ranks); ++m)
    in.values.push_back(buffer + m * length);
}

/// Made for messages of `length` doubles. Collective: over `comm`.
using rival = bench::rival_of<way, MPI_Comm, int>;
std::vector<rival> rivals_of_mpi();    ///< alltoallv, counts by alltoall; Issend and Ibarrier
std::vector<rival> rivals_of_petsc();  ///< in builds with PETSc
std::vector<rival> rivals_of_zoltan(); ///< in builds with Zoltan

std::unique_ptr<way> make_seam(seam::Communicator const& over, seam::sparse_algorithm algorithm);

} // namespace sparse_bench

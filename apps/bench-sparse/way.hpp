/// Ways: methods to send doubles to ranks that do not know their sources. Each message has to be
/// packed first, as in a program that gathers its messages from fields.
#pragma once

#include "pattern.hpp"

#include <kit/method.hpp>
#include <seam/exchange.hpp>
#include <seam/sparse.hpp>

#include <memory>
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

std::unique_ptr<way> make_seam(seam::Communicator const& over, seam::sparse_algorithm algorithm);

/// Make the rivals, for messages of `length` doubles. Collective: over `comm`.
std::unique_ptr<way> make_alltoallv(MPI_Comm comm, int length);         ///< counts by alltoall
std::unique_ptr<way> make_consensus_by_hand(MPI_Comm comm, int length); ///< Issend, Ibarrier
std::unique_ptr<way> make_petsc_allreduce(MPI_Comm comm, int length);   ///< with PETSc, as the next
std::unique_ptr<way> make_petsc_ibarrier(MPI_Comm comm, int length);
std::unique_ptr<way> make_petsc_redscatter(MPI_Comm comm, int length);
std::unique_ptr<way> make_zoltan(MPI_Comm comm, int length); ///< with Zoltan

/// Makes the limit, which receives from `sources`: they are known before and never change.
std::unique_ptr<way> make_known_sources(MPI_Comm comm, int length, std::vector<int> const& sources);

} // namespace sparse_bench

/// MPI's own collectives on complete communicators, checked and typed: the small set that seam's
/// set-up code needs. Applications use the collectives of exchange/, which follow the topology.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/mpi/datatype.hpp>

#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace seam::mpi {

/// Returns when all ranks have called. Collective: over `over`.
void barrier(comm_view over);

/// Every rank's `values` become the root's. [same length on all ranks] Collective: over `over`.
template <class T>
void bcast(comm_view over, std::span<T> values, int root) {
  check(MPI_Bcast(values.data(), narrow(std::ssize(values), "MPI_Bcast"), datatype_of<T>(), root,
                  over.native()),
        "MPI_Bcast");
}

/// Every rank's `text` becomes the root's, whatever its length was. Collective: over `over`.
void bcast(comm_view over, std::string& text, int root);

/// `values` combined by `op` over all ranks, element by element, in place.
/// [same length on all ranks] Collective: over `over`.
template <class T>
void allreduce(comm_view over, std::span<T> values, MPI_Op op) {
  check(MPI_Allreduce(MPI_IN_PLACE, values.data(), narrow(std::ssize(values), "MPI_Allreduce"),
                      datatype_of<T>(), op, over.native()),
        "MPI_Allreduce");
}

/// `value` combined by `op` over all ranks. Collective: over `over`.
template <class T>
T allreduce(comm_view over, T value, MPI_Op op) {
  allreduce(over, std::span<T>(&value, 1), op);
  return value;
}

/// All ranks' `value` in the order of the ranks. [size of `over`] Collective: over `over`.
template <class T>
std::vector<T> allgather(comm_view over, T const& value) {
  std::vector<T> all(static_cast<std::size_t>(over.size()));
  check(MPI_Allgather(&value, 1, datatype_of<T>(), all.data(), 1, datatype_of<T>(), over.native()),
        "MPI_Allgather");
  return all;
}

} // namespace seam::mpi

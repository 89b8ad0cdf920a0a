#include <seam/exchange/collectives/reduce_scatter.hpp>

#include <seam/exchange/error.hpp>

#include <fmt/format.h>

#include <numeric>

namespace seam {

collective reduce_scatter_block(elements const& send, elements const& receive, MPI_Op op) {
  auto const native = [=](MPI_Comm comm, MPI_Request* request) {
    return MPI_Ireduce_scatter_block(send.data, const_cast<void*>(receive.data),
                                     mpi::narrow(receive.count, "reduce_scatter_block"),
                                     receive.type, op, comm, request);
  };
  return {.name = "reduce_scatter_block",
          .complete = native,
          .bipartite = native,
          .common = {.op = op, .values = receive}};
}

collective reduce_scatter(elements const& send, elements const& receive, std::vector<int> counts,
                          MPI_Op op) {
  elements const all{receive.data, std::accumulate(counts.begin(), counts.end(), std::int64_t{0}),
                     receive.type};
  auto const native = [=, counts = std::move(counts)](MPI_Comm comm, MPI_Request* request) {
    int size = 0;
    mpi::check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    if (std::ssize(counts) != size)
      refuse(fmt::format("reduce_scatter: {} counts (expected one for each of {} ranks)",
                         counts.size(), size));
    return MPI_Ireduce_scatter(send.data, const_cast<void*>(receive.data), counts.data(),
                               receive.type, op, comm, request);
  };
  return {.name = "reduce_scatter",
          .complete = native,
          .bipartite = native,
          .common = {.op = op, .values = all}};
}

} // namespace seam

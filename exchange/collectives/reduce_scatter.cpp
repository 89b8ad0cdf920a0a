#include <seam/exchange/collectives/reduce_scatter.hpp>

#include <seam/exchange/error.hpp>

#include <fmt/format.h>

#include <numeric>

namespace seam {
namespace {

void check_length(std::vector<int> const& counts, int size) {
  if (std::ssize(counts) != size)
    refuse(fmt::format("reduce_scatter: {} counts (expected one for each of {} ranks)",
                       counts.size(), size));
}

} // namespace

collective reduce_scatter_block(elements const& send, elements const& receive, MPI_Op op) {
  auto const native = [=](MPI_Comm comm, MPI_Request* request) {
    return MPI_Ireduce_scatter_block(send.data, const_cast<void*>(receive.data),
                                     mpi::narrow(receive.count, "reduce_scatter_block"),
                                     receive.type, op, comm, request);
  };
  return {
      .name = "reduce_scatter_block",
      .complete = native,
      .bipartite = native,
      .common = {.op = op, .values = receive},
      .check = [=](Communicator const&) { mpi::narrow(receive.count, "reduce_scatter_block"); }};
}

collective reduce_scatter(elements const& send, elements const& receive, std::vector<int> counts,
                          MPI_Op op) {
  elements const all{receive.data, std::accumulate(counts.begin(), counts.end(), std::int64_t{0}),
                     receive.type};
  auto const native = [=](MPI_Comm comm, MPI_Request* request) {
    check_length(counts, mpi::comm_view(comm).size());
    return MPI_Ireduce_scatter(send.data, const_cast<void*>(receive.data), counts.data(),
                               receive.type, op, comm, request);
  };
  return {.name = "reduce_scatter",
          .complete = native,
          .bipartite = native,
          .common = {.op = op, .values = all, .counts = counts},
          .check = [=](Communicator const& over) { check_length(counts, over.size()); }};
}

} // namespace seam

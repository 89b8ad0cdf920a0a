#include <seam/exchange/collectives/reduce_scatter.hpp>

#include <seam/exchange/error.hpp>

#include <fmt/format.h>

#include <numeric>

namespace seam {
namespace {

std::int64_t sum_of(std::vector<int> const& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

void check_counts(std::vector<int> const& counts, mpi::comm_view comm) {
  if (std::ssize(counts) != comm.size())
    refuse(fmt::format("reduce_scatter: {} counts (expected one for each of {} ranks)",
                       counts.size(), comm.size()));
}

void check_lengths(char const* name, elements const& send, elements const& receive,
                   std::int64_t expected_send, std::int64_t expected_receive) {
  if (send.count != expected_send || receive.count != expected_receive)
    refuse(fmt::format("{}: {} elements into {} (expected {} into {})", name, send.count,
                       receive.count, expected_send, expected_receive));
}

} // namespace

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
  elements const all{receive.data, sum_of(counts), receive.type};
  auto const native = [=, counts = std::move(counts)](MPI_Comm comm, MPI_Request* request) {
    check_counts(counts, comm);
    return MPI_Ireduce_scatter(send.data, const_cast<void*>(receive.data), counts.data(),
                               receive.type, op, comm, request);
  };
  return {.name = "reduce_scatter",
          .complete = native,
          .bipartite = native,
          .common = {.op = op, .values = all}};
}

collective detail::reduce_scatter_of_all(elements const& send, elements const& receive, MPI_Op op) {
  collective what = reduce_scatter_block(send, receive, op);
  what.complete =
      what.bipartite = [=, native = what.complete](MPI_Comm comm, MPI_Request* request) {
        check_lengths("reduce_scatter_block", send, receive,
                      receive.count * mpi::comm_view(comm).size(), receive.count);
        return native(comm, request);
      };
  return what;
}

collective detail::reduce_scatter_of_all(elements const& send, elements const& receive,
                                         std::vector<int> counts, MPI_Op op) {
  collective what = reduce_scatter(send, receive, counts, op);
  what.complete = what.bipartite = [=, counts = std::move(counts),
                                    native = what.complete](MPI_Comm comm, MPI_Request* request) {
    check_counts(counts, comm);
    check_lengths("reduce_scatter", send, receive, sum_of(counts),
                  counts[static_cast<std::size_t>(mpi::comm_view(comm).rank())]);
    return native(comm, request);
  };
  return what;
}

} // namespace seam

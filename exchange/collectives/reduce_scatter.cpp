#include <seam/exchange/collectives/reduce_scatter.hpp>

#include <seam/exchange/error.hpp>

#include <fmt/format.h>

#include <numeric>

namespace seam {
namespace {

std::int64_t sum_of(std::vector<int> const& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

void check_length(std::vector<int> const& counts, int size) {
  if (std::ssize(counts) != size)
    refuse(fmt::format("reduce_scatter: {} counts (expected one for each of {} ranks)",
                       counts.size(), size));
}

void check_lengths(char const* name, elements const& send, elements const& receive,
                   std::int64_t expected_send, std::int64_t expected_receive) {
  if (send.count != expected_send || receive.count != expected_receive)
    refuse(fmt::format("{}: {} elements into {} (expected {} into {})", name, send.count,
                       receive.count, expected_send, expected_receive));
}

/// `what` after check(rank, size), in every mode.
template <class Check>
collective checked_first(collective what, Check const& check) {
  what.check = [check](Communicator const& over) { check(over.rank(), over.size()); };
  what.complete =
      what.bipartite = [check, native = what.complete](MPI_Comm comm, MPI_Request* request) {
        check(mpi::comm_view(comm).rank(), mpi::comm_view(comm).size());
        return native(comm, request);
      };
  return what;
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

collective reduce_scatter(elements const& send, elements const& receive,
                          std::vector<int> const& counts, MPI_Op op) {
  elements const all{receive.data, sum_of(counts), receive.type};
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

collective detail::reduce_scatter_of_all(elements const& send, elements const& receive, MPI_Op op) {
  return checked_first(reduce_scatter_block(send, receive, op), [=](int, int size) {
    check_lengths("reduce_scatter_block", send, receive, receive.count * size, receive.count);
  });
}

collective detail::reduce_scatter_of_all(elements const& send, elements const& receive,
                                         std::vector<int> const& counts, MPI_Op op) {
  return checked_first(reduce_scatter(send, receive, counts, op), [=](int rank, int size) {
    check_length(counts, size);
    check_lengths("reduce_scatter", send, receive, sum_of(counts),
                  counts[static_cast<std::size_t>(rank)]);
  });
}

} // namespace seam

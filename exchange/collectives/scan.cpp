#include <seam/exchange/collectives/scan.hpp>

#include <seam/exchange/collectives/chunked_reductions.hpp>
#include <seam/exchange/mpi/ordered_type.hpp>

#include <algorithm>

namespace seam {
namespace {

using scan_call = int (*)(void const*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*);

collective make_scan(char const* name, scan_call call, elements const& send,
                     elements const& receive, MPI_Op op, bool exclusive) {
  return {.name = name,
          .complete =
              [=](MPI_Comm comm, MPI_Request* request) {
                check_alike(send, receive, name);
                return call(send.data, const_cast<void*>(receive.data),
                            mpi::narrow(receive.count, name), mpi::ordered_type(op, receive.type),
                            op, comm, request);
              },
          .large =
              [=](ports const& over) {
                check_alike(send, receive, name);
                return chunked_scan(over, {.send = send, .receive = receive, .op = op}, exclusive);
              },
          .counted = [=](Communicator const&) { return receive.count; },
          .on_bipartite = false,
          .common = {.op = op, .values = receive},
          .check =
              [=](Communicator const&) {
                check_alike(send, receive, name);
                mpi::narrow(std::min<std::int64_t>(receive.count, 0), name); // none is negative
              }};
}

} // namespace

collective scan(elements const& send, elements const& receive, MPI_Op op) {
  return make_scan("scan", MPI_Iscan, send, receive, op, false);
}

collective exscan(elements const& send, elements const& receive, MPI_Op op) {
  return make_scan("exscan", MPI_Iexscan, send, receive, op, true);
}

} // namespace seam

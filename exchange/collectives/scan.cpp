#include <seam/exchange/collectives/scan.hpp>

namespace seam {
namespace {

using scan_call = int (*)(void const*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*);

collective make_scan(char const* name, scan_call call, elements const& send,
                     elements const& receive, MPI_Op op) {
  auto const checked_count = [=] {
    check_alike(send, receive, name);
    return mpi::narrow(receive.count, name);
  };
  return {.name = name,
          .complete =
              [=](MPI_Comm comm, MPI_Request* request) {
                return call(send.data, const_cast<void*>(receive.data), checked_count(),
                            receive.type, op, comm, request);
              },
          .on_bipartite = false,
          .common = {.op = op, .values = receive},
          .check = [=](Communicator const&) { checked_count(); }};
}

} // namespace

collective scan(elements const& send, elements const& receive, MPI_Op op) {
  return make_scan("scan", MPI_Iscan, send, receive, op);
}

collective exscan(elements const& send, elements const& receive, MPI_Op op) {
  return make_scan("exscan", MPI_Iexscan, send, receive, op);
}

} // namespace seam

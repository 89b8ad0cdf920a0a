#include <seam/exchange/collectives/scan.hpp>

#include <seam/exchange/mpi/forms.hpp>
#include <seam/exchange/mpi/ordered_type.hpp>
#include <seam/exchange/planning/chunked_reductions.hpp>

namespace seam {
using namespace detail;

namespace {

collective make_scan(char const* name, elements const& send, elements const& receive, MPI_Op op,
                     bool exclusive) {
  collective definition(name);
  definition.complete = [=](MPI_Comm comm, MPI_Request* request) {
    return mpi::call(exclusive ? MPI_Exscan : MPI_Scan, exclusive ? MPI_Iexscan : MPI_Iscan,
                     request, send.data, const_cast<void*>(receive.data),
                     mpi::narrow(receive.count, name), mpi::ordered_type(op, receive.type),
                     mpi::ordered_op(op, receive.type), comm);
  };
  definition.plan_on_complete = [=](collective_edges const& over) {
    return chunked_scan(over, {.send = send, .receive = receive, .op = op}, exclusive);
  };
  definition.counted = [=](Communicator const&) { return receive.count; };
  definition.on_bipartite = false;
  definition.key.add(send, receive, op);
  definition.common = {.op = op, .values = receive};
  definition.check = [=](call_arguments const& call) {
    bool const has_result = !exclusive || is_in_place(send) || call.over().rank() > 0;
    call.check_reduction(send, receive, op, has_result);
    check_alike(send, receive, call.call());
  };
  return definition;
}

} // namespace

collective scan(elements const& send, elements const& receive, MPI_Op op) {
  return make_scan("scan", send, receive, op, false);
}

collective exscan(elements const& send, elements const& receive, MPI_Op op) {
  return make_scan("exscan", send, receive, op, true);
}

} // namespace seam

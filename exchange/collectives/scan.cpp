#include <seam/exchange/collectives/scan.hpp>

#include <seam/exchange/calls/detail/collective_definition.hpp>
#include <seam/exchange/mpi/forms.hpp>
#include <seam/exchange/mpi/ordered_type.hpp>
#include <seam/exchange/planning/chunked_reductions.hpp>

#include <cstddef>

namespace seam {
using namespace detail;

namespace {

/// The memory of a result. Rank 0 of an exclusive scan has none; MPICH 4.0 refuses a null pointer there,
/// too, and writes nothing.
void* result_of(elements const& receive, bool exclusive, mpi::comm_view over) {
  static std::byte unused{};
  if (exclusive && receive.data == nullptr && over.rank() == 0)
    return &unused;
  return const_cast<void*>(receive.data);
}

collective make_scan(char const* name, elements const& send, elements const& receive, MPI_Op op,
                     bool exclusive) {
  collective made(name);
  made.key.add(send, receive, op);
  made.define = [=](collective_definition& definition) {
    definition.complete = [=](MPI_Comm comm, MPI_Request* request) {
      return mpi::call(exclusive ? MPI_Exscan : MPI_Scan, exclusive ? MPI_Iexscan : MPI_Iscan,
                       request, send.data, result_of(receive, exclusive, comm),
                       mpi::narrow(receive.count, name), mpi::ordered_type(op, receive.type),
                       mpi::ordered_op(op, receive.type), comm);
    };
    definition.plan_on_complete = [=](collective_edges const& over) {
      return chunked_scan(over, {.send = send, .receive = receive, .op = op}, exclusive);
    };
    definition.counted = [=](Communicator const&) { return receive.count; };
    definition.on_bipartite = false;
    definition.common = {.op = op, .values = receive};
    definition.check = [=](call_arguments const& call) {
      bool const has_result = !exclusive || is_in_place(send) || call.over().rank() > 0;
      call.check_reduction(send, receive, op, has_result);
      check_alike(send, receive, call.call());
    };
  };
  return made;
}

} // namespace

collective scan(elements const& send, elements const& receive, MPI_Op op) {
  return make_scan("scan", send, receive, op, false);
}

collective exscan(elements const& send, elements const& receive, MPI_Op op) {
  return make_scan("exscan", send, receive, op, true);
}

} // namespace seam

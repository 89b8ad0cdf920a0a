#include <seam/exchange/mpi/comm.hpp>

#include <seam/exchange/mpi/collective.hpp>
#include <seam/exchange/mpi/reported_call.hpp>

namespace seam::mpi {

int comm_view::rank() const {
  int rank = 0;
  check(MPI_Comm_rank(native_, &rank), "MPI_Comm_rank");
  return rank;
}

int comm_view::size() const {
  int size = 0;
  check(MPI_Comm_size(native_, &size), "MPI_Comm_size");
  return size;
}

comm dup(comm_view over) {
  mpi::comm copy;
  MPI_Comm* const into = copy.receive();
  detail::call_together(over, "MPI_Comm_dup", [&](MPI_Request* begun) {
    return begun == nullptr ? MPI_Comm_dup(over.native(), into)
                            : MPI_Comm_idup(over.native(), into, begun);
  });
  return_errors(copy);
  return copy;
}

comm split(comm_view over, int color, int key) {
  mpi::comm part;
  reported_call const now(over, "MPI_Comm_split");
  check(MPI_Comm_split(over.native(), color, key, part.receive()), "MPI_Comm_split");
  if (part.is_open())
    return_errors(part);
  return part;
}

comm split_shared(comm_view over) {
  return split_type(over, MPI_COMM_TYPE_SHARED, over.rank(), MPI_INFO_NULL);
}

comm split_type(comm_view over, int type, int key, MPI_Info info) {
  mpi::comm part;
  reported_call const now(over, "MPI_Comm_split_type");
  check(MPI_Comm_split_type(over.native(), type, key, info, part.receive()), "MPI_Comm_split_type");
  if (part.is_open())
    return_errors(part);
  return part;
}

comm merge(comm_view over) {
  mpi::comm both;
  reported_call const now(over, "MPI_Intercomm_merge");
  check(MPI_Intercomm_merge(over.native(), 0, both.receive()), "MPI_Intercomm_merge");
  return_errors(both);
  return both;
}

void return_errors(comm_view over) {
  check(MPI_Comm_set_errhandler(over.native(), MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

void inherit_error_handler(comm_view from, comm_view to) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  check(MPI_Comm_get_errhandler(from.native(), &handler), "MPI_Comm_get_errhandler");
  check(MPI_Comm_set_errhandler(to.native(), handler), "MPI_Comm_set_errhandler");
  check(MPI_Errhandler_free(&handler), "MPI_Errhandler_free");
}

bool is_bipartite(comm_view over) {
  int inter = 0;
  check(MPI_Comm_test_inter(over.native(), &inter), "MPI_Comm_test_inter");
  return inter != 0;
}

} // namespace seam::mpi

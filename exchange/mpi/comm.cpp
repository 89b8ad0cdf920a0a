#include <seam/exchange/mpi/comm.hpp>

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
  check(MPI_Comm_dup(over.native(), copy.receive()), "MPI_Comm_dup");
  return_errors(copy);
  return copy;
}

comm split(comm_view over, int color, int key) {
  mpi::comm part;
  check(MPI_Comm_split(over.native(), color, key, part.receive()), "MPI_Comm_split");
  if (part.is_open())
    return_errors(part);
  return part;
}

comm split_shared(comm_view over) {
  mpi::comm node;
  check(MPI_Comm_split_type(over.native(), MPI_COMM_TYPE_SHARED, over.rank(), MPI_INFO_NULL,
                            node.receive()),
        "MPI_Comm_split_type");
  return_errors(node);
  return node;
}

comm merge(comm_view over) {
  mpi::comm both;
  check(MPI_Intercomm_merge(over.native(), 0, both.receive()), "MPI_Intercomm_merge");
  return_errors(both);
  return both;
}

void return_errors(comm_view over) {
  check(MPI_Comm_set_errhandler(over.native(), MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

bool is_bipartite(comm_view over) {
  int inter = 0;
  check(MPI_Comm_test_inter(over.native(), &inter), "MPI_Comm_test_inter");
  return inter != 0;
}

} // namespace seam::mpi

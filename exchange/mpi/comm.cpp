#include <seam/exchange/mpi/comm.hpp>

#include <seam/exchange/mpi/detail/context.hpp>

namespace seam::mpi {

int comm_view::rank() const {
  if (context const* const ranks = context_of(*this))
    return ranks->rank();
  int rank = 0;
  check(MPI_Comm_rank(native_, &rank), "MPI_Comm_rank");
  return rank;
}

int comm_view::size() const {
  if (context const* const ranks = context_of(*this))
    return ranks->size();
  int size = 0;
  check(MPI_Comm_size(native_, &size), "MPI_Comm_size");
  return size;
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
  if (context const* const ranks = context_of(over))
    return ranks->is_bipartite();
  int inter = 0;
  check(MPI_Comm_test_inter(over.native(), &inter), "MPI_Comm_test_inter");
  return inter != 0;
}

} // namespace seam::mpi

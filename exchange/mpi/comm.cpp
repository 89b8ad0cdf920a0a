#include <seam/exchange/mpi/comm.hpp>

#include <seam/exchange/mpi/detail/context.hpp>

#include <algorithm>
#include <mutex>
#include <vector>

namespace seam::mpi {
namespace {

/// The communicators of the process that stay.
struct kept_communicators {
  static kept_communicators& of_process() {
    static kept_communicators only;
    return only;
  }

  std::mutex mutex;
  std::vector<MPI_Comm> all;
};

} // namespace

// Without memory for the list the program ends.
void keep_for_ever(comm_view over) noexcept { // NOLINT(bugprone-exception-escape)
  auto& kept = kept_communicators::of_process();
  std::lock_guard const lock(kept.mutex);
  if (std::ranges::find(kept.all, over.native()) == kept.all.end())
    kept.all.push_back(over.native());
}

int comm_kind::free(MPI_Comm* object) noexcept {
  auto& kept = kept_communicators::of_process();
  {
    std::lock_guard const lock(kept.mutex);
    if (std::ranges::find(kept.all, *object) != kept.all.end()) {
      *object = MPI_COMM_NULL;
      return MPI_SUCCESS;
    }
  }
  return MPI_Comm_free(object);
}

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

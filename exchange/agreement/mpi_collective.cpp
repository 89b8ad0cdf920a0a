#include <seam/exchange/agreement/mpi_collective.hpp>

#include <seam/exchange/mpi/library.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>

namespace seam::mpi {

bool detail::may_block() { return yields_in_calls && thread_level() >= MPI_THREAD_MULTIPLE; }

void detail::wait_for(MPI_Request under_way, char const* name) {
  int done = 0;
  for (seam::detail::patience wait;; wait.pause()) {
    check(MPI_Test(&under_way, &done, MPI_STATUS_IGNORE), name);
    if (done != 0)
      return;
  }
}

void barrier(comm_view over) {
  if (detail::call_endpoints(over, "MPI_Barrier", [](context& all) { seam::detail::barrier(all); }))
    return;
  detail::call_together(over, "MPI_Barrier", [&](MPI_Request* begun) {
    return begun == nullptr ? MPI_Barrier(over.native()) : MPI_Ibarrier(over.native(), begun);
  });
}

void bcast(comm_view over, std::string& text, int root) {
  std::int64_t length = std::ssize(text);
  bcast(over, std::span(&length, 1), root);
  text.resize(length);
  bcast(over, std::span(text.data(), text.size()), root);
}

} // namespace seam::mpi

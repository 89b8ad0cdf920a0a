#include <seam/framework/program/mpi_session.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/library.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>
#include <seam/exchange/waiting/thread_level.hpp>
#include <seam/framework/program/endpoint_count.hpp>

#include <mpi.h>

namespace seam::detail {
namespace {

bool has_begun() noexcept {
  int begun = 0;
  MPI_Initialized(&begun);
  return begun != 0;
}

/// The thread level to ask MPI for. A wrong setting is refused later, by all ranks together.
int wanted_level() {
  try {
    return mpi::wanted_thread_level();
  } catch (usage_error const&) {
    return MPI_THREAD_MULTIPLE;
  }
}

void start(int& argc, char**& argv) {
  int const level = names_endpoints(argc, argv) ? MPI_THREAD_MULTIPLE : wanted_level();
  int provided = MPI_THREAD_SINGLE;
  mpi::leave_out_lossy_parts();
  mpi::check(MPI_Init_thread(&argc, &argv, level, &provided), "MPI_Init_thread");
}

} // namespace

mpi_session::mpi_session(int& argc, char**& argv) : is_owner_(!has_begun()) {
  if (is_owner_)
    start(argc, argv);
  else if (!mpi::is_running())
    refuse("runtime: MPI has ended already (expected one start of MPI in a process)");
}

mpi_session::~mpi_session() {
  if (!is_owner_ || !mpi::is_running())
    return;
  end_progress();
  MPI_Finalize();
}

} // namespace seam::detail

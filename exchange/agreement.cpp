#include <seam/exchange/agreement.hpp>

#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/collective.hpp>

#include <fmt/format.h>

#include <exception>

namespace seam {

void agree(mpi::comm_view comm, std::optional<std::string> const& mine) {
  int const size = comm.size();
  int const first = mpi::allreduce(comm, mine ? comm.rank() : size, MPI_MIN);
  if (first == size)
    return;
  std::string line = mine.value_or("");
  mpi::bcast(comm, line, first);
  throw usage_error(fmt::format("{}; first on rank {} of {}", line, first, size), true);
}

void require_same(mpi::comm_view comm, std::string_view what, std::string const& mine) {
  std::string first = mine;
  mpi::bcast(comm, first, 0);
  if (mine == first)
    return agree(comm, std::nullopt);
  agree(comm,
        fmt::format("{} {} (expected the same on all ranks: {} as on rank 0)", what, mine, first));
}

std::string detail::line_of_current_exception() {
  try {
    throw;
  } catch (std::exception const& problem) {
    return problem.what();
  } catch (...) {
    return "an exception that is not a std::exception";
  }
}

} // namespace seam

#include <seam/exchange/agreement.hpp>

#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/collective.hpp>

#include <fmt/format.h>

#include <exception>
#include <new>

namespace seam {

namespace {

/// A fully connected communicator of all processes of another, for as long as it is needed.
class everybody {
public:
  explicit everybody(mpi::comm_view of) : given_(of) {
    if (mpi::is_bipartite(of))
      merged_ = mpi::merge(of);
  }
  operator mpi::comm_view() const { return merged_.is_open() ? mpi::comm_view(merged_) : given_; }

private:
  mpi::comm_view given_;
  mpi::comm merged_;
};

void agree_among(mpi::comm_view comm, std::optional<std::string> const& mine) {
  int const size = comm.size();
  int const first = mpi::allreduce(comm, mine ? comm.rank() : size, MPI_MIN);
  if (first == size)
    return;
  std::string line = mine.value_or("");
  mpi::bcast(comm, line, first);
  throw usage_error(fmt::format("{}; first on rank {} of {}", line, first, size), true);
}

} // namespace

int largest_of_all(mpi::comm_view comm, int mine) {
  return mpi::allreduce(everybody(comm), mine, MPI_MAX);
}

void agree(mpi::comm_view comm, std::optional<std::string> const& mine) {
  agree_among(everybody(comm), mine);
}

void require_same(mpi::comm_view comm, std::string_view what, std::string const& mine) {
  everybody const all(comm);
  std::string first = mine;
  mpi::bcast(all, first, 0);
  if (mine == first)
    return agree_among(all, std::nullopt);
  agree_among(all, fmt::format("{} {} (expected the same on all ranks: {} as on rank 0)", what,
                               mine, first));
}

std::string detail::line_of_current_exception() {
  try {
    throw;
  } catch (std::bad_alloc const&) {
    return "out of memory";
  } catch (std::exception const& problem) {
    return problem.what();
  } catch (...) {
    return "an exception that is not a std::exception";
  }
}

} // namespace seam

#include <seam/exchange/agreement/agreement.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <exception>
#include <new>
#include <span>

namespace seam {
using namespace detail;

namespace {

void agree_among(mpi::comm_view comm, std::optional<error_report> const& own) {
  int const size = comm.size();
  int const first = mpi::allreduce(comm, own ? comm.rank() : size, MPI_MIN);
  if (first == size)
    return;
  auto [line, error_class] = own.value_or(error_report(""));
  mpi::bcast(comm, line, first);
  mpi::bcast(comm, std::span(&error_class, 1), first);
  throw usage_error(fmt::format("{}; first on rank {} of {}", line, first, size), true,
                    error_class);
}

} // namespace

int largest_of_all(mpi::comm_view comm, int value) {
  call_scope const here("an agreement of all ranks");
  return mpi::allreduce(mpi::all_processes(comm), value, MPI_MAX);
}

void largest_of_all(mpi::comm_view comm, std::span<int> values) {
  mpi::allreduce(mpi::all_processes(comm), values, MPI_MAX);
}

void agree(mpi::comm_view comm, std::optional<error_report> const& own) {
  call_scope const here("an agreement of all ranks");
  agree_among(mpi::all_processes(comm), own);
}

void require_same(mpi::comm_view comm, std::string_view what, std::string const& own) {
  call_scope const here("a comparison of all ranks");
  mpi::comm_view const all = mpi::all_processes(comm);
  std::string first = own;
  mpi::bcast(all, first, 0);
  if (own == first)
    return agree_among(all, std::nullopt);
  agree_among(all,
              error_report(fmt::format("{} {} (expected the same on all ranks: {} as on rank 0)",
                                       what, own, first)));
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

error_report detail::report_of_current_exception() {
  std::string line = line_of_current_exception();
  try {
    throw;
  } catch (usage_error const& mistake) {
    return {std::move(line), mistake.error_class()};
  } catch (mpi_error const& failure) {
    return {std::move(line), failure.error_class()};
  } catch (std::bad_alloc const&) {
    return {std::move(line), MPI_ERR_NO_MEM};
  } catch (...) {
    return {std::move(line)};
  }
}

} // namespace seam

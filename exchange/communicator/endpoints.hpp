/// Endpoints: several ranks in one process ([Endpoints2011]). A rank is then a thread, or several,
/// and has communicators, collectives, topologies and operations like any other.
///
///     std::vector<Communicator> own = create_endpoints(world, 2);    // this process gets 2
///     std::jthread other([&] { work(own[1]); });
///     work(own[0]);                                                  // knows nothing of threads
///
/// Endpoints are ordered by process: those of one process have consecutive ranks. Messages between
/// endpoints of one process are copied once, in its memory; those between processes travel as
/// messages of MPI, which has to run with MPI_THREAD_MULTIPLE.
///
/// An `Endpoints` binds its endpoints to threads: a thread uses the communicators of the endpoint
/// that it is attached to, and no others. With create_endpoints() each communicator says by itself
/// which endpoint it belongs to.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace seam {

namespace detail {
struct endpoint;
}

/// Makes `how_many` endpoints of this process, which any threads may use.
///
/// @return  [how_many] for each endpoint its communicator of all endpoints of all processes
/// @throws usage_error  a count is negative (all processes), MPI runs below MPI_THREAD_MULTIPLE, or
///         `parent` is bipartite, or one of endpoints
/// Collective: over `parent`; `how_many` may differ, and be 0.
/// Cost: an allgather and a copy of MPI_COMM_SELF for each endpoint; the first call on `parent`
/// copies it twice.
std::vector<Communicator> create_endpoints(Communicator const& parent, int how_many);

/// Compares as MPI_Comm_compare does, also communicators of endpoints. Endpoints from different
/// calls of create_endpoints() are never the same. Local.
int compare_communicators(mpi::comm_view first, mpi::comm_view second);

/// True if the ranks of `over` are endpoints. Local.
bool is_of_endpoints(mpi::comm_view over);

/// Refuses endpoints for a library that knows only processes.
/// @param library  begins the line: "HDF5"
/// @throws usage_error  (all ranks) the ranks of `over` are endpoints
/// Local.
void require_processes(mpi::comm_view over, std::string_view library);

/// Endpoints that are bound to threads, and the four communicators of each.
///
///                 process 0     process 1          a thread that is attached to rank 3 sees
///     all         0   1   2     3   4              rank 3 of 5
///     world       0             1                  rank 1 of 2
///     clique      0   1   2     0   1              rank 0 of 2
///     self        0   0   0     0   0              rank 0 of 1
///
/// The thread that makes the endpoints is attached to the first of its process; a new thread begins
/// at the endpoint of the thread that has made it (with SEAM_INHERIT_ENDPOINTS=off at the first of
/// its process), and attaches to another by
/// attach(). Errors of attachment have the class ENDPOINTS.
/// Threads: any, after construction; one `Endpoints` at a time in a process.
/// Source: [Endpoints2011] sec. 0.0.2, 0.0.3.
class Endpoints {
public:
  /// Makes `how_many` endpoints of this process, one or more.
  /// @throws usage_error  a count is below 1 (all processes); as create_endpoints()
  /// Collective: over `processes`; `how_many` may differ.
  Endpoints(mpi::comm_view processes, int how_many);
  Endpoints(Endpoints const&) = delete;
  Endpoints& operator=(Endpoints const&) = delete;

  /// Frees the communicators. Threads that are attached are attached to nothing from then on.
  ~Endpoints();

  /// Gives all communicators of this process's endpoints the error handler of `from`. Local.
  void inherit_error_handler(mpi::comm_view from);

  /// Number of endpoints of this process. Local.
  int size() const noexcept;

  /// The communicators of the calling thread's endpoint.
  /// @throws usage_error  of the class ENDPOINTS: the thread is attached to none; world(): to
  ///         another than the first
  /// Local.
  Communicator const& all() const;
  Communicator const& world() const;
  Communicator const& clique() const;
  Communicator const& self() const;

  /// The class of errors of attachment in MPI, named ENDPOINTS. Local.
  static int error_class();

private:
  struct of_one;
  of_one const& of_thread(char const* call) const;

  std::vector<std::unique_ptr<of_one>> each_;
};

/// Attaches the calling thread to endpoint `rank` of `among`, and detaches it from the one before.
///
/// @throws usage_error  of the class ENDPOINTS: there is no such rank, it is of another process, or
///         another thread is attached to it with MPI_THREAD_FUNNELED; `among` is bipartite or has
///         processes for ranks
/// Local.
/// Source: [Endpoints2011] sec. 0.0.3 (MPI_Thread_attach).
void attach(int rank, mpi::comm_view among);

/// Detaches the calling thread from its endpoint: it can attach again, and use no communicator of
/// an `Endpoints` meanwhile. A thread that ends detaches by itself. Local.
void detach();

} // namespace seam

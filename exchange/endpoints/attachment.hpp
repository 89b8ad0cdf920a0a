/// Attachment: which endpoint a thread belongs to.
///
///     a thread --- attached to at most one ---> endpoint <--- any number of threads
///
/// A thread begins at the endpoint of the thread that has made it (see let_threads_inherit()), or at the
/// first endpoint of its process that start_with() has named, until it attaches or detaches. A
/// thread that ends detaches.
#pragma once

#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/waiting/thread_level.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace seam::detail {

/// An endpoint of this process.
struct endpoint {
  endpoint(mpi::endpoint_place at, bool belongs_to_threads)
      : place(at), is_bound(belongs_to_threads) {}

  mpi::endpoint_place place;
  bool is_bound; ///< only threads that are attached to it may use its communicators
  std::atomic<int> num_threads = 0; ///< attached, but for those that have begun so
  /// Of its threads.
  std::shared_ptr<calls_under_way> calls = std::make_shared<calls_under_way>();
  std::shared_ptr<std::vector<std::weak_ptr<endpoint>> const> siblings; ///< by index, with itself
};

/// MPI's class of errors of attachments, named ENDPOINTS.
/// Threads: any.
int endpoints_error_class();

/// Throws a usage_error of the class ENDPOINTS.
[[noreturn]] void refuse_endpoint(std::string const& line);

/// The endpoint of the calling thread, or nullptr.
std::shared_ptr<endpoint> endpoint_of_thread() noexcept;

/// True between start_with() an endpoint and with none.
bool has_endpoints() noexcept;

/// Makes the calling thread, which is new, begin at `inherited`, as long as that lives; nullptr: as
/// if it had detached. At MPI_THREAD_FUNNELED it may not call there.
void begin_at(std::shared_ptr<endpoint> const& inherited) noexcept;

/// Makes threads that have neither inherited, attached nor detached belong to `first`; nullptr: to
/// none.
/// @throws usage_error  SEAM_INHERIT_ENDPOINTS is neither on nor off
/// Threads: one, while no other thread attaches.
void start_with(std::shared_ptr<endpoint> first);

/// Attaches the calling thread to `to`, and detaches it from its endpoint before.
/// @throws usage_error  of the class ENDPOINTS: at MPI_THREAD_FUNNELED another thread is attached
void attach_thread(std::shared_ptr<endpoint> to);

/// Detaches the calling thread: it may attach again.
void detach_thread();

/// Makes the calling thread one that has neither attached nor detached.
void forget_attachment();

/// Refuses `call` unless the calling thread is attached to `to`, or `to` is not bound to threads.
void check_attachment(endpoint const& to, char const* call);

/// Makes the linker take seam's pthread_create, which nothing else refers to. Local.
///
/// It passes the endpoint on, so that threads of the standard library and of OpenMP inherit as well.
/// SEAM_INHERIT_ENDPOINTS=off keeps it from doing so: then threads begin at the first endpoint of their
/// process.
/// @throws usage_error  SEAM_INHERIT_ENDPOINTS is neither on nor off
void let_threads_inherit();

} // namespace seam::detail

/// The requests of partitioned.h: partitioned operations, prepared messages between endpoints
/// (endpoints.h), and collectives (orthogonal.h). Each has a request handle of MPI, by which it is
/// found, so that it can stand in an array with MPI's own requests.
#pragma once

#include <seam/c/partitioned.h>
#include <seam/exchange/partitioned/partitioned_operation.hpp>
#include <seam/framework/c/errors.hpp>

#include <mpi.h>

#include <atomic>
#include <memory>
#include <string>

namespace seam::detail {

/// Keeps the error handler that `native` has when this is made. Local.
class c_communicator {
public:
  explicit c_communicator(MPI_Comm native);
  c_communicator(c_communicator const&) = delete;
  c_communicator& operator=(c_communicator const&) = delete;
  ~c_communicator();

  /// Calls the kept error handler with `code`: for the communicator, or, if the program has freed
  /// it or given it another handler since, for a communicator of this process alone.
  void call_error_handler(int code) const;

private:
  bool still_has_handler() const;

  MPI_Comm native_;
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
  std::shared_ptr<std::atomic<bool> const> is_open_;
};

/// What a request starts and completes, and the status that its completion returns.
class c_request {
public:
  c_communicator comm;
  int source = MPI_ANY_SOURCE, tag = MPI_ANY_TAG;
  MPI_Count bytes = 0;
  bool is_cancelled = false;           ///< since its last start
  std::atomic<bool> is_active = false; ///< started, and no call has reported its completion

  explicit c_request(MPI_Comm native) : comm(native) {}
  c_request(c_request const&) = delete;
  c_request& operator=(c_request const&) = delete;
  virtual ~c_request() = default;

  virtual void start() = 0;
  virtual bool is_in_flight() const = 0;
  virtual bool test() = 0;
  virtual void wait() = 0;

  /// Lets a message that no other end has matched complete as cancelled.
  /// @throws usage_error  it is no message
  virtual void cancel();

  /// Ends the request before it is freed; refuses one that is in flight.
  virtual void close() = 0;

  /// As error lines say it: "psend".
  virtual std::string name() const = 0;

  /// False for an operation that is started once: its completion frees the request.
  virtual bool is_persistent() const noexcept { return true; }

  /// The operation, if it has partitions; nullptr otherwise.
  virtual partitioned_operation* partitioned() noexcept { return nullptr; }
};

/// The request of a partitioned operation.
class c_partitioned_request final : public c_request {
public:
  c_partitioned_request(MPI_Comm native, partitioned_operation made)
      : c_request(native), what_(std::move(made)) {}

  void start() override { what_.start(); }
  bool is_in_flight() const override { return what_.is_active(); }
  bool test() override { return what_.test(); }
  void wait() override { what_.wait(); }
  void close() override { what_.close(); }
  std::string name() const override { return what_.name(); }
  partitioned_operation* partitioned() noexcept override { return &what_; }

private:
  partitioned_operation what_;
};

/// Returns a new handle, by which `request` is found from now on. Local. Threads: any.
MPIX_Request add_request(std::unique_ptr<c_request> request);

/// The request of `handle`, or nullptr if it is none of seam. Threads: any, without a lock.
c_request* find_request(MPIX_Request handle) noexcept;

/// Destroys a request, and sets `handle` to MPIX_REQUEST_NULL. Threads: any.
void remove_request(MPIX_Request& handle);

/// Sets the status of a completed request; an empty one for nullptr. Local.
void set_status(c_request const* request, MPI_Status* status);

/// Runs `body`; turns an exception into an error code and calls the error handler that the
/// communicator of `request` had when that was made. Returns MPI_SUCCESS or the code.
/// @param request  nullptr: the handler of MPI_COMM_WORLD
template <class Body>
int guarded(c_request const* request, Body const& body) {
  try {
    body();
    return MPI_SUCCESS;
  } catch (...) {
    int const code = code_of_current_exception();
    if (request != nullptr)
      request->comm.call_error_handler(code);
    else
      call_error_handler(MPI_COMM_NULL, code);
    return code;
  }
}

} // namespace seam::detail

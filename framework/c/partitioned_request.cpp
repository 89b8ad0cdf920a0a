#include <seam/framework/c/partitioned_request.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/attribute.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/large_count.hpp>
#include <seam/framework/c/request_table.hpp>

#include <fmt/format.h>

#include <mutex>

namespace seam::detail {
namespace {

request_table<c_request>& requests() {
  static auto* const table = new request_table<c_request>; // outlives all static objects
  return *table;
}

/// Makes an unused request of MPI, whose handle no other request has.
MPI_Request make_handle() {
  MPI_Request made = MPI_REQUEST_NULL;
  mpi::check(MPI_Send_init(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &made),
             "MPI_Send_init");
  return made;
}

} // namespace

void c_request::cancel() {
  refuse(MPI_ERR_REQUEST, fmt::format("MPIX_Cancel: {}, which cannot be cancelled (expected a "
                                      "request of a message without partitions)",
                                      name()));
}

MPIX_Request add_request(std::unique_ptr<c_request> request) {
  MPI_Request handle = make_handle();
  requests().add(handle, request.release());
  return handle;
}

c_request* find_request(MPIX_Request handle) noexcept {
  return handle == MPIX_REQUEST_NULL ? nullptr : requests().find(handle);
}

void remove_request(MPIX_Request& handle) {
  delete requests().remove(handle);
  mpi::check(MPI_Request_free(&handle), "MPI_Request_free");
}

void set_status(c_request const* request, MPI_Status* status) {
  if (status == MPI_STATUS_IGNORE)
    return;
  status->MPI_SOURCE = request == nullptr ? MPI_ANY_SOURCE : request->source;
  status->MPI_TAG = request == nullptr ? MPI_ANY_TAG : request->tag;
  status->MPI_ERROR = MPI_SUCCESS;
  mpi::set_bytes(*status, request == nullptr ? 0 : request->bytes);
  MPI_Status_set_cancelled(status, request != nullptr && request->is_cancelled ? 1 : 0);
}

namespace {

using open_flag = std::shared_ptr<std::atomic<bool>>;

/// The flag that says whether a communicator is open, kept with it. MPI ends what is kept with a
/// communicator when it is freed.
struct kept_flag {
  kept_flag() = default;
  kept_flag(kept_flag const&) = delete;
  kept_flag& operator=(kept_flag const&) = delete;
  ~kept_flag() { is_open->store(false); }

  open_flag is_open = std::make_shared<std::atomic<bool>>(true);
};

open_flag flag_of(MPI_Comm native) {
  static std::mutex looking;
  std::scoped_lock const lock(looking);
  using flags = mpi::attribute<kept_flag>;
  kept_flag* const found = flags::of(native);
  return found != nullptr ? found->is_open
                          : flags::keep(native, std::make_unique<kept_flag>()).is_open;
}

} // namespace

c_communicator::c_communicator(MPI_Comm native) : native_(native), is_open_(flag_of(native)) {
  mpi::check(MPI_Comm_get_errhandler(native, &handler_), "MPI_Comm_get_errhandler");
}

c_communicator::~c_communicator() {
  if (mpi::is_running())
    MPI_Errhandler_free(&handler_);
}

bool c_communicator::still_has_handler() const {
  if (!is_open_->load())
    return false;
  MPI_Errhandler now = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(native_, &now);
  bool const is_same = now == handler_;
  MPI_Errhandler_free(&now);
  return is_same;
}

void c_communicator::call_error_handler(int code) const {
  if (still_has_handler()) {
    MPI_Comm_call_errhandler(native_, code);
    return;
  }
  MPI_Comm substitute = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_SELF, &substitute);
  MPI_Comm_set_errhandler(substitute, handler_);
  MPI_Comm_call_errhandler(substitute, code);
  MPI_Comm_free(&substitute);
}

} // namespace seam::detail

#include <seam/exchange/mpi/detail/context_request.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/large_count.hpp>
#include <seam/exchange/mpi/library.hpp>

#include <atomic>
#include <memory>
#include <thread>

namespace seam::mpi {
namespace {

/// A transfer with the request that stands for it, until it is done and MPI has freed the request,
/// which MPICH does at once where MPI_Request_free() is called before the transfer is done. Its
/// context stays as long, also if the communicator is freed before.
struct requested_transfer : transfer {
  template <class Bytes>
  requested_transfer(context& over, Bytes place, int to_or_from, int its_tag, completed_by threads)
      : transfer(place, to_or_from, its_tag), ranks(over.shared_from_this()), by(threads) {}

  std::shared_ptr<context> ranks;
  completed_by by;
  bool is_receive = false; ///< which can be cancelled
  MPI_Request request = MPI_REQUEST_NULL;

  /// Keeps the transfer until one more release(). For holders of it.
  void hold() noexcept { num_holders_.fetch_add(1, std::memory_order_relaxed); }

  /// Called once when the transfer is done, once when the request is freed, and behind hold().
  void release() noexcept {
    if (num_holders_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

private:
  ~requested_transfer() = default;
  friend std::default_delete<requested_transfer>; // while no request has been made

  std::atomic<int> num_holders_ = 2;
};

/// MPI's error code of a completion by a thread that may not complete the request.
int code_of_other_thread(int error_class) noexcept {
  static int const made = [error_class] {
    int code = MPI_ERR_OTHER;
    MPI_Add_error_code(error_class, &code);
    MPI_Add_error_string(code, "message: a request that a thread of another endpoint completes "
                               "(expected one of the endpoint that has started it)");
    return code;
  }();
  return made;
}

/// The error code of a completion by the calling thread; MPI_SUCCESS if it may complete the request.
int code_of_thread(requested_transfer const& ended) noexcept {
  try {
    if (ended.by == completed_by::own_threads)
      ended.ranks->check_thread("MPI_Wait");
    return MPI_SUCCESS;
  } catch (usage_error const& mistake) {
    return code_of_other_thread(mistake.error_class());
  }
}

/// Called when a call of MPI completes the request.
int write_status(void* of, MPI_Status* status) {
  auto& ended = *static_cast<requested_transfer*>(of);
  static_cast<void>(ended.is_done()); // what the ending thread has written is visible from here on
  status->MPI_SOURCE = ended.peer;
  status->MPI_TAG = ended.tag;
  set_bytes(*status, ended.is_cancelled ? 0 : ended.bytes);
  MPI_Status_set_cancelled(status, ended.is_cancelled ? 1 : 0);
  status->MPI_ERROR = ended.is_truncated ? MPI_ERR_TRUNCATE : code_of_thread(ended);
  return status->MPI_ERROR;
}

int free_transfer(void* of) {
  static_cast<requested_transfer*>(of)->release();
  return MPI_SUCCESS;
}

/// Cancels a receive by a thread of its own, whose call of MPI waits until MPI_Cancel() has returned.
[[maybe_unused]] void cancel_soon(requested_transfer& receive) {
  receive.hold();
  std::thread([&receive] {
    receive.ranks->cancel(receive);
    receive.release();
  }).detach();
}

int cancel_transfer(void* of, int is_complete) {
  auto& receive = *static_cast<requested_transfer*>(of);
  if (is_complete != 0 || !receive.is_receive)
    return MPI_SUCCESS;
  if constexpr (may_complete_in_cancel)
    receive.ranks->cancel(receive);
  else
    cancel_soon(receive);
  return MPI_SUCCESS;
}

/// Makes the request of a transfer that is about to start.
MPI_Request request_of(requested_transfer& started) {
  check(MPI_Grequest_start(write_status, free_transfer, cancel_transfer, &started,
                           &started.request),
        "MPI_Grequest_start");
  started.when_done = [](transfer& ended) {
    auto& done = static_cast<requested_transfer&>(ended);
    MPI_Grequest_complete(done.request);
    done.release();
  };
  return started.request;
}

} // namespace

int own_source(int from) noexcept { return from == MPI_ANY_SOURCE ? any_source : from; }
int own_tag(int tag) noexcept { return tag == MPI_ANY_TAG ? any_tag : tag; }

MPI_Request start_send(context& over, std::span<std::byte const> bytes, int to, int tag,
                       bool is_synchronous, completed_by by) {
  auto started = std::make_unique<requested_transfer>(over, bytes, to, tag, by);
  started->is_synchronous = is_synchronous;
  auto const handle = request_of(*started);
  transfer& message = *started.release();
  if (to == MPI_PROC_NULL)
    message.finish();
  else
    over.send(message);
  return handle;
}

MPI_Request start_receive(context& over, std::span<std::byte> into, int from, int tag,
                          completed_by by) {
  auto started =
      std::make_unique<requested_transfer>(over, into, own_source(from), own_tag(tag), by);
  started->is_receive = true;
  auto const handle = request_of(*started);
  transfer& receive = *started.release();
  if (from != MPI_PROC_NULL) {
    over.receive(receive);
    return handle;
  }
  receive.peer = MPI_PROC_NULL;
  receive.tag = MPI_ANY_TAG;
  receive.bytes = 0;
  receive.finish();
  return handle;
}

MPI_Request start_receive(context& over, taken_message& taken, std::span<std::byte> into,
                          completed_by by) {
  auto started = std::make_unique<requested_transfer>(over, into, taken.message().source,
                                                      taken.message().tag, by);
  auto const handle = request_of(*started);
  taken.receive(*started.release());
  return handle;
}

std::optional<arrived_message> look_for_message(context& over, int from, int tag) {
  if (from == MPI_PROC_NULL)
    return arrived_message{MPI_PROC_NULL, MPI_ANY_TAG, 0};
  if (auto const found = over.look(own_source(from), own_tag(tag)))
    return found;
  over.progress();
  return over.look(own_source(from), own_tag(tag));
}

} // namespace seam::mpi

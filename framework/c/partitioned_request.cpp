#include <seam/framework/c/partitioned_request.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/attribute.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/large_count.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <mutex>
#include <type_traits>
#include <vector>

namespace seam::detail {
namespace {

/// A hash table with open addressing: an entry lies in the first free place from its hash on. A
/// handle of a live request is in the table at most once.
/// Threads: any; a thread may look for a handle once it has been added.
template <class Object>
class request_table {
public:
  request_table() { grow(16); }

  Object* find(MPI_Request handle) const noexcept {
    std::uintptr_t const key = key_of(handle);
    places const& in = *now_.load(std::memory_order_acquire);
    for (std::size_t at = hash(key), end = at + in.size(); at < end; ++at) {
      place const& here = in[at % in.size()];
      std::uintptr_t const found = here.key.load(std::memory_order_acquire);
      if (found == key)
        if (Object* const object = here.object.load(std::memory_order_acquire))
          return object;
      if (found == 0)
        return nullptr;
    }
    return nullptr;
  }

  void add(MPI_Request handle, Object* object) {
    std::scoped_lock const lock(changing_);
    if (2 * ++num_used_ > all_.back()->size())
      grow(2 * all_.back()->size());
    put(*all_.back(), key_of(handle), object);
  }

  /// Takes the object of `handle` from the table and returns it.
  Object* remove(MPI_Request handle) {
    std::scoped_lock const lock(changing_);
    std::uintptr_t const key = key_of(handle);
    places& in = *all_.back();
    for (std::size_t at = hash(key), end = at + in.size(); at < end; ++at)
      if (place& here = in[at % in.size()];
          here.key.load() == key && here.object.load() != nullptr) {
        --num_used_;
        Object* const removed = here.object.exchange(nullptr);
        free_unused(in, at);
        return removed;
      }
    return nullptr;
  }

private:
  /// A place without a key is free. One with a key and no object was used by an object that has
  /// been removed, and may be used again.
  struct place {
    std::atomic<std::uintptr_t> key = 0;
    std::atomic<Object*> object = nullptr;
  };
  using places = std::vector<place>;

  /// MPI's handles are pointers or integers.
  template <class Handle>
  static std::uintptr_t key_of(Handle handle) noexcept {
    if constexpr (std::is_pointer_v<Handle>)
      return reinterpret_cast<std::uintptr_t>(handle);
    else
      return static_cast<std::uintptr_t>(handle);
  }

  static std::size_t hash(std::uintptr_t key) noexcept {
    return (std::uint64_t{key} * 0x9e3779b97f4a7c15U) >> 32;
  }

  static void put(places& in, std::uintptr_t key, Object* object) {
    std::size_t at = hash(key);
    while (in[at % in.size()].object.load() != nullptr)
      ++at;
    in[at % in.size()].key.store(key);
    in[at % in.size()].object.store(object, std::memory_order_release);
  }

  /// Frees the unused places up to `last` that no search has to pass.
  static void free_unused(places& in, std::size_t last) {
    auto const at = [&](std::size_t k) -> place& { return in[k % in.size()]; };
    for (std::size_t k = last + in.size(); k > last && at(k + 1).key.load() == 0 &&
                                           at(k).key.load() != 0 && at(k).object.load() == nullptr;
         --k)
      at(k).key.store(0);
  }

  /// Moves the objects to a larger table. The old places stay, as a thread may be reading them.
  void grow(std::size_t size) {
    auto larger = std::make_unique<places>(size);
    if (!all_.empty())
      for (place const& old : *all_.back())
        if (Object* const object = old.object.load())
          put(*larger, old.key.load(), object);
    all_.push_back(std::move(larger));
    now_.store(all_.back().get(), std::memory_order_release);
  }

  std::atomic<places const*> now_ = nullptr;
  std::vector<std::unique_ptr<places>> all_; ///< each twice as large as the one before
  std::size_t num_used_ = 0;
  std::mutex changing_;
};

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

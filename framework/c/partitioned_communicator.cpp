#include <seam/framework/c/partitioned_communicator.hpp>

#include <seam/exchange/mpi/attribute.hpp>
#include <seam/exchange/mpi/check.hpp>

#include <mutex>

namespace seam::detail {
namespace {

using open_flag = std::shared_ptr<std::atomic<bool>>;

/// The attribute key of the flag that says whether a communicator is open. MPI deletes the
/// attributes of a communicator when it is freed.
int key_of_flags() {
  static int const key = [] {
    auto const close = [](MPI_Comm, int, void* kept, void*) {
      auto* const flag = static_cast<open_flag*>(kept);
      (*flag)->store(false);
      delete flag;
      return MPI_SUCCESS;
    };
    int created = MPI_KEYVAL_INVALID;
    mpi::check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, close, &created, nullptr),
               "MPI_Comm_create_keyval");
    return created;
  }();
  return key;
}

open_flag flag_of(MPI_Comm native) {
  static std::mutex looking;
  std::scoped_lock const lock(looking);
  void* kept = nullptr;
  int found = 0;
  mpi::check(MPI_Comm_get_attr(native, key_of_flags(), &kept, &found), "MPI_Comm_get_attr");
  if (found != 0)
    return *static_cast<open_flag*>(kept);
  auto made = std::make_unique<open_flag>(std::make_shared<std::atomic<bool>>(true));
  mpi::check(MPI_Comm_set_attr(native, key_of_flags(), made.get()), "MPI_Comm_set_attr");
  return *made.release();
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

#include <seam/framework/c/partitioned_communicator.hpp>

#include <seam/exchange/mpi/attribute.hpp>
#include <seam/exchange/mpi/detail/check.hpp>

#include <mutex>

namespace seam::detail {
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

#include <seam/framework/c/partitioned_communicator.hpp>

#include <seam/exchange/mpi/attribute.hpp>
#include <seam/exchange/mpi/check.hpp>

#include <mutex>

namespace seam::detail {
namespace {

using open_word = std::shared_ptr<std::atomic<bool>>;

/// The word that says whether a communicator is open, as it is kept with one.
struct kept_word {
  kept_word() = default;
  kept_word(kept_word const&) = delete;
  kept_word& operator=(kept_word const&) = delete;
  ~kept_word() { is_open->store(false); }

  open_word is_open = std::make_shared<std::atomic<bool>>(true);
};

open_word word_of(MPI_Comm native) {
  static std::mutex looking;
  std::scoped_lock const lock(looking);
  using words = mpi::attribute<kept_word>;
  kept_word* const found = words::of(native);
  return found != nullptr ? found->is_open
                          : words::keep(native, std::make_unique<kept_word>()).is_open;
}

} // namespace

c_communicator::c_communicator(MPI_Comm native) : native_(native), is_open_(word_of(native)) {
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
  MPI_Comm stand_in = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_SELF, &stand_in);
  MPI_Comm_set_errhandler(stand_in, handler_);
  MPI_Comm_call_errhandler(stand_in, code);
  MPI_Comm_free(&stand_in);
}

} // namespace seam::detail

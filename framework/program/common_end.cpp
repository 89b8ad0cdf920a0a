#include <seam/framework/program/common_end.hpp>

#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>
#include <seam/exchange/waiting/watch.hpp>

#include <thread>

namespace seam::detail {
namespace {

/// Pauses of a wait that may last minutes: the first 2000 are short, later ones sleep.
class long_patience {
public:
  void pause() {
    constexpr int pauses_before_sleeping = 2000;
    if (++pauses_ < pauses_before_sleeping)
      short_.pause();
    else
      rest();
  }

private:
  /// Moves the operations that this process has started and answers the watch, then sleeps.
  static void rest() {
    progress_all();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  patience short_;
  int pauses_ = 0;
};

} // namespace

std::optional<int> common_end::meet(bool failed, seconds limit) {
  using clock = std::chrono::steady_clock;
  leaving const in_this_scope;
  mpi::comm_view const over = over_;
  own_ = failed ? over.rank() : over.size();
  MPI_Request request = MPI_REQUEST_NULL;
  mpi::check(MPI_Iallreduce(&own_, &lowest_, 1, MPI_INT, MPI_MIN, over.native(), &request),
             "MPI_Iallreduce");
  auto const begin = clock::now();
  for (long_patience waiting;; waiting.pause()) {
    int done = 0;
    mpi::check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0)
      return lowest_;
    if (seconds(clock::now() - begin) > limit)
      return std::nullopt;
  }
}

} // namespace seam::detail

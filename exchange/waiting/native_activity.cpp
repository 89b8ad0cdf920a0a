#include <seam/exchange/waiting/native_activity.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/waiting/detail/activity.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/stall.hpp>

#include <fmt/format.h>

#include <exception>

namespace seam::detail {

bool activity::arrived(int) { return test(); }

void activity::wait() {
  if (test())
    return;
  call_scope const here = waiting();
  stall_watch watch;
  for (patience wait; !test(); wait.pause())
    if (watch.is_due())
      watch.tell(missing());
}

native_activity::native_activity(std::shared_ptr<void const> keeps,
                                 std::function<int(MPI_Request*)> begin, char const* name)
    : keeps_(std::move(keeps)), begin_(std::move(begin)), name_(name) {}

native_activity::native_activity(std::shared_ptr<void const> keeps, MPI_Request flying,
                                 char const* name) noexcept
    : keeps_(std::move(keeps)), name_(name), request_(flying) {}

native_activity::~native_activity() {
  if (std::uncaught_exceptions() == 0 && !seam_has_ended())
    wait();
}

void native_activity::start() {
  if (request_ != MPI_REQUEST_NULL)
    refuse(fmt::format("{}: the operation is in flight already (expected wait before the next "
                       "start)",
                       name_));
  if (!begin_)
    refuse(fmt::format("{}: the call has been made (expected another one, or a prepared operation)",
                       name_));
  mpi::check(begin_(&request_), name_);
}

void native_activity::start_gated() {
  refuse(fmt::format("{}: the MPI library has no gates (expected a graph communicator)", name_));
}

void native_activity::open(int) { start_gated(); }

bool native_activity::test() {
  if (testing_.test_and_set(std::memory_order_acquire))
    return false;
  int done = 1;
  int const code = MPI_Test(&request_, &done, MPI_STATUS_IGNORE);
  testing_.clear(std::memory_order_release);
  mpi::check(code, name_);
  return done != 0;
}

} // namespace seam::detail

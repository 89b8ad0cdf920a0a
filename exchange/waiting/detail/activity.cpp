#include <seam/exchange/waiting/detail/activity.hpp>

#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/stall.hpp>

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

} // namespace seam::detail

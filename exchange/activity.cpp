#include <seam/exchange/activity.hpp>

#include <seam/exchange/patience.hpp>
#include <seam/exchange/stall.hpp>

namespace seam {

bool activity::arrived(int) { return test(); }

void activity::wait() {
  if (test())
    return;
  stall_watch watch;
  for (patience wait; !test(); wait.pause())
    if (watch.is_due())
      report_stall(missing(), watch.waited());
}

} // namespace seam

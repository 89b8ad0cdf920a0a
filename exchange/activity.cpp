#include <seam/exchange/activity.hpp>

#include <seam/exchange/patience.hpp>

namespace seam {

bool activity::arrived(int) { return test(); }

void activity::wait() {
  for (patience wait; !test(); wait.pause()) {
  }
}

} // namespace seam

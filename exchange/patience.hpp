/// Patience: how seam waits. A wait spins briefly, because answers mostly come soon, and then gives
/// the core away between looks, because there may be more ranks than cores.
#pragma once

#include <sched.h>

namespace seam {

/// One wait. Call pause() between looks at what is awaited. Local, any thread.
class patience {
public:
  void pause() noexcept {
    if (++looks_ > looks_before_yielding)
      sched_yield();
  }

private:
  static constexpr int looks_before_yielding = 200;
  int looks_ = 0;
};

} // namespace seam

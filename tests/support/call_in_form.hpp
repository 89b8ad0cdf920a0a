/// call_in_form: one collective in the form that a test generates.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/engine/operation.hpp>

namespace seam::testing {

/// Calls `tested` in form 0 blocking, 1 nonblocking, 2 prepared, and completes it.
/// Collective: over `over`.
inline void call_in_form(int form, Communicator const& over, collective const& tested) {
  if (form == 0)
    run(over, tested);
  else if (form == 1)
    start(over, tested).wait();
  else
    prepare(over, tested).run();
}

} // namespace seam::testing

/// Started plans: the activities of the last few nonblocking calls of a communicator, so that a
/// call that repeats one of them need not plan again.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/calls/last_calls.hpp>

#include <functional>
#include <memory>

namespace seam::detail {

/// The started plans of one communicator, kept with it. Threads: one at a time.
class started_plans {
public:
  static started_plans& of(Communicator const& over);

  /// Starts `call` by a kept activity that is not in flight, or by the schedule that `plan`
  /// returns. One rank may find and another make it: an operation gets its tag when it starts.
  /// Local.
  ///
  /// @param call  has a key
  /// @return      keeps `over` open; the kept activities do not
  in_flight start(Communicator const& over, collective const& call,
                  std::function<schedule()> const& plan);

private:
  std::shared_ptr<activity> const& find_or_make(Communicator const& over, collective const& call,
                                                std::function<schedule()> const& plan);

  last_calls<std::shared_ptr<activity>> calls_;
};

} // namespace seam::detail

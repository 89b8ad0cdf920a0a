/// Started plans: the activities of the last few nonblocking calls of a communicator, so that a
/// call that repeats one of them need not plan again.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/calls/last_calls.hpp>

#include <memory>
#include <optional>

namespace seam::detail {

/// The started plans of one communicator, kept with it. One rank may find the plan of a call where
/// another makes it: an operation gets its tag when it starts. Threads: one at a time.
class started_plans {
public:
  static started_plans& of(Communicator const& over);

  /// Starts the kept activity of a call like `call`, unless there is none that is not in flight, or
  /// checks are on. Local.
  ///
  /// @return  keeps `over` open; the kept activities do not
  std::optional<in_flight> start_again(Communicator const& over, collective const& call);

  /// Makes the activity of `call` and starts it. Local.
  ///
  /// @param call  has a key
  in_flight start_first(Communicator const& over, collective const& call, schedule steps);

private:
  last_calls<std::shared_ptr<activity>> calls_;
};

} // namespace seam::detail

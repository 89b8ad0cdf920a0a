/// Recent plans: the operations of the last few blocking calls of a communicator, and the activities
/// of the last few nonblocking ones, so that a call that repeats one of them need not plan again.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/calls/last_calls.hpp>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace seam::detail {

/// The recent plans of one communicator, kept with it. One rank may find the plan of a call where
/// another makes it: an operation gets its tag when it starts. Threads: one at a time.
class recent_plans {
public:
  static recent_plans& of(Communicator const& over);

  /// Runs the kept operation of a call like `call`; false if there is none, or checks are on.
  ///
  /// @param here  the scope of the call
  /// Collective: over the communicator, if it returns true.
  bool run_again(collective const& call, call_scope const& here);

  /// Makes the operation of `call` and runs it. One that fails is not kept.
  ///
  /// @param call  has a key
  /// Collective: over `over`.
  void run_first(Communicator const& over, collective const& call, schedule const& steps);

  /// Explains the schedule of the first call of each name only, since calls may be many. Local.
  static void explain_first(Communicator const& over, std::string_view name, schedule const& steps);

private:
  struct plan_of_call {
    bool has_shared_memory; ///< what shared_memory_is_on() said when it was planned
    operation planned;
    bool has_failed = false;

    void run(call_scope const& here);
  };

  last_calls<plan_of_call> calls_;
  std::vector<std::string_view> explained_; ///< names of calls
};

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

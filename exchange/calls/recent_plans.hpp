/// Recent plans: the operations of the last few blocking calls of a communicator, so that a call
/// that repeats one of them need not plan again.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/calls/last_calls.hpp>
#include <seam/exchange/transport/node/call_links.hpp>

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace seam::detail {

/// The recent plans of one communicator, kept with it. Threads: one at a time.
class recent_plans {
public:
  static recent_plans& of(Communicator const& over);

  /// Runs the kept operation of `call`, or makes it of the schedule that `plan` returns. One rank
  /// may find and another make it: an operation gets its tag when it starts. One that fails is not
  /// kept.
  ///
  /// @param call  has a key
  /// Collective: over `over`.
  void run(Communicator const& over, collective const& call, std::function<schedule()> const& plan);

  /// Explains the schedule of the first call of each name only, since calls may be many. Local.
  static void explain_first(Communicator const& over, std::string_view name, schedule const& steps);

private:
  struct plan_of_call {
    std::shared_ptr<call_links> near; ///< call_links_of() when it was planned
    operation planned;
    bool has_failed = false;
  };

  plan_of_call& find_or_make(Communicator const& over, collective const& call,
                             std::function<schedule()> const& plan);

  last_calls<plan_of_call> calls_;
  std::vector<std::string_view> explained_; ///< names of calls
};

} // namespace seam::detail

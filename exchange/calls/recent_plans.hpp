/// Recent plans: what blocking calls of a communicator keep of their plans, so that a call that
/// repeats one of the last few need not plan again.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/calls/last_calls.hpp>
#include <seam/exchange/transport/shared/mailboxes.hpp>

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace seam {

/// Those of one communicator, kept with it. One thread at a time.
class recent_plans {
public:
  static recent_plans& of(Communicator const& over);

  /// The operation of `what`, which has a key, that is kept, or one by what `plan` makes. Ranks
  /// need not find alike: an operation gets its tag when it starts. Collective: over `over`, the
  /// first time; local from then on.
  operation& find_or_make(Communicator const& over, collective const& what,
                          std::function<schedule()> const& plan);

  /// Explains the first call of each name: later ones may be many, of other sizes. Local.
  static void explain_first(Communicator const& over, std::string_view name, schedule const& steps);

private:
  struct plan_of_call {
    std::shared_ptr<mailboxes> near; ///< as the setting said
    operation planned;
  };

  last_calls<plan_of_call> calls_;
  std::vector<std::string_view> explained_; ///< names of calls
};

} // namespace seam

/// Started plans: what nonblocking calls of a communicator keep of their plans, so that a call that
/// repeats one of the last few need not plan again.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/calls/last_calls.hpp>

#include <functional>
#include <memory>

namespace seam {

/// Those of one communicator, kept with it. One thread at a time.
class started_plans {
public:
  static started_plans& of(Communicator const& over);

  /// Starts `what`, which has a key, by a plan of it that is kept and not in flight, or by what
  /// `plan` makes. Ranks need not find alike: an operation gets its tag when it starts. Local.
  /// @return  keeps `over` open, as what is kept does not
  std::shared_ptr<activity> start(Communicator const& over, collective const& what,
                                  std::function<schedule()> const& plan);

private:
  std::shared_ptr<activity> find_or_make(Communicator const& over, collective const& what,
                                         std::function<schedule()> const& plan);

  last_calls<std::shared_ptr<activity>> calls_;
};

} // namespace seam

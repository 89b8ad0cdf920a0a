#include <seam/exchange/calls/started_plans.hpp>

#include <seam/exchange/communicator/kept.hpp>

namespace seam::detail {
namespace {

/// True if no in_flight refers to the activity any more, and it is complete. False for good after
/// an error, which later calls do not have.
bool is_at_rest(std::shared_ptr<activity> const& planned) {
  try {
    return planned.use_count() == 1 && planned->test();
  } catch (...) {
    return false;
  }
}

} // namespace

started_plans& started_plans::of(Communicator const& over) { return kept<started_plans>(over); }

in_flight started_plans::start(Communicator const& over, collective const& call,
                               std::function<schedule()> const& plan) {
  std::shared_ptr<activity> const& kept = find_or_make(over, call, plan);
  kept->start();
  return in_flight(kept, over.keep_alive());
}

std::shared_ptr<activity> const& started_plans::find_or_make(
    Communicator const& over, collective const& call, std::function<schedule()> const& plan) {
  if (auto* const found = calls_.find(call.name, call.key, is_at_rest))
    return *found;
  return calls_.keep(call.name, call.key, operation::immediate_activity_inside(over, plan()));
}

} // namespace seam::detail

#include <seam/exchange/calls/started_plans.hpp>

#include <seam/exchange/communicator/kept.hpp>

namespace seam::detail {
namespace {

/// The objects that an operation in flight keeps alive. The activity is destroyed first.
struct kept_in_flight {
  std::shared_ptr<void const> open_communicator;
  std::shared_ptr<activity> running;
};

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

std::shared_ptr<activity> started_plans::start(Communicator const& over, collective const& call,
                                               std::function<schedule()> const& plan) {
  auto const kept = std::make_shared<kept_in_flight>(
      kept_in_flight{over.keep_alive(), find_or_make(over, call, plan)});
  kept->running->start();
  return {kept, kept->running.get()};
}

std::shared_ptr<activity> started_plans::find_or_make(
    Communicator const& over, collective const& call, std::function<schedule()> const& plan) {
  if (auto* const found = calls_.find(call.name, call.key, is_at_rest))
    return *found;
  return calls_.keep(call.name, call.key, operation::immediate_activity_inside(over, plan()));
}

} // namespace seam::detail

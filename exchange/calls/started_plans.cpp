#include <seam/exchange/calls/started_plans.hpp>

#include <seam/exchange/communicator/kept.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

#include <utility>

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

std::optional<in_flight> started_plans::start_again(Communicator const& over,
                                                    collective const& call) {
  if (checks_are_on())
    return std::nullopt;
  std::shared_ptr<activity> const* const kept = calls_.find(call.name, call.key, is_at_rest);
  if (kept == nullptr)
    return std::nullopt;
  (*kept)->start();
  return in_flight(*kept, over.keep_alive());
}

in_flight started_plans::start_first(Communicator const& over, collective const& call,
                                     schedule steps) {
  auto const& kept = calls_.keep(call.name, call.key,
                                 operation::immediate_activity_inside(over, std::move(steps)));
  kept->start();
  return in_flight(kept, over.keep_alive());
}

} // namespace seam::detail

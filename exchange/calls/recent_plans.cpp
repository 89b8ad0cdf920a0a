#include <seam/exchange/calls/recent_plans.hpp>

#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/communicator/kept.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace seam::detail {

recent_plans& recent_plans::of(Communicator const& over) { return kept<recent_plans>(over); }

void recent_plans::plan_of_call::run(call_scope const& here) {
  try {
    planned.run_inside(here);
  } catch (...) {
    has_failed = true;
    throw;
  }
}

bool recent_plans::run_again(collective const& call, call_scope const& here) {
  if (checks_are_on())
    return false;
  bool const has_shared_memory = shared_memory_is_on();
  auto* const known = calls_.find(call.name, call.key, [=](plan_of_call const& kept) {
    return kept.has_shared_memory == has_shared_memory && !kept.has_failed;
  });
  if (known == nullptr)
    return false;
  known->run(here);
  return true;
}

void recent_plans::run_first(Communicator const& over, collective const& call,
                             schedule const& steps) {
  explain_first(over, call.name, steps);
  call_scope const here(call.name);
  calls_.keep(call.name, call.key, {shared_memory_is_on(), operation::blocking(over, steps)})
      .run(here);
}

void recent_plans::explain_first(Communicator const& over, std::string_view name,
                                 schedule const& steps) {
  if (!explanations_are_on())
    return;
  auto& explained = of(over).explained_;
  if (std::ranges::count(explained, name) != 0)
    return;
  explained.push_back(name);
  explain_schedule(over.context(), fmt::format("first {}", name), steps);
}

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

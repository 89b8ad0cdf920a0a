#include <seam/exchange/calls/recent_plans.hpp>

#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/communicator/kept.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam::detail {

recent_plans& recent_plans::of(Communicator const& over) { return kept<recent_plans>(over); }

recent_plans::plan_of_call& recent_plans::find_or_make(
    Communicator const& over, collective const& call, std::function<schedule()> const& plan) {
  auto const& near = call_links_of(over);
  auto const suits = [&](plan_of_call const& kept) {
    return kept.near == near && !kept.has_failed;
  };
  if (auto* const found = calls_.find(call.name, call.key, suits))
    return *found;
  schedule const steps = plan();
  explain_first(over, call.name, steps);
  return calls_.keep(call.name, call.key, {near, operation::blocking(over, steps)});
}

void recent_plans::run(Communicator const& over, collective const& call,
                       std::function<schedule()> const& plan) {
  plan_of_call& kept = find_or_make(over, call, plan);
  try {
    kept.planned.run();
  } catch (...) {
    kept.has_failed = true;
    throw;
  }
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

} // namespace seam::detail

#include <seam/exchange/calls/recent_plans.hpp>

#include <seam/exchange/communicator/explanations.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam {

recent_plans& recent_plans::of(Communicator const& over) {
  auto& kept = over.kept_plans();
  if (kept == nullptr)
    kept = std::make_shared<recent_plans>();
  return *static_cast<recent_plans*>(kept.get());
}

operation& recent_plans::find_or_make(Communicator const& over, collective const& what,
                                      std::function<schedule()> const& plan) {
  auto const& near = mailboxes_of(over);
  auto const goes_there = [&](plan_of_call const& kept) { return kept.near == near; };
  if (auto* const found = calls_.find(what.name, what.key, goes_there))
    return found->planned;
  schedule const steps = plan();
  explain_first(over, what.name, steps);
  return calls_.keep(what.name, what.key, {near, operation::blocking(over, steps, near)}).planned;
}

void recent_plans::explain_first(Communicator const& over, std::string_view name,
                                 schedule const& steps) {
  if (!explanations_are_on())
    return;
  auto& explained = of(over).explained_;
  if (std::ranges::count(explained, name) != 0)
    return;
  explained.push_back(name);
  explain_schedule(over, fmt::format("first {}", name), steps, false);
}

} // namespace seam

#include <seam/exchange/calls/recent_plans.hpp>

#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/communicator/kept.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/checks.hpp>

#include <fmt/format.h>

#include <algorithm>

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

} // namespace seam::detail

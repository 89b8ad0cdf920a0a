#include <seam/exchange/calls/started_plans.hpp>

namespace seam {
namespace {

/// What one flight keeps alive. The activity goes first.
struct flight {
  std::shared_ptr<void const> open_communicator;
  std::shared_ptr<activity> running;
};

/// True if nobody holds a flight of it any more, and it was waited for to its end.
bool is_at_rest(std::shared_ptr<activity> const& planned) {
  return planned.use_count() == 1 && planned->test();
}

} // namespace

started_plans& started_plans::of(Communicator const& over) {
  auto& kept = over.kept_starts();
  if (kept == nullptr)
    kept = std::make_shared<started_plans>();
  return *static_cast<started_plans*>(kept.get());
}

std::shared_ptr<activity> started_plans::start(Communicator const& over, collective const& what,
                                               std::function<schedule()> const& plan) {
  auto const all =
      std::make_shared<flight>(flight{over.keep_alive(), find_or_make(over, what, plan)});
  all->running->start();
  return {all, all->running.get()};
}

std::shared_ptr<activity> started_plans::find_or_make(
    Communicator const& over, collective const& what, std::function<schedule()> const& plan) {
  if (auto* const found = calls_.find(what.name, what.key, is_at_rest))
    return *found;
  return calls_.keep(what.name, what.key, operation::immediate_activity_inside(over, plan()));
}

} // namespace seam

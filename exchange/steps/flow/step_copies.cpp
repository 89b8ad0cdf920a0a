#include <seam/exchange/steps/flow/step_dataflow.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace seam::detail {
namespace {

/// Whether a reader may need values of other ranks, if its rank computes no more than its own.
bool reads_others(step_dataflow const& flow, step_supply const& supply,
                  supply_reader const& reader) {
  auto const& called = flow.kernel_of(reader.instance);
  auto const& access = called.accesses[reader.access];
  if (reader.part == values_read::for_borders)
    return true;
  return reader.part != values_read::at_place &&
         (access.reads_neighbors() || access.multiplier != access.divisor ||
          called.adds_to_neighbors() || called.kind != flow.layout(supply.array).kind());
}

bool is_change(copy_event const& event) { return event.brought.empty(); }

/// Finds what has happened to copies since readers of the same as a supply's had theirs.
void find_past(step_supply& supply, std::vector<copy_event> const& past) {
  auto const last = std::ranges::find(past.rbegin(), past.rend(), supply.key, &copy_event::brought);
  supply.was_there = last != past.rend();
  auto const first = supply.was_there ? last.base() : past.begin();
  if (std::any_of(first, past.end(), is_change))
    supply.since.assign(first, past.end());
}

bool may_travel(step_dataflow const& flow, step_supply const& supply) {
  return supply.is_exchanged &&
         (flow.steps().steps_of_segment > 0 ||
          std::ranges::any_of(supply.readers, [&](supply_reader const& reader) {
            return reads_others(flow, supply, reader);
          }));
}

/// What readers of a supply need, as far as ranks differ in it.
std::string key_of(step_dataflow const& flow, step_supply const& supply) {
  step_range const& steps = flow.steps();
  std::vector<std::string> parts;
  for (supply_reader const& reader : supply.readers) {
    auto const& instance = flow.instances()[reader.instance];
    std::int64_t const of_segment =
        steps.steps_of_segment == 0 ? 0 : (instance.step - steps.first) % steps.steps_of_segment;
    std::string part = fmt::format("{},{},{},{},{}", instance.kernel, reader.access,
                                   static_cast<int>(reader.part), reader.field, of_segment);
    auto const& called = flow.kernel_of(reader.instance);
    if (called.order.is_on || called.accesses[reader.access].reach)
      part += fmt::format(",{}", instance.pass); // each of other blocks, or of a color's neighbors
    if (std::ranges::find(parts, part) == parts.end())
      parts.push_back(std::move(part));
  }
  std::string key = fmt::format("{}:", supply.array);
  for (std::string const& part : parts)
    key += part + ";";
  int const segment = flow.instances()[supply.first_reader()].segment;
  if (steps.steps_of_segment > 0)
    for (step_instance const& instance : flow.instances())
      if (instance.segment == segment)
        key += fmt::format("/{}", instance.kernel);
  return key;
}

/// Leaves the events of the last steps alone, so that steps after these find the same as they have.
void forget_first(std::vector<copy_event>& past, std::ptrdiff_t count) {
  past.erase(past.begin(), past.begin() + std::min(count, std::ssize(past)));
}

} // namespace

copy_histories find_copies(step_dataflow const& flow, std::vector<array_event> const& events,
                           std::vector<step_supply>& supplies, copy_histories all) {
  std::map<int, std::ptrdiff_t> num_before; // events of the steps before
  std::set<int> changed, changed_as_a_whole;
  for (array_event const& event : events) {
    auto& past = all[event.array];
    num_before.try_emplace(event.array, std::ssize(past));
    if (event.supply >= 0) {
      step_supply& supply = supplies[event.supply];
      if (!may_travel(flow, supply))
        continue;
      supply.key = key_of(flow, supply);
      find_past(supply, past);
      if (!supply.is_current() || changed.contains(event.array))
        past.push_back({supply.key});
    } else if (event.kernel >= 0) {
      past.push_back({"", event.kernel, event.pass});
      changed.insert(event.array);
    } else {
      past.clear();
      changed_as_a_whole.insert(event.array);
    }
  }
  for (int const array : changed)
    forget_first(all[array], num_before[array]);
  for (int const array : changed_as_a_whole)
    all.erase(array);
  std::erase_if(all, [](auto const& of_array) { return of_array.second.empty(); });
  return all;
}

} // namespace seam::detail

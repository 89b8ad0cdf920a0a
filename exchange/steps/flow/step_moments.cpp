#include <seam/exchange/steps/flow/step_moments.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

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

bool may_travel(step_dataflow const& flow, step_range const& steps, step_supply const& supply) {
  return supply.is_exchanged &&
         (steps.steps_of_segment > 0 ||
          std::ranges::any_of(supply.readers, [&](supply_reader const& reader) {
            return reads_others(flow, supply, reader);
          }));
}

/// What readers of a supply need, as far as ranks differ in it.
std::string key_of(step_dataflow const& flow, step_range const& steps, step_supply const& supply) {
  std::string key = fmt::format("{}:", supply.array);
  for (supply_reader const& reader : supply.readers) {
    auto const& instance = flow.instances()[reader.instance];
    std::int64_t const of_segment =
        steps.steps_of_segment == 0 ? 0 : (instance.step - steps.first) % steps.steps_of_segment;
    key += fmt::format("{},{},{},{},{}", instance.kernel, reader.access,
                       static_cast<int>(reader.part), reader.field, of_segment);
    auto const& called = flow.kernel_of(reader.instance);
    if (called.order.is_on || called.accesses[reader.access].reach)
      key += fmt::format(",{}", instance.pass); // each of other blocks, or of a color's neighbors
    key += ";";
  }
  return key;
}

std::string key_of(step_dataflow const& flow, step_range const& steps, step_moment const& moment) {
  std::string key;
  for (int const s : moment.supplies)
    key += key_of(flow, steps, flow.supplies()[s]);
  int const segment = flow.instances()[moment.before].segment;
  if (steps.steps_of_segment > 0)
    for (step_instance const& instance : flow.instances())
      if (instance.segment == segment)
        key += fmt::format("/{}", instance.kernel);
  return fmt::format("{}/{}", steps.steps_of_segment, key);
}

} // namespace

std::vector<step_moment> moments_of(step_dataflow const& flow, step_range const& steps) {
  auto const& supplies = flow.supplies();
  std::vector<int> due(supplies.size());
  std::iota(due.begin(), due.end(), 0);
  std::erase_if(due, [&](int s) { return !may_travel(flow, steps, supplies[s]); });
  std::ranges::stable_sort(due, {}, [&](int s) { return supplies[s].first_reader(); });
  std::vector<step_moment> moments;
  while (!due.empty()) {
    step_moment& moment = moments.emplace_back();
    moment.before = supplies[due.front()].first_reader();
    auto const is_there = [&](int s) { return supplies[s].writer < moment.before; };
    std::ranges::copy_if(due, std::back_inserter(moment.supplies), is_there);
    std::erase_if(due, is_there);
    moment.key = key_of(flow, steps, moment);
  }
  return moments;
}

} // namespace seam::detail

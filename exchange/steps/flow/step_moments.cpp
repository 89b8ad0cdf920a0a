#include <seam/exchange/steps/flow/step_dataflow.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

namespace seam::detail {
namespace {

/// What a supply brings, as far as ranks differ in it: what its readers need, or what has changed of it.
std::string brought_by(step_supply const& supply) {
  std::string key = supply.key;
  if (!supply.since.empty())
    key += supply.was_there ? "<=" : "<";
  for (copy_event const& event : supply.since)
    key += event.brought.empty() ? fmt::format("{}.{}!", event.kernel, event.pass)
                                 : event.brought + "!";
  return key;
}

std::string key_of(step_dataflow const& flow, step_moment const& moment) {
  std::string key = fmt::format("{}/", flow.steps().steps_of_segment);
  for (int const s : moment.supplies)
    key += brought_by(flow.supplies()[s]);
  return key;
}

} // namespace

std::vector<step_moment> moments_of(step_dataflow const& flow) {
  auto const& supplies = flow.supplies();
  std::vector<int> due(supplies.size());
  std::iota(due.begin(), due.end(), 0);
  std::erase_if(due, [&](int s) { return supplies[s].key.empty() || supplies[s].is_current(); });
  std::ranges::stable_sort(due, {}, [&](int s) { return supplies[s].first_reader(); });
  std::vector<step_moment> moments;
  while (!due.empty()) {
    step_moment& moment = moments.emplace_back();
    moment.before = supplies[due.front()].first_reader();
    auto const is_there = [&](int s) { return supplies[s].writer < moment.before; };
    std::ranges::copy_if(due, std::back_inserter(moment.supplies), is_there);
    std::erase_if(due, is_there);
    moment.key = key_of(flow, moment);
  }
  return moments;
}

} // namespace seam::detail

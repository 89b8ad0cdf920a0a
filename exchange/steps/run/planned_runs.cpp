#include <seam/exchange/steps/run/planned_runs.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/ground/digest.hpp>
#include <seam/exchange/steps/flow/step_words.hpp>
#include <seam/exchange/steps/program/step_program.hpp>
#include <seam/exchange/steps/run/step_machine.hpp>

#include <utility>

namespace seam::detail {
namespace {

/// Mixes a number into a key of numbers that are the same on all ranks.
void mix(std::uint64_t& key, std::int64_t number) {
  key = scrambled(key ^ static_cast<std::uint64_t>(number));
}

std::uint64_t key_of(copy_histories const& copies) {
  std::uint64_t key = 0;
  for (auto const& [array, past] : copies) {
    mix(key, array);
    for (copy_event const& event : past) {
      mix(key, event.kernel);
      mix(key, event.pass);
      for (char const letter : event.brought)
        mix(key, letter);
    }
  }
  return key;
}

/// The key of the graph of some steps, which begin with an order of buffers, and with copies.
std::uint64_t key_of(step_program const& program, buffer_order const& order,
                     known_copies const& copies, step_range const& steps) {
  std::uint64_t key = 0;
  mix(key, steps.count);
  mix(key, steps.steps_of_segment);
  for (auto const& buffers : order)
    for (int const array : buffers)
      mix(key, array);
  mix(key, static_cast<std::int64_t>(copies.key));
  for (std::int64_t s = steps.first; s < steps.first + steps.count; ++s)
    for (step_kernel const& kernel : program.kernels)
      mix(key, kernel.runs_in(s, steps.end_of_run) ? 1 : 0);
  return key;
}

} // namespace

void planned_runs::clear() {
  by_key_.clear();
  kept_ = {};
  begin_series();
}

planned_run& planned_runs::of(step_range const& steps, step_settings const& settings) {
  if (storage_.number_buffers())
    by_key_.clear(); // graphs count arrays and values together
  std::uint64_t const key = key_of(program_, storage_.order(), *copies_, steps);
  auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    found = by_key_.emplace(key, made(steps, settings)).first;
    seam::explain(space_.base().context(), [&] {
      return "steps:\n" + graph_in_words(found->second.runner->graph(), steps, space_.rank());
    });
  }
  copies_ = found->second.copies;
  return found->second;
}

/// Collective: over the space.
planned_run planned_runs::made(step_range const& steps, step_settings const& settings) {
  planned_run run;
  run.after = storage_.order();
  auto const flow = collectively(space_.base().context(), [&] { // before ranks exchange anything
    step_dataflow planned(program_, storage_.layouts(), run.after, steps, copies_->all);
    planned.check_fills(space_.rank());
    return planned;
  });
  tile_settings const tiles{steps.steps_of_segment > 1, settings.tile_extent};
  if (flow.copies().empty())
    run.copies = unknown_;
  else
    run.copies =
        std::make_shared<known_copies const>(known_copies{flow.copies(), key_of(flow.copies())});
  run.runner = std::make_unique<step_runner>(
      make_step_graph(flow, storage_.arrays(), space_, kept_, tiles), space_.base(), settings.name);
  return run;
}

} // namespace seam::detail

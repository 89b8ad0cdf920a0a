#include <seam/exchange/steps/run/step_machine.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/steps/flow/step_depths.hpp>
#include <seam/exchange/steps/flow/step_words.hpp>
#include <seam/exchange/steps/program/step_check.hpp>
#include <seam/exchange/steps/program/step_recorder.hpp>
#include <seam/exchange/steps/run/parallel.hpp>
#include <seam/exchange/steps/run/planned_runs.hpp>
#include <seam/exchange/steps/run/step_fusion.hpp>
#include <seam/exchange/steps/run/step_observer.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>

namespace seam::detail {
namespace {

/// Notes which values kernels have computed.
void note_values(step_program const& program, step_range const& steps) {
  for (step_kernel const& kernel : program.kernels)
    for (std::int64_t s = steps.first; s < steps.first + steps.count; ++s)
      if (kernel.runs_in(s, steps.end_of_run))
        for (auto const* const computed : {&kernel.reduces, &kernel.sets})
          for (int const v : *computed)
            program.values[v]->is_set = true;
}

/// Tells checked mode which fields may have other values now.
void note_changes(step_program const& program) {
  if (!program_is_checked())
    return;
  for (step_kernel const& kernel : program.kernels)
    for (step_access const& access : kernel.accesses)
      if (access.is_written())
        program.fields[access.field]->note_change();
  for (step_statement const& statement : program.statements)
    if (statement.kernel < 0)
      for (int const field : statement.swapped)
        program.fields[field]->note_change();
}

/// Refuses to look at a value that no kernel computes, or never.
void check_end(step_program const& program, step_value const& value, std::int64_t every) {
  if (every < 1)
    throw usage_error(
        fmt::format("steps: value '{}' is looked at every {} steps (expected at least 1)",
                    value.name, every),
        true);
  auto const computes = [&](step_kernel const& kernel) {
    auto const is_it = [&](int v) { return program.values[v].get() == &value; };
    return std::ranges::any_of(kernel.reduces, is_it) || std::ranges::any_of(kernel.sets, is_it);
  };
  if (std::ranges::none_of(program.kernels, computes))
    throw usage_error(
        fmt::format("steps: runs until value '{}' fulfills a condition, which no kernel "
                    "computes (expected one that a kernel reduces or sets)",
                    value.name),
        true);
}

/// Refuses to run steps that cannot be counted.
void check_count(std::int64_t count, std::int64_t done) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  if (count < 0 || count > most - done)
    throw usage_error(
        fmt::format("steps: {} runs after {} (expected 0 or more, and at most {} in all)", count,
                    done, most),
        true);
}

} // namespace

step_machine::step_machine(shared_step_space space)
    : space_(std::move(space)),
      program_(std::make_unique<step_program>()),
      fusion_(std::make_unique<fusion_choice>(1)),
      storage_(std::make_unique<step_storage>(*program_, *space_)),
      runs_(std::make_unique<planned_runs>(*program_, *space_, *storage_)) {
  program_->num_axes = space_->num_axes();
}

step_machine::~step_machine() = default;

int step_machine::number_of(std::shared_ptr<step_field> const& field) {
  return program_->number_of(field);
}

int step_machine::number_of(std::shared_ptr<step_value> const& value) {
  return program_->number_of(value);
}

step_kernel& step_machine::add(step_kernel kernel) {
  is_planned_ = false;
  return program_->add(std::move(kernel));
}

void step_machine::add_swap(int first, int second) {
  is_planned_ = false;
  program_->add_swap(first, second);
}

std::shared_ptr<step_conditions>& step_machine::conditions_of(
    step_kernel& kernel, std::shared_ptr<step_field> const& field) {
  is_planned_ = false;
  return program_->conditions_of(kernel, field);
}

void step_machine::use_time(std::shared_ptr<step_value> time) {
  is_planned_ = is_planned_ && time == program_->time;
  program_->time = std::move(time);
}

void step_machine::fuse(int steps) {
  is_planned_ = is_planned_ && steps == settings_.fused_steps;
  settings_.fused_steps = steps;
}

void step_machine::plan() {
  if (is_planned_ && !storage_->is_stale())
    return;
  auto const over = space_->base().context();
  call_scope const here("Steps", *space_->base().calls());
  collectively(over, [&] { program_->add_fields_beside(); });
  require_same(over, "steps:",
               declarations_in_words(*program_) + fmt::format("fused {}", settings_.fused_steps));
  collectively(over, [&] {
    check_program(*program_, *space_);
    check_fusion(*program_, settings_.fused_steps);
  });
  for (step_kernel& kernel : program_->kernels) {
    if (kernel.space)
      kernel.space->prepare(*program_, kernel, settings_.parts_in_order);
    kernel.is_for_callers = serves_callers_alone(*program_, kernel);
  }
  collectively(over, [&] { unread_ = probe_kernels(*program_, num_loop_threads()); });
  is_watched_ = watch_values(*program_, num_loop_threads());
  runs_->clear();
  auto const buffers = buffers_of(*program_);
  choose_depths(buffers);
  storage_->widen(buffers, ranges_to_run(*program_, fusion_->depths()));
  for (kernel_borders& own : program_->borders)
    program_->fields[own.field]->adapt(*own.conditions);
  observer_.reset(); // there may be more kernels
  is_planned_ = true;
  inputs_are_checked_ = false;
  explain_plan();
}

/// Collective: over the space.
void step_machine::explain_plan() {
  auto const over = space_->base().context();
  seam::explain(over, [&] { return in_words(); });
  storage_->number_buffers();
  seam::explain(over, [&] { return graph_in_dot(planned_flow()); });
}

/// The dataflow of a step, or of those that are fused. Local.
step_dataflow step_machine::planned_flow() const {
  buffer_order order = storage_->order();
  int const depth = fusion_->depth();
  return {*program_, storage_->layouts(), order, {done_, depth, depth > 1 ? depth : 0, 0}};
}

/// Explains that a field is read which has no values; checked mode refuses it.
/// Collective: over the space.
void step_machine::check_inputs() {
  if (inputs_are_checked_)
    return;
  std::string const unset = words_of_unset_input(*program_, *space_);
  if (checks_are_on() && !unset.empty())
    throw usage_error(unset, true);
  if (!unset.empty())
    seam::explain(space_->base().context(), [&] { return unset + "\n"; });
  inputs_are_checked_ = true;
}

/// Finds the depths of fusion among which measurement decides.
/// Collective: over the space.
void step_machine::choose_depths(needed_buffers const& buffers) {
  tried_depths found{{std::max(1, settings_.fused_steps)}, {}};
  if (settings_.fused_steps == fused_by_measurement)
    found = find_depths(*program_, *space_, buffers.layouts, buffers.order);
  *fusion_ = fusion_choice(found.depths);
  refused_depths_ = found.refused;
}

void step_machine::continue_at(std::int64_t num_steps) {
  if (num_steps < 0)
    throw usage_error(fmt::format("steps: {} steps are done (expected 0 or more)", num_steps),
                      true);
  done_ = num_steps;
}

void step_machine::run(std::int64_t count) {
  call_scope const here(settings_.name);
  check_count(count, done_);
  plan();
  if (step_observer::is_wanted() != (observer_ != nullptr))
    observer_ =
        observer_ ? nullptr : std::make_unique<step_observer>(*program_, num_loop_threads());
  check_inputs();
  ++series_;
  runs_->begin_series();
  std::exception_ptr failure;
  for (std::int64_t const end = done_ + count; done_ < end;)
    run_chain(end - done_, failure);
  for (auto const& field : program_->fields)
    field->return_to_lender();
  if (is_watched_)
    refuse_not_finite(*program_, *space_, first_not_finite(*program_));
  if (failure)
    std::rethrow_exception(failure);
}

bool step_machine::run_until(step_value const& value, std::function<bool()> const& holds,
                             std::int64_t every, std::int64_t most) {
  call_scope const here(settings_.name);
  check_end(*program_, value, every);
  for (;;) {
    bool const ends = value.is_set && done_ % every == 0 && holds();
    if (checks_are_on())
      require_same(space_->base().context(), "steps: run_until()", ends ? "ends" : "goes on");
    if (ends || done_ >= most)
      return ends;
    run(std::min(every - done_ % every, most - done_));
  }
}

/// Runs the first steps of `count`, and times them while it is not known how many to fuse.
void step_machine::run_chain(std::int64_t count, std::exception_ptr& failure) {
  using clock = std::chrono::steady_clock;
  constexpr std::int64_t most = 4;
  int const depth = fusion_->depth();
  step_range steps{done_, count >= most ? most : 1, 0, done_ + count};
  if (depth > 1 && count >= depth)
    steps = {done_, depth, depth, done_ + count};
  planned_run& chosen = runs_->of(steps, settings_);
  auto const begin = clock::now();
  // After an exception the other steps exchange messages alone: neighbors wait for them.
  if (auto const thrown = chosen.runner->run(done_, series_, failure != nullptr, observer_.get());
      !failure)
    failure = thrown;
  if (!fusion_->is_made() && steps.count == (depth > 1 ? depth : most)) {
    std::chrono::duration<double> const taken = clock::now() - begin;
    fusion_->note(taken.count() / static_cast<double>(steps.count));
    if (fusion_->is_measured())
      decide_fusion();
  }
  storage_->give_buffers(chosen.after);
  note_changes(*program_);
  note_values(*program_, steps);
  done_ += steps.count;
}

/// Collective: over the space.
void step_machine::decide_fusion() {
  auto const over = space_->base().context();
  call_scope const here("Steps", *space_->base().calls());
  fusion_->decide(over);
  if (fusion_->is_made())
    seam::explain(over, [&] { return "steps: " + fusion_->in_words() + "\n"; });
}

std::string step_machine::in_words() const {
  return "steps:\n" + plan_in_words(*program_) + "  fusion: " + fusion_->in_words() + "\n" +
         refused_depths_ + unread_;
}

std::string step_machine::explain() {
  plan();
  std::string const text = in_words();
  int const depth = fusion_->depth();
  step_range const steps{done_, depth, depth > 1 ? depth : 0, 0};
  runs_->begin_series();
  planned_run& chosen = runs_->of(steps, settings_);
  return text + graph_in_words(chosen.runner->graph(), steps, space_->rank());
}

} // namespace seam::detail

#include <seam/exchange/engine/engine.hpp>

#include <seam/exchange/ground/cache_line.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/ground/turn.hpp>
#include <seam/exchange/schedule/detail/joined_combines.hpp>
#include <seam/exchange/schedule/pack.hpp>
#include <seam/exchange/waiting/thread_level.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <new>

namespace seam::detail {
namespace {

/// The steps of `round` in a list that is sorted by rounds.
template <class Step>
range steps_of_round(std::vector<Step> const& steps, int round) {
  auto const first = std::ranges::lower_bound(steps, round, {}, &Step::round);
  auto const last = std::ranges::upper_bound(steps, round, {}, &Step::round);
  return {static_cast<int>(first - steps.begin()), static_cast<int>(last - steps.begin())};
}

/// Calls visit(gate, step) for each gate of each step.
template <class Step, class Visit>
void for_each_gate(schedule const& plan, std::vector<Step> const& steps, Visit visit) {
  for (int s = 0; s < std::ssize(steps); ++s)
    for (int gate : plan.gates_of(steps[s].gates))
      visit(gate, s);
}

schedule with_joined_combines(schedule steps) {
  join_combines(steps);
  return steps;
}

} // namespace

void engine::staging_deleter::operator()(std::byte* memory) const noexcept {
  ::operator delete(memory, std::align_val_t{cache_line});
}

engine::engine(schedule steps, transport_maker const& make_transport)
    : steps_(with_joined_combines(std::move(steps))),
      staging_(static_cast<std::byte*>(::operator new(steps_.staging_bytes,
                                                      std::align_val_t{cache_line}))),
      transport_(make_transport(steps_, staging_.get())),
      pending_sends_(steps_.sends.size()),
      pending_copies_(steps_.copies.size()),
      received_(steps_.receives.size()),
      copied_(steps_.copies.size()) {
  SEAM_ASSERT(steps_.is_valid(), "a schedule whose steps do not fit together");
  for (int round = 0; round < steps_.num_rounds; ++round)
    rounds_.push_back({.sends = steps_of_round(steps_.sends, round),
                       .receives = steps_of_round(steps_.receives, round),
                       .copies = steps_of_round(steps_.copies, round),
                       .combines = steps_of_round(steps_.combines, round)});
  std::vector<std::vector<int>> waiting(steps_.num_gates);
  auto const enlist = [&](int gate, int step) { waiting[gate].push_back(step); };
  for_each_gate(steps_, steps_.sends, enlist);
  for_each_gate(steps_, steps_.copies, [&](int gate, int step) { enlist(gate, ~step); });
  gates2waiting_.push_back(0);
  for (auto const& steps_of_gate : waiting) {
    waiting_.insert(waiting_.end(), steps_of_gate.begin(), steps_of_gate.end());
    gates2waiting_.push_back(static_cast<int>(waiting_.size()));
  }
}

engine::~engine() {
  if (!is_active())
    return;
  try {
    if (std::uncaught_exceptions() == 0 && !seam_has_ended())
      wait();
    else
      give_up();
  } catch (...) {
    give_up();
  }
}

/// Keeps the operation's own memory until the program ends, since a peer may still write to it.
void engine::give_up() noexcept {
  transport_->give_up();
  static std::mutex mutex;
  // Never destroyed. Without memory for the list the program ends.
  // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new)
  static auto* const left = new std::vector<std::shared_ptr<void const>>;
  std::scoped_lock const lock(mutex);
  left->insert(left->end(), steps_.keeps.begin(), steps_.keeps.end());
  left->emplace_back(std::shared_ptr<std::byte>(std::move(staging_)));
}

void engine::start() {
  begin(false);
  if (steps_.num_rounds > 1)
    test();
}

void engine::start_gated() { begin(true); }

void engine::begin(bool gated) {
  if (is_active())
    refuse("start: the operation is in flight already (expected wait before the next start)");
  // A test() by another thread that finds the operation active must not find it half begun.
  certain_turn const now(progressing_);
  gated_ = gated;
  if (gated)
    arm_gates();
  for (auto* const flags : {&received_, &copied_})
    for (auto& is_done : *flags)
      is_done.store(false, std::memory_order_relaxed);
  sends_left_.store(0, std::memory_order_relaxed);
  copies_left_.store(0, std::memory_order_relaxed);
  round_.store(0, std::memory_order_relaxed);
  transport_->begin();
  active_.store(true, std::memory_order_release);
  failure_.watch([this] { begin_round(); });
}

void engine::arm_gates() {
  auto const arm = [](auto const& steps, auto& pending) {
    for (int s = 0; s < std::ssize(steps); ++s)
      pending[s].begin(steps[s].gates.size() + 1);
  };
  arm(steps_.sends, pending_sends_);
  arm(steps_.copies, pending_copies_);
}

engine::round_steps const& engine::current_steps() const {
  return rounds_[round_.load(std::memory_order_relaxed)];
}

void engine::begin_round() {
  auto const& [sends, receives, copies, combines] = current_steps();
  arrivals_left_ = receives.size();
  transport_->expect(receives.begin, receives.end);
  if (gated_)
    return arm_round(current_steps());
  for (int s = sends.begin; s < sends.end; ++s)
    transport_->send(s);
  for (int c = copies.begin; c < copies.end; ++c)
    copy_inside(c);
}

/// Counts the begin of a round down in its steps. Other threads may carry out steps meanwhile.
void engine::arm_round(round_steps const& round) {
  auto const& [sends, receives, copies, combines] = round;
  sends_left_ += sends.size();
  copies_left_ += copies.size();
  for (int s = sends.begin; s < sends.end; ++s)
    count_down(pending_sends_[s], s, false);
  for (int c = copies.begin; c < copies.end; ++c)
    count_down(pending_copies_[c], c, true);
}

/// Counts down what a step waits for; the thread that reaches 0 carries the step out.
void engine::count_down(countdown& pending, int step, bool is_copy) {
  if (pending.take() > 0)
    return;
  if (is_copy)
    copy_inside(step);
  else
    transport_->send(step);
  auto& left = is_copy ? copies_left_ : sends_left_;
  left.fetch_sub(1, std::memory_order_acq_rel);
}

void engine::open(int gate) {
  if (gate < 0 || gate >= steps_.num_gates)
    refuse(fmt::format("open: gate {} does not exist (expected 0 to {})", gate,
                       steps_.num_gates - 1));
  if (!is_active() || !gated_)
    refuse(fmt::format("open: gate {} of an operation that is not in flight with gates (expected "
                       "start_gated first)",
                       gate));
  call_of_thread const allowed("ready", "an exchange");
  failure_.watch([&] {
    for (int w = gates2waiting_[gate]; w < gates2waiting_[gate + 1]; ++w) {
      int const step = waiting_[w];
      if (step >= 0)
        count_down(pending_sends_[step], step, false);
      else
        count_down(pending_copies_[~step], ~step, true);
    }
  });
}

void engine::copy_inside(int step) {
  copy_step const& blocks = steps_.copies[step];
  auto const sources = steps_.sources_of(blocks.sources);
  auto const targets = steps_.targets_of(blocks.targets);
  for (int k = 0; k < std::ssize(targets); ++k)
    if (k + 1 < std::ssize(targets) &&
        copy_together(sources[k], targets[k].where, sources[k + 1], targets[k + 1].where))
      ++k;
    else
      copy(sources[k], targets[k].where);
  copied_[step].store(true, std::memory_order_release);
}

/// True once all sends and copies of this and earlier rounds have read their sources.
bool engine::has_read_sources() const {
  return sends_left_.load(std::memory_order_acquire) == 0 &&
         copies_left_.load(std::memory_order_acquire) == 0;
}

void engine::take_arrivals() {
  if (arrivals_left_ == 0 || (steps_.overlapping && !has_read_sources()))
    return;
  for (int step : transport_->arrivals()) {
    --arrivals_left_;
    received_[step].store(true, std::memory_order_release);
  }
}

bool engine::is_in_place(int step) const {
  if (step == schedule::no_step)
    return true;
  return step >= 0 ? received_[step].load(std::memory_order_acquire)
                   : copied_[~step].load(std::memory_order_acquire);
}

bool engine::arrived(int source) {
  if (source < 0 || source >= std::ssize(steps_.arrivals))
    refuse(fmt::format("arrived: source {} does not exist (expected 0 to {})", source,
                       std::ssize(steps_.arrivals) - 1));
  int const step = steps_.arrivals[source];
  bool const is_later = !steps_.combines.empty(); // combined at the end of its round
  if (!is_later && is_in_place(step))
    return true;
  return test() || (!is_later && is_in_place(step));
}

bool engine::round_is_complete() {
  if (arrivals_left_ != 0 || !has_read_sources())
    return false;
  return round_ + 1 < steps_.num_rounds || transport_->all_sent();
}

void engine::combine_blocks() {
  range const steps = current_steps().combines;
  for (int s = steps.begin; s < steps.end; ++s) {
    combine_step const& blocks = steps_.combines[s];
    auto const targets = steps_.targets_of(blocks.targets);
    auto const sources = steps_.sources_of(blocks.sources);
    std::byte const* wire = staging_.get() + blocks.wire_offset;
    for (int k = 0; k < std::ssize(targets); ++k)
      if (sources.empty())
        wire = unpack(wire, targets[k].where, targets[k].combine);
      else
        copy(sources[k], targets[k].where, targets[k].combine);
  }
}

bool engine::advance() {
  take_arrivals();
  while (round_is_complete()) {
    combine_blocks();
    int const next = round_.load(std::memory_order_relaxed) + 1; // no other thread changes it
    round_.store(next, std::memory_order_release);
    if (next == steps_.num_rounds) {
      active_.store(false, std::memory_order_release);
      return true;
    }
    begin_round();
  }
  return false;
}

bool engine::advance_or_give_up() {
  try {
    return failure_.watch([this] { return advance(); });
  } catch (...) {
    transport_->give_up();
    throw;
  }
}

std::string engine::missing() const {
  std::string text = fmt::format("an exchange in round {} of {}", round_ + 1, steps_.num_rounds);
  for (int s = 0; s < std::ssize(steps_.sends); ++s) {
    send_step const& message = steps_.sends[s];
    if (gated_ && message.round <= round_ && pending_sends_[s].left() > 0)
      text += fmt::format("; the message to rank {} waits for gates {}", message.peer,
                          fmt::join(steps_.gates_of(message.gates), ", "));
  }
  for (int r = 0; r < std::ssize(steps_.receives); ++r)
    if (steps_.receives[r].round <= round_ && !received_[r].load())
      text += fmt::format("; nothing has come from rank {}", steps_.receives[r].peer);
  return text;
}

bool engine::test() {
  if (!is_active())
    return true;
  failure_.rethrow();
  turn const now(progressing_);
  if (!now.is_mine())
    return false;
  failure_.rethrow();
  return !is_active() || advance_or_give_up();
}

} // namespace seam::detail

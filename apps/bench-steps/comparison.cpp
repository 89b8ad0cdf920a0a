#include "comparison.hpp"

#include "late_messages.hpp"

#include <kit/benchmark.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace steps_bench {
namespace {

/// After these it is known how many steps are fused: four rounds of 1, 2, 4 and 8, then eight of two.
constexpr std::int64_t steps_until_decision = 256;

constexpr char const *alone = "block alone", *copied = "copy of ghosts",
                     *by_messages = "steps, by messages",
                     *by_late_messages = "steps, late messages";

/// Copies as many bytes from memory to memory as a step gets from the neighbor.
class bare_copy final : public contender {
public:
  explicit bare_copy(std::int64_t num_values)
      : from_((num_values - 1) / std::ssize(line().values) + 1), to_(from_.size()) {}

  void run(std::int64_t steps) override {
    for (; steps > 0; --steps) {
      std::memcpy(to_.data(), from_.data(), from_.size() * sizeof(line));
      asm volatile("" : : "r"(to_.data()) : "memory");
    }
  }
  std::vector<double> values() const override { return {}; }

private:
  struct alignas(64) line { // of a cache
    double values[8];
  };
  std::vector<line> from_, to_;
};

seam::timing const* answer_of(std::vector<seam::timing> const& answers,
                              std::string const& variant) {
  auto const found = std::ranges::find(answers, variant, &seam::timing::variant);
  return found == answers.end() ? nullptr : &*found;
}

} // namespace

comparison::comparison(seam::Runtime& runtime, problem const& asked, options const& wanted)
    : runtime_(runtime), asked_(asked), wanted_(wanted) {
  std::int64_t const cells = asked.num_axes == 2 ? wanted.cells_2d : wanted.cells_3d;
  cells_.fill((cells + asked.multiple - 1) / asked.multiple * asked.multiple);
  add_steps();
  add_rivals();
  if (runtime.size() == 2)
    add_between_ranks();
  require_equal_values();
  for (entry& each : all_)
    if (each.name == "steps, auto")
      each.made->run(steps_until_decision);
}

void comparison::add_steps() {
  auto const add = [&](char const* name, int fused) {
    all_.push_back({name, seam::role::subject, values::of_all,
                    asked_.by_steps(runtime_.world(), cells_, fused)});
  };
  add("steps", 1);
  if (!asked_.is_fused)
    return;
  add("steps, fused", wanted_.fused);
  add("steps, auto", by_measurement);
}

void comparison::add_rivals() {
  bool const is_alone = runtime_.size() == 1;
  all_.push_back({"loops by hand", is_alone ? seam::role::rival : seam::role::limit,
                  is_alone ? values::of_all : values::of_block_alone,
                  asked_.by_hand(runtime_.world(), cells_)});
  if constexpr (bench::has_petsc)
    if (&asked_ == &heat)
      all_.push_back({"PETSc DMDA", seam::role::rival, values::of_all,
                      heat_by_petsc(runtime_.world(), cells_)});
}

void comparison::add_between_ranks() {
  auto const own = block();
  if (asked_.is_grid)
    all_.push_back({alone, seam::role::limit, values::of_block_alone,
                    asked_.by_steps(seam::Communicator::dup(MPI_COMM_SELF), own, 1)});
  if (asked_.num_ghosts > 0) {
    std::int64_t const side = asked_.num_axes == 2 ? own[1] : own[1] * own[2];
    all_.push_back({copied, seam::role::limit, values::none,
                    std::make_unique<bare_copy>(side * asked_.num_ghosts)});
  }
  if (wanted_.late == 0)
    return;
  for (bool const is_late : {false, true}) {
    all_.push_back({is_late ? by_late_messages : by_messages, seam::role::subject, values::of_all,
                    asked_.by_steps(runtime_.world(), cells_, 1),
                    std::chrono::microseconds(is_late ? wanted_.late : 0)});
    // Steps prepare their exchanges when they run first.
    seam::shared_memory_in_scope const messages(false);
    all_.back().made->run(wanted_.steps);
  }
}

/// The cells of this rank's block.
extents comparison::block() const {
  extents own{};
  auto const take = [&](auto const& grid) {
    std::ranges::copy(grid.owned().extents(), own.begin());
  };
  if (asked_.num_axes == 2)
    take(grid_of<2>(runtime_.world(), cells_, false));
  else
    take(grid_of<3>(runtime_.world(), cells_, false));
  return own;
}

void comparison::require_equal_values() {
  std::vector<double> expected;
  for (entry& each : all_) {
    bool const has_run = each.name == by_messages || each.name == by_late_messages;
    if (!has_run)
      run(each, wanted_.steps);
    if (each.computed != values::of_all)
      continue;
    auto const found = each.made->values();
    if (expected.empty())
      expected = found;
    bench::require_right(runtime_, each.name, [&] {
      return found == expected ? std::string() : "other values than those of " + all_.front().name;
    });
  }
}

void comparison::run(entry& each, std::int64_t steps) {
  if (each.late.count() == 0)
    return each.made->run(steps);
  late_messages const later(each.late);
  auto const before = late_messages::held();
  each.made->run(steps);
  held_ += late_messages::held() - before;
  late_steps_ += steps;
}

std::string comparison::question() const {
  return fmt::format("{} {}^{}", asked_.name, cells_[0], asked_.num_axes);
}

std::vector<seam::timing> comparison::time() {
  std::vector<seam::variant> variants;
  for (entry& each : all_)
    variants.push_back({each.name, [this, &each] { run(each, wanted_.steps); }, each.is});
  std::int64_t const num_cells =
      asked_.num_axes == 2 ? cells_[0] * cells_[1] : cells_[0] * cells_[1] * cells_[2];
  return seam::time_in_turn(
      runtime_,
      {.question = question(),
       .bytes = static_cast<std::int64_t>(static_cast<double>(num_cells * wanted_.steps) *
                                          asked_.num_values * sizeof(double)),
       .repetitions = wanted_.repetitions},
      variants);
}

std::string comparison::remark(std::vector<seam::timing> const& answers) const {
  auto const of_step = [&](char const* variant) { // [us]
    auto const* const answer = answer_of(answers, variant);
    return answer == nullptr ? 0.0 : 1e6 * answer->median / static_cast<double>(wanted_.steps);
  };
  std::string text;
  if (double const block_alone = of_step(alone); block_alone > 0) {
    double const step = of_step("steps"), copy = of_step(copied);
    text += fmt::format("{}: a step takes {:.2f} us, its block alone {:.2f} us", question(), step,
                        block_alone);
    if (copy > 0)
      text += fmt::format(", a copy of its ghosts {:.2f} us; the step is longer than its block by "
                          "{:.2f} copies",
                          copy, (step - block_alone) / copy);
    text += '\n';
  }
  if (late_steps_ > 0) {
    double const waiting =
        1e-3 * static_cast<double>(held_.count()) / static_cast<double>(late_steps_);
    double const longer = of_step(by_late_messages) - of_step(by_messages);
    text +=
        fmt::format("{}: messages are late by {:.1f} us in a step, which takes {:.1f} us longer: "
                    "{:.0f} % of the waiting is hidden\n",
                    question(), waiting, longer, 100 * (1 - longer / waiting));
  }
  return text;
}

} // namespace steps_bench

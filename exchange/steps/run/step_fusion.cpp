#include <seam/exchange/steps/run/step_fusion.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam::detail {
namespace {

/// A time that another depth has to stay below, as a fraction of that without fusion.
constexpr double worthwhile = 0.97;

} // namespace

fusion_choice::fusion_choice(std::vector<int> const& depths) : is_made_(depths.size() == 1) {
  for (int const depth : depths) {
    tried_.push_back(static_cast<int>(trials_.size()));
    trials_.push_back({depth, 0});
  }
}

std::vector<int> fusion_choice::depths() const {
  std::vector<int> all;
  for (trial const& each : trials_)
    all.push_back(each.depth);
  return all;
}

void fusion_choice::note(double seconds_of_a_step) {
  if (is_made_ || is_measured())
    return;
  double& least = trials_[tried_[now_]].least;
  if (round_ > 0)
    least = least == 0 ? seconds_of_a_step : std::min(least, seconds_of_a_step);
  now_ = (now_ + 1) % std::ssize(tried_);
  if (now_ == 0)
    ++round_;
}

void fusion_choice::decide(mpi::comm_view over) {
  for (int const number : tried_)
    trials_[number].least = mpi::allreduce(over, trials_[number].least, MPI_MAX);
  int const found = fastest();
  now_ = 0;
  if (found != 0 && !is_second_)
    return try_again(found);
  tried_ = {found};
  is_made_ = true;
}

/// The number of the trial that gains most against the first one; 0: none gains enough.
int fusion_choice::fastest() const {
  int found = 0;
  double least = worthwhile * trials_.front().least;
  for (int const number : tried_)
    if (trials_[number].least < least) {
      least = trials_[number].least;
      found = number;
    }
  return found;
}

/// Measures a trial and the first one anew.
void fusion_choice::try_again(int number) {
  constexpr int first_round = 1, more_rounds = 8; // memory has been touched
  tried_ = {0, number};
  for (int const each : tried_)
    trials_[each].least = 0;
  round_ = first_round;
  num_rounds_ = first_round + more_rounds;
  is_second_ = true;
}

std::string fusion_choice::in_words() const {
  if (trials_.size() == 1)
    return depth() == 1 ? "not fused" : fmt::format("{} steps are fused", depth());
  std::string text;
  for (trial const& each : trials_)
    text += each.least == 0 ? fmt::format("{}{}", text.empty() ? "" : ", ", each.depth)
                            : fmt::format("{}{} in {:.3g} us", text.empty() ? "" : ", ", each.depth,
                                          each.least * 1e6);
  if (!is_made_)
    return fmt::format("to be measured: fusion of {} steps", text);
  return fmt::format("{}, of the time of a step when so many are fused: {}",
                     depth() == 1 ? "not fused" : fmt::format("{} steps are fused", depth()), text);
}

} // namespace seam::detail

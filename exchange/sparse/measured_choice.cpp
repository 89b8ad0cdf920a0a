#include <seam/exchange/sparse/measured_choice.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/sparse/algorithms/table.hpp>

#include <algorithm>
#include <limits>

namespace seam::detail {
namespace {

/// Trials of each candidate. The first also sets the algorithm up, and so rarely is the fastest.
constexpr int num_trials = 8;

} // namespace

measured_choice::measured_choice(deliveries& shared) : shared_(&shared) {
  auto const best = shared.best_without_memory();
  for (named_algorithm const& entry : named_algorithms()) {
    bool const was_tried = best && !entry.remembers_edges;
    if (was_tried ? entry.value == *best : entry.is_tried(shared))
      candidates_.push_back({entry.value, std::numeric_limits<double>::infinity()});
  }
  trials_left_ = num_trials * static_cast<int>(candidates_.size());
}

sparse_algorithm measured_choice::now() const {
  return candidates_[trials_left_ % std::ssize(candidates_)].algorithm;
}

void measured_choice::add_time(double seconds) {
  candidate& tried = candidates_[trials_left_ % std::ssize(candidates_)];
  tried.best = std::min(tried.best, seconds);
  if (--trials_left_ == 0)
    settle_choice();
}

void measured_choice::settle_choice() {
  std::vector<double> times;
  for (candidate const& tried : candidates_)
    times.push_back(tried.best);
  mpi::allreduce(shared_->comm(), std::span(times), MPI_MAX);
  for (int c = 0; c < std::ssize(times); ++c)
    candidates_[c].best = times[c];
  std::ranges::stable_sort(candidates_, {}, &candidate::best);
  auto const without_memory = std::ranges::find_if(candidates_, [](candidate const& tried) {
    return !entry_of(tried.algorithm).remembers_edges;
  });
  shared_->remember_best_without_memory(without_memory->algorithm);
  candidates_.resize(1);
}

} // namespace seam::detail

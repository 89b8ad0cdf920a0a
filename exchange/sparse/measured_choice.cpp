#include <seam/exchange/sparse/measured_choice.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>

#include <algorithm>
#include <limits>

namespace seam::detail {
namespace {

/// Trials of each candidate. The first also sets the algorithm up, and so rarely is the fastest.
constexpr int num_trials = 8;

/// On more ranks `counts`, which needs an array of one element for each rank, is not tried.
constexpr int most_ranks_to_count = 1024;

} // namespace

measured_choice::measured_choice(deliveries& shared) : shared_(&shared) {
  auto const add = [this](sparse_algorithm algorithm) {
    candidates_.push_back({algorithm, std::numeric_limits<double>::infinity()});
  };
  if (shared.best_without_memory()) {
    add(*shared.best_without_memory());
  } else {
    if (shared.has_shared_memory())
      add(sparse_algorithm::two_level);
    add(sparse_algorithm::consensus);
    add(sparse_algorithm::hypercube);
    if (shared.comm().size() <= most_ranks_to_count)
      add(sparse_algorithm::counts);
  }
  add(sparse_algorithm::cached);
  trials_left_ = num_trials * static_cast<int>(candidates_.size());
}

sparse_algorithm measured_choice::now() const {
  return candidates_[static_cast<std::size_t>(trials_left_) % candidates_.size()].algorithm;
}

void measured_choice::add_time(double seconds) {
  candidate& tried = candidates_[static_cast<std::size_t>(trials_left_) % candidates_.size()];
  tried.best = std::min(tried.best, seconds);
  if (--trials_left_ == 0)
    settle_choice();
}

void measured_choice::settle_choice() {
  std::vector<double> times;
  for (candidate const& tried : candidates_)
    times.push_back(tried.best);
  mpi::allreduce(shared_->comm(), std::span(times), MPI_MAX);
  for (std::size_t c = 0; c < times.size(); ++c)
    candidates_[c].best = times[c];
  std::ranges::stable_sort(candidates_, {}, &candidate::best);
  auto const without_memory = std::ranges::find_if(candidates_, [](candidate const& tried) {
    return tried.algorithm != sparse_algorithm::cached;
  });
  shared_->remember_best_without_memory(without_memory->algorithm);
  candidates_.resize(1);
}

} // namespace seam::detail

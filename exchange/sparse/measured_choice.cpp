#include <seam/exchange/sparse/measured_choice.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>

#include <algorithm>
#include <limits>

namespace seam::detail {
namespace {

/// Of each candidate. The first one makes what the algorithm needs, and so rarely is the best.
constexpr int num_trials = 8;

/// Beyond, arrays of as many elements as there are ranks are not tried.
constexpr int most_ranks_to_count = 1024;

} // namespace

measured_choice::measured_choice(deliveries& ways) : ways_(&ways) {
  auto const add = [this](sparse_algorithm one) {
    candidates_.push_back({one, std::numeric_limits<double>::infinity()});
  };
  if (ways.best_without_memory()) {
    add(*ways.best_without_memory());
  } else {
    if (ways.has_shared_memory())
      add(sparse_algorithm::two_level);
    add(sparse_algorithm::consensus);
    add(sparse_algorithm::hypercube);
    if (ways.comm().size() <= most_ranks_to_count)
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
    settle();
}

void measured_choice::settle() {
  std::vector<double> times;
  for (candidate const& one : candidates_)
    times.push_back(one.best);
  mpi::allreduce(ways_->comm(), std::span(times), MPI_MAX);
  for (std::size_t c = 0; c < times.size(); ++c)
    candidates_[c].best = times[c];
  std::ranges::stable_sort(candidates_, {}, &candidate::best);
  auto const without_memory = std::ranges::find_if(candidates_, [](candidate const& one) {
    return one.algorithm != sparse_algorithm::cached;
  });
  ways_->remember_best_without_memory(without_memory->algorithm);
  candidates_.resize(1);
}

} // namespace seam::detail

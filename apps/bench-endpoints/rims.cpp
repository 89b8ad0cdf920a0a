#include "rims.hpp"
#include "median.hpp"

#include <seam/exchange.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

namespace bench {
namespace {

enum class way { copied, where_they_lie };

// A cube of cells with one layer of ghosts around it, twice: values before a sweep and after it. Cubes
// of the ranks stand in a row; all other ghosts stay zero.
class cube {
public:
  cube(seam::Communicator const& ranks, int cells)
      : ranks_(ranks),
        cells_(cells),
        plane_(std::int64_t{cells + 2} * (cells + 2)),
        values_{std::vector<double>((cells + 2) * plane_),
                std::vector<double>((cells + 2) * plane_)},
        others_(ranks.size()) {
    auto const self = reinterpret_cast<std::uintptr_t>(this);
    seam::run(ranks, seam::allgather(std::span(&self, 1), std::span(others_)));
  }
  cube(cube const&) = delete;
  cube& operator=(cube const&) = delete;
  ~cube() { seam::run(ranks_, seam::barrier()); } // none is gone while another reads it

  // The time of a sweep. [s]
  double time(way how, std::int64_t sweeps) {
    start();
    seam::run(ranks_, seam::barrier());
    auto const begin = std::chrono::steady_clock::now();
    for (std::int64_t k = 0; k < sweeps; ++k)
      sweep(how);
    std::chrono::duration<double> const lasted = std::chrono::steady_clock::now() - begin;
    seam::run(ranks_, seam::barrier()); // none begins anew while a neighbor reads it
    return lasted.count() / static_cast<double>(sweeps);
  }

  double sum() const {
    double sum = 0;
    for (int i = 1; i <= cells_; ++i)
      for (std::int64_t k = 0; k < plane_; ++k)
        sum += before()[i * plane_ + k];
    return sum;
  }

private:
  double const* before() const { return values_[done_ % 2].data(); }
  double* after() { return values_[1 - done_ % 2].data(); }

  void start() {
    rims_done_.store(0);
    done_ = 0;
    for (std::vector<double>& each : values_)
      std::ranges::fill(each, 0.0);
    for (int i = 1; i <= cells_; ++i)
      for (int j = 1; j <= cells_; ++j)
        for (int k = 1; k <= cells_; ++k)
          values_[0][i * plane_ + j * (cells_ + 2) + k] = i * j + k;
  }

  // The rims come first, so that a neighbor that needs them has the time of the interior to look.
  void sweep(way how) {
    int const rank = ranks_.rank();
    wait_for(rank - 1);
    wait_for(rank + 1);
    double const* const below = beyond(how, rank - 1, 0, cells_);
    double const* const above = beyond(how, rank + 1, cells_ + 1, 1);
    auto const compute_plane = [&](int i) {
      compute(i, i == 1 ? below : before() + (i - 1) * plane_,
              i == cells_ ? above : before() + (i + 1) * plane_);
    };
    compute_plane(1);
    compute_plane(cells_);
    rims_done_.store(done_ + 1, std::memory_order_release);
    for (int i = 2; i < cells_; ++i)
      compute_plane(i);
    ++done_;
  }

  cube const* neighbor(int rank) const {
    bool const is_there = rank >= 0 && rank < ranks_.size();
    return is_there ? reinterpret_cast<cube const*>(others_[rank]) : nullptr;
  }

  // Until the neighbor has computed the rims that this sweep reads, and so read those that it writes.
  void wait_for(int rank) const {
    if (cube const* other = neighbor(rank))
      for (int looks = 0; other->rims_done_.load(std::memory_order_acquire) < done_; ++looks)
        if (looks > 1000)
          std::this_thread::yield();
  }

  // The values of the plane `ghost`, which are those of plane `there` of rank `other`: a copy, or itself.
  double const* beyond(way how, int other, int ghost, int there) {
    double* const copy = values_[done_ % 2].data() + ghost * plane_;
    cube const* const from = neighbor(other);
    if (from == nullptr)
      return copy; // zeros
    double const* const rim = from->values_[done_ % 2].data() + there * plane_;
    if (how == way::where_they_lie)
      return rim;
    std::copy_n(rim, plane_, copy);
    return copy;
  }

  void compute(int at, double const* below, double const* above) {
    int const row = cells_ + 2;
    double const* const here = before() + at * plane_;
    double* const to = after() + at * plane_;
    for (int j = 1; j <= cells_; ++j)
      compute_row(to + j * row, here + j * row, below + j * row, above + j * row);
  }

  void compute_row(double* __restrict to, double const* here, double const* below,
                   double const* above) const {
    int const row = cells_ + 2;
    for (int k = 1; k <= cells_; ++k)
      to[k] = (below[k] + above[k] + here[k - row] + here[k + row] + here[k - 1] + here[k + 1]) *
              (1.0 / 6);
  }

  seam::Communicator const& ranks_;
  int cells_;
  std::int64_t plane_;
  std::vector<double> values_[2];
  std::vector<std::uintptr_t> others_;
  std::int64_t done_ = 0;
  alignas(128) std::atomic<std::int64_t> rims_done_ = 0;
};

} // namespace

rim_times time_rims(seam::Communicator const& ranks, int cells, int repetitions, double scale) {
  auto const sweeps = std::max<std::int64_t>(4, std::llround(scale * 2e7 / std::pow(cells, 3)));
  cube own(ranks, cells);
  own.time(way::copied, 4); // memory is touched
  std::vector<double> copied, where_they_lie;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    copied.push_back(own.time(way::copied, sweeps));
    double const sum = own.sum();
    where_they_lie.push_back(own.time(way::where_they_lie, sweeps));
    if (own.sum() != sum)
      throw std::logic_error("rims read where they lie give another sum than copied ones");
  }
  return {median(copied), median(where_they_lie)};
}

} // namespace bench

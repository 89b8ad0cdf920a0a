#include "sweeps.hpp"
#include "median.hpp"

#include <seam/exchange.hpp>
#include <seam/steps.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace bench {
namespace {

// A row of cubes of cells, one for each rank.
class cubes {
public:
  cubes(seam::Communicator const& ranks, int cells, double scale)
      : ranks_(ranks),
        grid_(ranks, {.cells = {std::int64_t{cells} * ranks.size(), cells, cells},
                      .processes = {ranks.size(), 1, 1}}),
        u_(grid_.field<double>("u")),
        next_(grid_.field<double>("next")),
        loop_((u_.boundary(seam::dirichlet(0.0)), grid_), u_, next_),
        sweeps_at_once_(std::max<std::int64_t>(
            4, std::llround(scale * 2e7 / static_cast<double>(grid_.owned().num_cells())))) {
    u_.fill([](auto x) { return x[0] * x[1] * x[2]; });
  }

  // The time of a sweep. [s]
  double time() {
    seam::run(ranks_, seam::barrier());
    auto const begin = std::chrono::steady_clock::now();
    loop_.sweeps(
        sweeps_at_once_, SEAM_KERNEL(auto u, int i, int j, int k) {
          return (u(i - 1, j, k) + u(i + 1, j, k) + u(i, j - 1, k) + u(i, j + 1, k) +
                  u(i, j, k - 1) + u(i, j, k + 1)) *
                 (1.0 / 6);
        });
    std::chrono::duration<double> const lasted = std::chrono::steady_clock::now() - begin;
    return lasted.count() / static_cast<double>(sweeps_at_once_);
  }

private:
  seam::Communicator const& ranks_;
  seam::Grid<3> grid_;
  seam::Field<double, 3> u_, next_;
  seam::Iterate<double, 3> loop_;
  std::int64_t sweeps_at_once_;
};

} // namespace

sweep_times time_sweeps(seam::Communicator const& ranks, int cells, int repetitions, double scale) {
  auto const own = ranks.split(ranks.rank(), 0);
  cubes row(ranks, cells, scale), one(*own, cells, scale);
  row.time(), one.time(); // memory is touched, links are made
  std::vector<double> among_neighbors, alone;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    among_neighbors.push_back(row.time());
    seam::run(ranks, seam::barrier()); // none is slowed by a neighbor that still sweeps
    alone.push_back(one.time());
  }
  return {median(among_neighbors), median(alone)};
}

} // namespace bench

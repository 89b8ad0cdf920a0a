// Explicit heat conduction in three dimensions, seven points, zero beyond the borders.
#include "problem.hpp"

namespace steps_bench {
namespace {

constexpr double rate = heat_rate;

constexpr auto declare = [](auto const& grid, auto& step) {
  auto u = grid.template field<double>("u");
  u.boundary(seam::outside(0.0));
  u.fill(first_value<3>);
  step.each(
      "heat", updates(u, seam::star(1)), SEAM_KERNEL(auto at) {
        at = at() + rate * (at(1, 0, 0) + at(-1, 0, 0) + at(0, 1, 0) + at(0, -1, 0) + at(0, 0, 1) +
                            at(0, 0, -1) - 6 * at());
      });
  return u;
};

class by_loops final : public contender {
public:
  explicit by_loops(seam::box<3> const& block) : n_(block.extents()), u_(n_, 1), next_(n_, 1) {
    u_.fill(block.lo, first_value<3>);
  }

  void run(std::int64_t steps) override {
    for (; steps > 0; --steps) {
#pragma omp parallel for
      for (std::int64_t i = 0; i < n_[0]; ++i)
        for (std::int64_t j = 0; j < n_[1]; ++j)
          compute_row(u_.row(i, j), next_.row(i, j));
      u_.swap(next_);
    }
  }

  std::vector<double> values() const override { return u_.values(); }

private:
  void compute_row(double const* __restrict u, double* __restrict out) const {
    std::int64_t const x = u_.stride(0), y = u_.stride(1), n = n_[2];
#pragma GCC ivdep
    for (std::int64_t k = 0; k < n; ++k)
      out[k] = u[k] +
               rate * (u[k + x] + u[k - x] + u[k + y] + u[k - y] + u[k + 1] + u[k - 1] - 6 * u[k]);
  }

  seam::cell_index<3> n_;
  rows<3> u_, next_;
};

} // namespace

problem const heat = make_problem<3, by_loops>("heat", 2, declare);

} // namespace steps_bench

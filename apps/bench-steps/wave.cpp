// Acoustic waves in three dimensions, 25 points, three times, and a speed in each cell.
#include "problem.hpp"

namespace steps_bench {
namespace {

constexpr double w0 = -205.0 / 72, w1 = 8.0 / 5, w2 = -1.0 / 5, w3 = 8.0 / 315, w4 = -1.0 / 560;

/// The square of speed * time step / spacing.
double courant2(std::array<double, 3> const& x) { return 0.2 * first_value<3>(x); }

constexpr auto declare = [](auto const& grid, auto& step) {
  auto p = grid.template field<double>("p", {.levels = 2});
  auto c = grid.template field<double>("c");
  p.boundary(seam::outside(0.0));
  p.fill(first_value<3>);
  c.fill(courant2);
  step.each(
      "advance", updates(p, seam::star(4)), reads(p[-1]), reads(c),
      SEAM_KERNEL(auto u, auto before, auto speed) {
        double const one =
            u(1, 0, 0) + u(-1, 0, 0) + u(0, 1, 0) + u(0, -1, 0) + u(0, 0, 1) + u(0, 0, -1);
        double const two =
            u(2, 0, 0) + u(-2, 0, 0) + u(0, 2, 0) + u(0, -2, 0) + u(0, 0, 2) + u(0, 0, -2);
        double const three =
            u(3, 0, 0) + u(-3, 0, 0) + u(0, 3, 0) + u(0, -3, 0) + u(0, 0, 3) + u(0, 0, -3);
        double const four =
            u(4, 0, 0) + u(-4, 0, 0) + u(0, 4, 0) + u(0, -4, 0) + u(0, 0, 4) + u(0, 0, -4);
        u = 2 * u() - before() +
            speed() * (3 * w0 * u() + w1 * one + w2 * two + w3 * three + w4 * four);
      });
  return p;
};

class by_loops final : public contender {
public:
  explicit by_loops(seam::box<3> const& block)
      : n_(block.extents()), u_(n_, 4), next_(n_, 4), speed_(n_, 4) {
    u_.fill(block.lo, first_value<3>);
    speed_.fill(block.lo, courant2);
  }

  void run(std::int64_t steps) override {
    for (; steps > 0; --steps) {
#pragma omp parallel for
      for (std::int64_t i = 0; i < n_[0]; ++i)
        for (std::int64_t j = 0; j < n_[1]; ++j)
          compute_row(u_.row(i, j), speed_.row(i, j), next_.row(i, j));
      u_.swap(next_);
    }
  }

  std::vector<double> values() const override { return u_.values(); }

private:
  /// @param out  the values before, which new ones replace
  void compute_row(double const* __restrict u, double const* __restrict speed,
                   double* __restrict out) const {
    std::int64_t const x = u_.stride(0), y = u_.stride(1), n = n_[2];
    std::int64_t const x2 = 2 * x, y2 = 2 * y, x3 = 3 * x, y3 = 3 * y, x4 = 4 * x, y4 = 4 * y;
#pragma GCC ivdep
    for (std::int64_t k = 0; k < n; ++k) {
      double const one = u[k + x] + u[k - x] + u[k + y] + u[k - y] + u[k + 1] + u[k - 1];
      double const two = u[k + x2] + u[k - x2] + u[k + y2] + u[k - y2] + u[k + 2] + u[k - 2];
      double const three = u[k + x3] + u[k - x3] + u[k + y3] + u[k - y3] + u[k + 3] + u[k - 3];
      double const four = u[k + x4] + u[k - x4] + u[k + y4] + u[k - y4] + u[k + 4] + u[k - 4];
      out[k] = 2 * u[k] - out[k] +
               speed[k] * (3 * w0 * u[k] + w1 * one + w2 * two + w3 * three + w4 * four);
    }
  }

  seam::cell_index<3> n_;
  rows<3> u_, next_, speed_;
};

} // namespace

problem const wave = make_problem<3, by_loops>("wave", 4, declare);

} // namespace steps_bench

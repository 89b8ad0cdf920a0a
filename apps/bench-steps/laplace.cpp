// Jacobi's relaxation of Laplace's equation in two dimensions, five points, zero beyond the borders.
#include "problem.hpp"

namespace steps_bench {
namespace {

constexpr auto declare = [](auto const& grid, auto& step) {
  auto u = grid.template field<double>("u");
  u.boundary(seam::outside(0.0));
  u.fill(first_value<2>);
  step.each(
      "relax", updates(u, seam::star(1)),
      SEAM_KERNEL(auto at) { at = 0.25 * (at(1, 0) + at(-1, 0) + at(0, 1) + at(0, -1)); });
  return u;
};

class by_loops final : public contender {
public:
  explicit by_loops(seam::box<2> const& block) : n_(block.extents()), u_(n_, 1), next_(n_, 1) {
    u_.fill(block.lo, first_value<2>);
  }

  void run(std::int64_t steps) override {
    for (; steps > 0; --steps) {
#pragma omp parallel for
      for (std::int64_t i = 0; i < n_[0]; ++i)
        compute_row(u_.row(i), next_.row(i));
      u_.swap(next_);
    }
  }

  std::vector<double> values() const override { return u_.values(); }

private:
  void compute_row(double const* __restrict u, double* __restrict out) const {
    std::int64_t const x = u_.stride(0), n = n_[1];
#pragma GCC ivdep
    for (std::int64_t j = 0; j < n; ++j)
      out[j] = 0.25 * (u[j + x] + u[j - x] + u[j + 1] + u[j - 1]);
  }

  seam::cell_index<2> n_;
  rows<2> u_, next_;
};

} // namespace

problem const laplace = make_problem<2, by_loops>("laplace", 2, declare);

} // namespace steps_bench

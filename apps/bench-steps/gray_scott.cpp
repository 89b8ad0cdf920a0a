// Two substances that react and diffuse on a torus, as in seam-gray-scott.
#include "problem.hpp"

namespace steps_bench {
namespace {

constexpr double of_u = 0.2097, of_v = 0.105, feed = 0.037, kill = 0.055;

constexpr auto declare = [](auto const& grid, auto& step) {
  auto u = grid.template field<double>("u"), v = grid.template field<double>("v");
  u.fill(first_value<2>);
  v.fill([](auto const& x) { return 0.5 * first_value<2>(x); });
  step.each(
      "react", updates(u, seam::star(1)), updates(v, seam::star(1)), SEAM_KERNEL(auto a, auto b) {
        double const reaction = a() * b() * b();
        a = a() + of_u * (a(1, 0) + a(-1, 0) + a(0, 1) + a(0, -1) - 4 * a()) - reaction +
            feed * (1 - a());
        b = b() + of_v * (b(1, 0) + b(-1, 0) + b(0, 1) + b(0, -1) - 4 * b()) + reaction -
            (feed + kill) * b();
      });
  return v;
};

class by_loops final : public contender {
public:
  explicit by_loops(seam::box<2> const& block)
      : n_(block.extents()), u_(n_, 1), v_(n_, 1), next_u_(n_, 1), next_v_(n_, 1) {
    u_.fill(block.lo, first_value<2>);
    v_.fill(block.lo, [](auto const& x) { return 0.5 * first_value<2>(x); });
  }

  void run(std::int64_t steps) override {
    for (; steps > 0; --steps) {
      wrap(u_, n_);
      wrap(v_, n_);
#pragma omp parallel for
      for (std::int64_t i = 0; i < n_[0]; ++i)
        compute_row(u_.row(i), v_.row(i), next_u_.row(i), next_v_.row(i));
      u_.swap(next_u_);
      v_.swap(next_v_);
    }
  }

  std::vector<double> values() const override { return v_.values(); }

private:
  void compute_row(double const* __restrict u, double const* __restrict v, double* __restrict new_u,
                   double* __restrict new_v) const {
    std::int64_t const x = u_.stride(0), n = n_[1];
#pragma GCC ivdep
    for (std::int64_t j = 0; j < n; ++j) {
      double const a = u[j], b = v[j], reaction = a * b * b;
      new_u[j] = a + of_u * (u[j + x] + u[j - x] + u[j + 1] + u[j - 1] - 4 * a) - reaction +
                 feed * (1 - a);
      new_v[j] = b + of_v * (v[j + x] + v[j - x] + v[j + 1] + v[j - 1] - 4 * b) + reaction -
                 (feed + kill) * b;
    }
  }

  seam::cell_index<2> n_;
  rows<2> u_, v_, next_u_, next_v_;
};

} // namespace

problem const gray_scott = make_problem<2, by_loops, true>("gray-scott", 4, declare);

} // namespace steps_bench

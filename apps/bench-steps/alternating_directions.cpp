// Heat that is implicit along one axis, then along the other: tridiagonal systems along all lines
// (Peaceman and Rachford 1955).
#include "problem.hpp"

namespace steps_bench {
namespace {

constexpr double r = 3; ///< half a time step / width of a cell^2

template <int Axis>
void add_half_step(seam::Steps<2>& step, seam::Field<double, 2>& u, seam::Field<double, 2>& upper,
                   seam::Field<double, 2>& right) {
  constexpr int di = Axis == 0 ? 1 : 0, dj = 1 - di;
  step.each(
      "right side", writes(right), reads(u, seam::line(1 - Axis, -1, 1)),
      SEAM_KERNEL(auto b, auto u) { b = u() + r * (u(dj, di) - 2 * u() + u(-dj, -di)); });
  step.each(
          "eliminate", modifies(upper, seam::line(Axis, -1, 0)),
          modifies(right, seam::line(Axis, -1, 0)),
          SEAM_KERNEL(auto c, auto b) {
            double const pivot = 1 + 2 * r + r * c(-di, -dj);
            c = -r / pivot;
            b = (b() + r * b(-di, -dj)) / pivot;
          })
      .in_order(Axis);
  step.each(
          "substitute", modifies(u, seam::line(Axis, 0, 1)), reads(upper), reads(right),
          SEAM_KERNEL(auto u, auto c, auto b) { u = b() - c() * u(di, dj); })
      .in_order(Axis, seam::axis_order::backward);
}

constexpr auto declare = [](auto const& grid, auto& step) {
  auto u = grid.template field<double>("u"), upper = grid.template field<double>("upper");
  auto right = grid.template field<double>("right side");
  for (auto* const field : {&u, &upper, &right})
    field->boundary(seam::outside(0.0));
  u.fill(first_value<2>);
  add_half_step<0>(step, u, upper, right);
  add_half_step<1>(step, u, upper, right);
  return u;
};

class by_loops final : public contender {
public:
  explicit by_loops(seam::box<2> const& block)
      : n_(block.extents()), u_(n_, 1), upper_(n_, 1), right_(n_, 1) {
    u_.fill(block.lo, first_value<2>);
  }

  void run(std::int64_t steps) override {
    for (; steps > 0; --steps) {
      solve_along_0();
      solve_along_1();
    }
  }

  std::vector<double> values() const override { return u_.values(); }

private:
  /// Row by row, each thread in columns of its own.
  void solve_along_0() const {
    constexpr std::int64_t width = 256;
#pragma omp parallel for
    for (std::int64_t i = 0; i < n_[0]; ++i)
      compute_right_side(u_.row(i), 1, right_.row(i));
#pragma omp parallel for
    for (std::int64_t j = 0; j < n_[1]; j += width) {
      std::int64_t const count = std::min(width, n_[1] - j);
      for (std::int64_t i = 0; i < n_[0]; ++i)
        eliminate(upper_.row(i - 1) + j, upper_.row(i) + j, right_.row(i - 1) + j,
                  right_.row(i) + j, count);
      for (std::int64_t i = n_[0]; i-- > 0;)
        substitute(upper_.row(i) + j, right_.row(i) + j, u_.row(i + 1) + j, u_.row(i) + j, count);
    }
  }

  void solve_along_1() const {
#pragma omp parallel for
    for (std::int64_t i = 0; i < n_[0]; ++i)
      compute_right_side(u_.row(i), u_.stride(0), right_.row(i));
#pragma omp parallel for
    for (std::int64_t i = 0; i < n_[0]; ++i)
      solve_line(upper_.row(i), right_.row(i), u_.row(i));
  }

  void compute_right_side(double const* __restrict u, std::int64_t across,
                          double* __restrict b) const {
#pragma GCC ivdep
    for (std::int64_t j = 0; j < n_[1]; ++j)
      b[j] = u[j] + r * (u[j + across] - 2 * u[j] + u[j - across]);
  }
  static void eliminate(double const* __restrict upper_before, double* __restrict upper,
                        double const* __restrict before, double* __restrict b, std::int64_t count) {
#pragma GCC ivdep
    for (std::int64_t j = 0; j < count; ++j) {
      double const pivot = 1 + 2 * r + r * upper_before[j];
      upper[j] = -r / pivot;
      b[j] = (b[j] + r * before[j]) / pivot;
    }
  }
  static void substitute(double const* __restrict upper, double const* __restrict b,
                         double const* __restrict behind, double* __restrict u,
                         std::int64_t count) {
#pragma GCC ivdep
    for (std::int64_t j = 0; j < count; ++j)
      u[j] = b[j] - upper[j] * behind[j];
  }
  void solve_line(double* __restrict upper, double* __restrict b, double* __restrict u) const {
    for (std::int64_t j = 0; j < n_[1]; ++j) {
      double const pivot = 1 + 2 * r + r * upper[j - 1];
      upper[j] = -r / pivot;
      b[j] = (b[j] + r * b[j - 1]) / pivot;
    }
    for (std::int64_t j = n_[1]; j-- > 0;)
      u[j] = b[j] - upper[j] * u[j + 1];
  }

  seam::cell_index<2> n_;
  rows<2> u_, upper_, right_;
};

} // namespace

problem const alternating_directions =
    make_problem<2, by_loops>("alternating-directions", 18, declare, false);

} // namespace steps_bench

// Shallow water in a basin on a C grid, as in seam-shallow-water, with a fixed time step.
#include "problem.hpp"

namespace steps_bench {
namespace {

constexpr double gravity = 9.81, ratio = 0.05; ///< [m / s^2], time step / width of a cell [s / m]

double first_depth(std::array<double, 2> const& x) { return 1 + 0.01 * first_value<2>(x); }

constexpr auto declare = [](auto const& grid, auto& step) {
  auto h = grid.template field<double>("h");
  auto u = grid.template field<double>("u", {.on = seam::on_faces(1)});
  auto v = grid.template field<double>("v", {.on = seam::on_faces(0)});
  h.boundary(seam::neumann(0.0));
  h.fill(first_depth);
  step.each(
          "flow along x", modifies(u), reads(h, seam::line(1, -1, 0)),
          SEAM_KERNEL(auto x, auto depth) {
            x = x() - ratio * gravity * (depth(0, 0) - depth(0, -1));
          })
      .where(seam::box<2>{{0, 1}, {grid.cells()[0], grid.cells()[1]}});
  step.each(
          "flow along y", modifies(v), reads(h, seam::line(0, -1, 0)),
          SEAM_KERNEL(auto y, auto depth) {
            y = y() - ratio * gravity * (depth(0, 0) - depth(-1, 0));
          })
      .where(seam::box<2>{{1, 0}, {grid.cells()[0], grid.cells()[1]}});
  step.each(
      "depth", updates(h, seam::star(1)), reads(u, seam::line(1, 0, 1)),
      reads(v, seam::line(0, 0, 1)), SEAM_KERNEL(auto depth, auto x, auto y) {
        double const east = x(0, 1) * (depth(0, 0) + depth(0, 1));
        double const west = x(0, 0) * (depth(0, -1) + depth(0, 0));
        double const up = y(1, 0) * (depth(0, 0) + depth(1, 0));
        double const down = y(0, 0) * (depth(-1, 0) + depth(0, 0));
        depth = depth() - ratio / 2 * (east - west + up - down);
      });
  return h;
};

class by_loops final : public contender {
public:
  explicit by_loops(seam::box<2> const& block)
      : n_(block.extents()),
        h_(n_, 1),
        next_(n_, 1),
        u_({n_[0], n_[1] + 1}, 0),
        v_({n_[0] + 1, n_[1]}, 0) {
    h_.fill(block.lo, first_depth);
  }

  void run(std::int64_t steps) override {
    for (; steps > 0; --steps) {
      mirror();
#pragma omp parallel for
      for (std::int64_t i = 0; i < n_[0]; ++i)
        flow_along_x(h_.row(i), u_.row(i));
#pragma omp parallel for
      for (std::int64_t i = 1; i < n_[0]; ++i)
        flow_along_y(h_.row(i), h_.row(i - 1), v_.row(i));
#pragma omp parallel for
      for (std::int64_t i = 0; i < n_[0]; ++i)
        change_depth(h_.row(i), u_.row(i), v_.row(i), v_.row(i + 1), next_.row(i));
      h_.swap(next_);
    }
  }

  std::vector<double> values() const override { return h_.values(); }

private:
  /// Gives ghosts the depths at the walls.
  void mirror() const {
    std::copy_n(h_.row(0), n_[1], h_.row(-1));
    std::copy_n(h_.row(n_[0] - 1), n_[1], h_.row(n_[0]));
    for (std::int64_t i = 0; i < n_[0]; ++i) {
      double* const row = h_.row(i);
      row[-1] = row[0];
      row[n_[1]] = row[n_[1] - 1];
    }
  }

  void flow_along_x(double const* __restrict h, double* __restrict u) const {
#pragma GCC ivdep
    for (std::int64_t j = 1; j < n_[1]; ++j)
      u[j] = u[j] - ratio * gravity * (h[j] - h[j - 1]);
  }
  void flow_along_y(double const* __restrict h, double const* __restrict below,
                    double* __restrict v) const {
#pragma GCC ivdep
    for (std::int64_t j = 0; j < n_[1]; ++j)
      v[j] = v[j] - ratio * gravity * (h[j] - below[j]);
  }
  void change_depth(double const* __restrict h, double const* __restrict u,
                    double const* __restrict v, double const* __restrict above,
                    double* __restrict out) const {
    std::int64_t const x = h_.stride(0), n = n_[1];
#pragma GCC ivdep
    for (std::int64_t j = 0; j < n; ++j) {
      double const east = u[j + 1] * (h[j] + h[j + 1]), west = u[j] * (h[j - 1] + h[j]);
      double const up = above[j] * (h[j] + h[j + x]), down = v[j] * (h[j - x] + h[j]);
      out[j] = h[j] - ratio / 2 * (east - west + up - down);
    }
  }

  seam::cell_index<2> n_;
  rows<2> h_, next_, u_, v_;
};

} // namespace

problem const shallow_water = make_problem<2, by_loops>("shallow-water", 10, declare);

} // namespace steps_bench

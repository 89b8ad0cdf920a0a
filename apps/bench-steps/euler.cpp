// The flow of a gas in the plane, as in seam-euler: fluxes and two stages, and a time step that follows
// the fastest wave.
#include "../euler/scheme.hpp"
#include "problem.hpp"

#include <algorithm>

namespace steps_bench {
namespace {

using ::euler::gas;
constexpr int count = ::euler::num_components;

double amount(int c, std::array<double, 2> const& x) {
  double const first = first_value<2>(x);
  return gas{first, first, {0.1 * first, -0.1 * first}}.amounts()[c];
}

constexpr auto declare = [](auto const& grid, auto& step) {
  ::euler::fields all(grid);
  for (int c = 0; c < count; ++c)
    all.q.fill(c, [c](auto const& x) { return amount(c, x); });
  seam::Value<double> fastest("fastest"), dt("dt");
  step.each(
      "limit", maximum(fastest), reads(all.q), SEAM_KERNEL(auto most, auto q) {
        gas const here = ::euler::gas_at(q, 0, 0);
        most(std::abs(here.velocity[0]) + std::abs(here.velocity[1]) + 2 * here.speed_of_sound());
      });
  step.once(sets(dt), with(fastest), [](double& h, double speed) { h = 0.1 / speed; });
  ::euler::add_stages(step, all, dt, 1.0);
  return all.q;
};

/// The components of a gas, or of fluxes.
struct components {
  components(seam::cell_index<2> const& cells, int width)
      : of{rows<2>(cells, width), rows<2>(cells, width), rows<2>(cells, width),
           rows<2>(cells, width)} {}

  ::euler::conserved at(std::int64_t i, std::int64_t j) const {
    ::euler::conserved all;
    for (int c = 0; c < count; ++c)
      all[c] = of[c].row(i)[j];
    return all;
  }

  std::array<rows<2>, count> of;
};

class by_loops final : public contender {
public:
  explicit by_loops(seam::box<2> const& block)
      : n_(block.extents()),
        q_(n_, 2),
        middle_(n_, 2),
        along_0_({n_[0] + 1, n_[1]}, 0),
        along_1_({n_[0], n_[1] + 1}, 0) {
    for (int c = 0; c < count; ++c)
      q_.of[c].fill(block.lo, [c](auto const& x) { return amount(c, x); });
  }

  void run(std::int64_t steps) override {
    for (; steps > 0; --steps) {
      double const h = 0.1 / fastest();
      compute_fluxes(q_);
#pragma omp parallel for
      for (std::int64_t i = 0; i < n_[0]; ++i)
        for (int c = 0; c < count; ++c)
          first_stage(i, c, h);
      compute_fluxes(middle_);
#pragma omp parallel for
      for (std::int64_t i = 0; i < n_[0]; ++i)
        for (int c = 0; c < count; ++c)
          second_stage(i, c, h);
    }
  }

  std::vector<double> values() const override { return q_.of[0].values(); }

private:
  double fastest() const {
    double most = 0;
#pragma omp parallel for reduction(max : most)
    for (std::int64_t i = 0; i < n_[0]; ++i)
      for (std::int64_t j = 0; j < n_[1]; ++j) {
        gas const here = ::euler::gas_of(q_.at(i, j));
        most = std::max(most, std::abs(here.velocity[0]) + std::abs(here.velocity[1]) +
                                  2 * here.speed_of_sound());
      }
    return most;
  }

  /// Gives ghosts beyond borders the values as deep inside.
  void mirror(components const& q) const {
    for (rows<2> const& field : q.of) {
      for (std::int64_t d = 0; d < 2; ++d) {
        std::copy_n(field.row(d), n_[1], field.row(-1 - d));
        std::copy_n(field.row(n_[0] - 1 - d), n_[1], field.row(n_[0] + d));
      }
      for (std::int64_t i = 0; i < n_[0]; ++i)
        for (std::int64_t d = 0; d < 2; ++d) {
          field.row(i)[-1 - d] = field.row(i)[d];
          field.row(i)[n_[1] + d] = field.row(i)[n_[1] - 1 - d];
        }
    }
  }

  void compute_fluxes(components const& q) const {
    mirror(q);
#pragma omp parallel for
    for (std::int64_t i = 0; i < n_[0] + 1; ++i)
      for (std::int64_t j = 0; j < n_[1]; ++j)
        keep(along_0_, i, j, flux(q, i, j, 0));
#pragma omp parallel for
    for (std::int64_t i = 0; i < n_[0]; ++i)
      for (std::int64_t j = 0; j < n_[1] + 1; ++j)
        keep(along_1_, i, j, flux(q, i, j, 1));
  }

  static ::euler::conserved flux(components const& q, std::int64_t i, std::int64_t j, int axis) {
    auto const at = [&](int offset) {
      return ::euler::gas_of(axis == 0 ? q.at(i + offset, j) : q.at(i, j + offset));
    };
    gas const before = at(-2), low = at(-1), high = at(0), behind = at(1);
    return ::euler::flux_between(::euler::at_border(before, low, high),
                                 ::euler::at_border(behind, high, low), axis);
  }

  static void keep(components const& fluxes, std::int64_t i, std::int64_t j,
                   ::euler::conserved const& passed) {
    for (int c = 0; c < count; ++c)
      fluxes.of[c].row(i)[j] = passed[c];
  }

  void first_stage(std::int64_t i, int c, double h) const {
    double const* const __restrict q = q_.of[c].row(i);
    double const* const __restrict low = along_0_.of[c].row(i);
    double const* const __restrict high = along_0_.of[c].row(i + 1);
    double const* const __restrict side = along_1_.of[c].row(i);
    double* const __restrict out = middle_.of[c].row(i);
#pragma GCC ivdep
    for (std::int64_t j = 0; j < n_[1]; ++j)
      out[j] = q[j] + h / 1.0 * (low[j] - high[j] + (side[j] - side[j + 1]));
  }

  void second_stage(std::int64_t i, int c, double h) const {
    double* const __restrict q = q_.of[c].row(i);
    double const* const __restrict low = along_0_.of[c].row(i);
    double const* const __restrict high = along_0_.of[c].row(i + 1);
    double const* const __restrict side = along_1_.of[c].row(i);
    double const* const __restrict middle = middle_.of[c].row(i);
#pragma GCC ivdep
    for (std::int64_t j = 0; j < n_[1]; ++j)
      q[j] = 0.5 * (q[j] + (middle[j] + h / 1.0 * (low[j] - high[j] + (side[j] - side[j + 1]))));
  }

  seam::cell_index<2> n_;
  components q_, middle_, along_0_, along_1_;
};

} // namespace

problem const euler = make_problem<2, by_loops>("euler", 13 * count, declare);

} // namespace steps_bench

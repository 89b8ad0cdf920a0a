// V-cycles for Poisson's equation in two dimensions, as in seam-multigrid; a step is a cycle.
#include "../multigrid/cycle.hpp"
#include "problem.hpp"

#include <algorithm>

namespace steps_bench {
namespace {

constexpr std::int64_t fewest_cells = 8;

/// Whether there is a grid of half as many cells, for blocks on any ranks that the program is run on.
bool can_halve(std::int64_t along_0, std::int64_t along_1) {
  return along_0 % 2 == 0 && along_1 % 2 == 0 && std::min(along_0, along_1) / 2 >= fewest_cells;
}

constexpr auto declare = [](auto const& finest, auto& cycle) {
  std::vector<std::unique_ptr<::multigrid::level>> levels;
  levels.push_back(std::make_unique<::multigrid::level>(finest));
  while (can_halve(levels.back()->grid.cells()[0], levels.back()->grid.cells()[1]))
    levels.push_back(std::make_unique<::multigrid::level>(levels.back()->grid.coarsened()));
  levels.front()->f.fill(first_value<2>);
  ::multigrid::add_cycle(cycle, levels, 0);
  return levels.front()->u;
};

/// The values of one grid.
struct values_by_hand {
  values_by_hand(seam::cell_index<2> const& cells, double spacing)
      : n(cells), h2(spacing * spacing), u(cells, 1), f(cells, 1), r(cells, 1) {}

  seam::cell_index<2> n;
  double h2;
  rows<2> u, f, r;
};

class by_loops final : public contender {
public:
  explicit by_loops(seam::box<2> const& block) {
    auto n = block.extents();
    double spacing = 1;
    levels_.push_back(std::make_unique<values_by_hand>(n, spacing));
    while (can_halve(n[0], n[1])) {
      n = {n[0] / 2, n[1] / 2};
      levels_.push_back(std::make_unique<values_by_hand>(n, spacing *= 2));
    }
    levels_.front()->f.fill(block.lo, first_value<2>);
  }

  void run(std::int64_t steps) override {
    for (; steps > 0; --steps)
      cycle(0);
  }

  std::vector<double> values() const override { return levels_.front()->u.values(); }

private:
  void cycle(std::size_t k) const {
    values_by_hand const& fine = *levels_[k];
    if (k + 1 == levels_.size())
      return relax(fine, 30);
    values_by_hand const& coarse = *levels_[k + 1];
    relax(fine, 3);
    compute_residual(fine);
    restrict_to(coarse, fine);
    cycle(k + 1);
    prolong(coarse, fine);
    relax(fine, 3);
  }

  static void relax(values_by_hand const& on, int count) {
    for (; count > 0; --count)
      for (std::int64_t color = 0; color < 2; ++color) {
        negate_beyond_borders(on);
#pragma omp parallel for
        for (std::int64_t i = 0; i < on.n[0]; ++i)
          relax_row(on, i, (i + color) % 2);
      }
  }

  static void relax_row(values_by_hand const& on, std::int64_t i, std::int64_t first) {
    double* const u = on.u.row(i);
    double const* const f = on.f.row(i);
    std::int64_t const x = on.u.stride(0), n = on.n[1];
    double const h2 = on.h2;
#pragma GCC ivdep
    for (std::int64_t j = first; j < n; j += 2)
      u[j] = 0.25 * (u[j + x] + u[j - x] + u[j + 1] + u[j - 1] + h2 * f[j]);
  }

  /// Gives ghosts beyond borders, where u is zero, the negative values inside.
  static void negate_beyond_borders(values_by_hand const& on) {
    std::int64_t const last = on.n[0] - 1, n = on.n[1];
    for (std::int64_t j = 0; j < n; ++j) {
      on.u.row(-1)[j] = -on.u.row(0)[j];
      on.u.row(last + 1)[j] = -on.u.row(last)[j];
    }
    for (std::int64_t i = -1; i < on.n[0] + 1; ++i) {
      double* const row = on.u.row(i);
      row[-1] = -row[0];
      row[n] = -row[n - 1];
    }
  }

  static void compute_residual(values_by_hand const& on) {
    negate_beyond_borders(on);
    std::int64_t const x = on.u.stride(0), n = on.n[1];
    double const h2 = on.h2;
#pragma omp parallel for
    for (std::int64_t i = 0; i < on.n[0]; ++i) {
      double const* const __restrict u = on.u.row(i), * const __restrict f = on.f.row(i);
      double* const __restrict r = on.r.row(i);
#pragma GCC ivdep
      for (std::int64_t j = 0; j < n; ++j)
        r[j] = f[j] + (u[j + x] + u[j - x] + u[j + 1] + u[j - 1] - 4 * u[j]) / h2;
    }
  }

  static void restrict_to(values_by_hand const& coarse, values_by_hand const& fine) {
#pragma omp parallel for
    for (std::int64_t i = 0; i < coarse.n[0]; ++i) {
      double const* const __restrict r = fine.r.row(2 * i), * const __restrict s =
                                                                r + fine.r.stride(0);
      double* const __restrict f = coarse.f.row(i), * const __restrict u = coarse.u.row(i);
#pragma GCC ivdep
      for (std::int64_t j = 0; j < coarse.n[1]; ++j) {
        f[j] = 0.25 * (r[2 * j] + r[2 * j + 1] + s[2 * j] + s[2 * j + 1]);
        u[j] = 0.0;
      }
    }
  }

  static void prolong(values_by_hand const& coarse, values_by_hand const& fine) {
    negate_beyond_borders(coarse);
#pragma omp parallel for
    for (std::int64_t i = 0; i < fine.n[0]; ++i) {
      double* const __restrict u = fine.u.row(i);
      double const* const __restrict e = coarse.u.row(i / 2);
      double const* const __restrict beside = coarse.u.row(i / 2 + (i % 2 == 0 ? -1 : 1));
#pragma GCC ivdep
      for (std::int64_t j = 0; j < coarse.n[1]; ++j) {
        u[2 * j] = u[2 * j] + (9 * e[j] + 3 * beside[j] + 3 * e[j - 1] + beside[j - 1]) / 16;
        u[2 * j + 1] =
            u[2 * j + 1] + (9 * e[j] + 3 * beside[j] + 3 * e[j + 1] + beside[j + 1]) / 16;
      }
    }
  }

  std::vector<std::unique_ptr<values_by_hand>> levels_;
};

} // namespace

problem const multigrid = make_problem<2, by_loops>("multigrid", 60, declare);

} // namespace steps_bench

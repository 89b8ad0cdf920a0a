// The flow in a cavity by the lattice Boltzmann method, as in seam-cavity on two axes.
#include "../cavity/lattice.hpp"
#include "problem.hpp"

#include <utility>

namespace steps_bench {
namespace {

constexpr double speed = 0.1, relaxation = 1.2;
constexpr int count = ::cavity::lattice<2>::num_directions;

constexpr auto declare = [](auto const& grid, auto& step) {
  auto f = grid.template field<double>("f", {.components = count});
  for (int q = 0; q < count; ++q)
    f.fill(q, ::cavity::model<2>.weights[q]);
  f.boundary(seam::outside(0.0));
  ::cavity::add_step<2>(step, f, ::cavity::lid<2>{grid.cells(), speed}, relaxation);
  return f;
};

/// The populations of a cell, as steps hand them to lid::arriving().
struct cell_in_rows {
  std::array<rows<2>, count> const& f;
  std::int64_t i, j;

  auto operator[](int q) const {
    return [&of = f[static_cast<std::size_t>(q)], i = i, j = j](int di = 0, int dj = 0) {
      return of.row(i + di)[j + dj];
    };
  }
};

class by_loops final : public contender {
public:
  explicit by_loops(seam::box<2> const& block)
      : n_(block.extents()),
        wall_{n_, speed},
        f_(make_rows(std::make_index_sequence<count>())),
        next_(make_rows(std::make_index_sequence<count>())) {
    for (std::size_t q = 0; q < count; ++q)
      f_[q].fill(block.lo, [q](auto const&) { return ::cavity::model<2>.weights[q]; });
  }

  void run(std::int64_t steps) override {
    for (; steps > 0; --steps) {
#pragma omp parallel for
      for (std::int64_t i = 0; i < n_[0]; ++i)
        if (i == 0 || i + 1 == n_[0])
          compute_cells(i, 0, n_[1]);
        else {
          compute_cells(i, 0, 1);
          compute_row(i);
          compute_cells(i, n_[1] - 1, n_[1]);
        }
      f_.swap(next_);
    }
  }

  std::vector<double> values() const override { return f_[0].values(); }

private:
  template <std::size_t... Q>
  std::array<rows<2>, count> make_rows(std::index_sequence<Q...>) const {
    return {((void)Q, rows<2>(n_, 1))...};
  }

  /// Computes cells beside walls.
  void compute_cells(std::int64_t i, std::int64_t first, std::int64_t last) const {
    for (std::int64_t j = first; j < last; ++j) {
      ::cavity::populations<2> all;
      for (int q = 0; q < count; ++q)
        all.of[q] = wall_.arriving(cell_in_rows{f_, i, j}, q, {i, j});
      all.relax(relaxation);
      for (std::size_t q = 0; q < count; ++q)
        next_[q].row(i)[j] = all.of[q];
    }
  }

  /// Computes the cells of a row that have no walls beside them.
  void compute_row(std::int64_t i) const {
    std::array<double const*, count> in;
    std::array<double*, count> out;
    for (std::size_t q = 0; q < count; ++q) {
      auto const& c = ::cavity::model<2>.directions[q];
      in[q] = f_[q].row(i - c[0]) - c[1];
      out[q] = next_[q].row(i);
    }
    std::int64_t const n = n_[1];
#pragma GCC ivdep
    for (std::int64_t j = 1; j < n - 1; ++j) {
      ::cavity::populations<2> all;
#pragma GCC unroll 9
      for (std::size_t q = 0; q < count; ++q)
        all.of[q] = in[q][j];
      all.relax(relaxation);
#pragma GCC unroll 9
      for (std::size_t q = 0; q < count; ++q)
        out[q][j] = all.of[q];
    }
  }

  seam::cell_index<2> n_;
  ::cavity::lid<2> wall_;
  std::array<rows<2>, count> f_, next_;
};

} // namespace

problem const cavity = make_problem<2, by_loops>("cavity", 2 * count, declare);

} // namespace steps_bench

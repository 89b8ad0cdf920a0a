/// The problems of seam-bench-steps: the steps of seam's programs, each declared as steps and
/// written by hand as loops with OpenMP, for the same arithmetic in the same order.
#pragma once

#include <kit/benchmark.hpp>
#include <seam/seam.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace steps_bench {

/// One implementation of a problem, with values of its own.
class contender : public bench::method {
public:
  virtual void run(std::int64_t steps) = 0;

  /// The values of one field. [cells of this rank's block, in memory order]
  virtual std::vector<double> values() const = 0;
};

/// A number of fused steps that stands for the fastest one, which is measured.
inline constexpr int by_measurement = 0;

/// Cells on each axis; problems with two axes take the first two.
using extents = std::array<std::int64_t, 3>;

struct problem {
  char const* name;
  int num_axes;
  double num_values; ///< that a step reads and writes for each cell, at least

  /// Makes the steps; `fused` of them between messages, or as many as measurement finds.
  /// Collective: over `over`.
  std::unique_ptr<contender> (*by_steps)(seam::Communicator const& over, extents const& cells,
                                         int fused);

  /// Makes the loops on this rank's block, whose ghosts come from no other rank.
  /// Collective: over `over`.
  std::unique_ptr<contender> (*by_hand)(seam::Communicator const& over, extents const& cells);

  bool is_fused = true;      ///< false: there are no fused variants, which several ranks refuse
  bool is_grid = true;       ///< false: no block alone is timed
  std::int64_t multiple = 1; ///< of which the cells of an axis are one
};

inline constexpr double heat_rate = 0.1;

/// Makes the loops for heat over arrays of PETSc, whose ghosts PETSc brings. In builds with PETSc.
/// Collective: over `over`.
std::unique_ptr<contender> heat_by_petsc(seam::Communicator const& over, extents const& cells);

extern problem const heat, laplace, gray_scott, wave, shallow_water, cavity, euler, multigrid,
    alternating_directions, life;

/// A grid of cells of width 1.
template <int D>
seam::Grid<D> grid_of(seam::Communicator const& over, extents const& cells, bool periodic) {
  seam::grid_options<D> wanted;
  for (int a = 0; a < D; ++a) {
    wanted.cells[a] = cells[a];
    wanted.upper[a] = static_cast<double>(cells[a]);
  }
  wanted.periodic.fill(periodic);
  return seam::Grid<D>(over, wanted);
}

/// A first value, of 0.25 to 0.75, at the center of a cell.
template <int D>
double first_value(std::array<double, D> const& x) {
  double angle = 0;
  for (int a = 0; a < D; ++a)
    angle += (0.7 + 0.3 * a) * x[a];
  return 0.5 + 0.25 * std::sin(angle);
}

/// A problem as steps.
template <int D>
class declared_steps final : public contender {
public:
  /// @param declare  makes the fields, declares a step, and returns the field of values()
  template <class Declare>
  declared_steps(seam::Grid<D> grid, int fused, Declare const& declare)
      : grid_(std::move(grid)), step_(grid_), shown_(declare(grid_, step_)) {
    if (fused == by_measurement)
      step_.fuse_by_measurement();
    else
      step_.fuse(fused);
  }

  void run(std::int64_t steps) override { step_.run(steps); }

  std::vector<double> values() const override {
    std::vector<double> all;
    seam::for_each_cell(shown_.owned(),
                        [&, cells = shown_.view()](auto const& at) { all.push_back(cells[at]); });
    return all;
  }

private:
  seam::Grid<D> grid_;
  seam::Steps<D> step_;
  seam::Field<double, D> shown_;
};

/// @tparam Loops     the class of the loops by hand, made of the box of this rank's block
/// @param declare    as for declared_steps, without captures
template <int D, class Loops, bool periodic = false, class Declare>
constexpr problem make_problem(char const* name, double num_values, Declare, bool is_fused = true) {
  return {name,
          D,
          num_values,
          [](seam::Communicator const& over, extents const& cells,
             int fused) -> std::unique_ptr<contender> {
            return std::make_unique<declared_steps<D>>(grid_of<D>(over, cells, periodic), fused,
                                                       Declare{});
          },
          [](seam::Communicator const& over, extents const& cells) -> std::unique_ptr<contender> {
            return std::make_unique<Loops>(grid_of<D>(over, cells, periodic).owned());
          },
          is_fused};
}

/// The memory of loops by hand: rows of cells with `width` ghosts at each end of each axis. Threads
/// touch first the rows that they compute.
template <int D, class Value = double>
class rows {
public:
  using extents = std::array<std::int64_t, D>;

  rows(extents const& owned, int width) : owned_(owned), width_(width) {
    stride_[D - 1] = 1;
    for (int a = D - 1; a > 0; --a)
      stride_[a - 1] = stride_[a] * (owned[a] + 2 * width);
    std::int64_t const slab = stride_[0], count = owned[0] + 2 * width;
    memory_ = std::make_unique_for_overwrite<Value[]>(slab * count);
#pragma omp parallel for
    for (std::int64_t i = 0; i < count; ++i)
      std::fill_n(memory_.get() + i * slab, slab, Value{});
  }

  /// The address of the cell with index 0 on the last axis.
  Value* row(std::int64_t i) const { return memory_.get() + (i + width_) * stride_[0] + width_; }
  Value* row(std::int64_t i, std::int64_t j) const {
    return memory_.get() + (i + width_) * stride_[0] + (j + width_) * stride_[1] + width_;
  }
  std::int64_t stride(int axis) const { return stride_[axis]; }

  /// Sets the owned cells to value(position).
  template <class Function>
  void fill(extents const& first, Function const& value) {
    visit([&](extents const& at, Value& cell) {
      std::array<double, D> x;
      for (int a = 0; a < D; ++a)
        x[a] = static_cast<double>(first[a] + at[a]) + 0.5;
      cell = value(x);
    });
  }

  std::vector<double> values() const {
    std::vector<double> all;
    visit([&](extents const&, Value const& cell) { all.push_back(cell); });
    return all;
  }

  /// Calls each(index, cell) for the owned cells.
  template <class Visit>
  void visit(Visit const& each) const {
    seam::for_each_cell(seam::box<D>{{}, owned_}, [&](extents const& at) {
      Value* cell = memory_.get();
      for (int a = 0; a < D; ++a)
        cell += (at[a] + width_) * stride_[a];
      each(at, *cell);
    });
  }

  void swap(rows& other) noexcept { std::swap(memory_, other.memory_); }

private:
  extents owned_, stride_{};
  std::int64_t width_;
  std::unique_ptr<Value[]> memory_;
};

/// Gives the ghosts of a torus of `n` cells the values of the opposite sides.
template <class Value>
void wrap(rows<2, Value> const& field, seam::cell_index<2> const& n) {
  std::copy_n(field.row(n[0] - 1), n[1], field.row(-1));
  std::copy_n(field.row(0), n[1], field.row(n[0]));
  for (std::int64_t i = -1; i <= n[0]; ++i) {
    Value* const row = field.row(i);
    row[-1] = row[n[1] - 1];
    row[n[1]] = row[0];
  }
}

} // namespace steps_bench

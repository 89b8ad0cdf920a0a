/// Iterate: the loop of a stencil code. Each sweep exchanges the halo while it computes the cells
/// that read no ghosts of other processes, computes the other cells as soon as their ghosts have
/// arrived, and swaps the new values with the old ones.
///
///     Iterate loop(grid, u, next);
///     while (!loop.converged(1e-8))
///       loop.sweep(SEAM_KERNEL(auto u, int i, int j) {
///         return 0.25 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1));
///       });
#pragma once

#include <seam/exchange/steps/roles/kernel.hpp>
#include <seam/stencil/fields/field.hpp>

#include <cstdint>
#include <memory>

namespace seam {
namespace detail {

class kernel_body;
class step_machine;

/// The largest change of a cell in a part of a block, infinite where a value is not a number.
using change_in_part = double (*)(component_memory const& now, component_memory const& before,
                                  box3 const& part);

/// Iterate without the type of its fields' values. A sweep is a step with one kernel, which reads one
/// field around each cell and writes the other, and the exchange of both. See Iterate for the members' contracts.
class sweep_loop {
public:
  sweep_loop(shared_space space, std::shared_ptr<field_state> current,
             std::shared_ptr<field_state> next);
  sweep_loop(sweep_loop const&) = delete;
  sweep_loop& operator=(sweep_loop const&) = delete;
  ~sweep_loop();

  /// @param sweep  reads the first argument, the present field, and writes the second, the next one
  void run(std::int64_t count, kernel_body const& sweep);
  field_state const& current() const noexcept { return *current_; }
  field_state const& next() const noexcept { return *next_; }
  bool converged(double tolerance, int every, change_in_part change_of) const;
  double change(change_in_part change_of) const;
  std::int64_t num_sweeps() const noexcept;
  void continue_at(std::int64_t num_sweeps);

private:
  void check_fields() const;
  void declare();

  shared_space space_;
  std::shared_ptr<field_state> current_, next_;
  std::unique_ptr<step_machine> machine_;
};

} // namespace detail

/// Sweeps over two fields in turn. After every sweep the first field holds the newest values, the
/// second the values before. Boundary conditions are those of the first field.
///
/// Results do not depend on the numbers of ranks and threads. The steady state allocates nothing
/// and waits for neighbors only.
/// Threads: one thread calls the members; kernels run on Kokkos' host threads.
template <class T, int D>
class Iterate {
public:
  /// @throws usage_error  the fields are not of `grid`, are the same field, or have no boundary
  ///         condition on a border that the neighborhood reaches across (on all ranks)
  /// Collective: over the grid.
  Iterate(Grid<D> const& grid, Field<T, D>& current, Field<T, D>& next);

  /// Replaces every owned cell by kernel(u, i, j, ...): `u` a field_view that reads, and the cell's
  /// indices in it. The kernel may read `u` at the offsets that the grid's neighborhood declares.
  /// @throws  what the kernel throws, on its rank; the fields are then undefined
  /// Local to the neighborhood.
  template <class Kernel>
  void sweep(Kernel const& kernel);

  /// Does `count` sweeps: values are sent to the neighbors as soon as a thread has computed them,
  /// also for the next sweep. sweep() cannot do so, as its caller may change fields before the next
  /// one. Results are those of sweep(), bit by bit; a rank may be ahead of its neighbors by a
  /// sweep.
  /// @throws usage_error  `count` is negative (on all ranks); or what the kernel throws, as sweep()
  /// Local to the neighborhood.
  template <class Kernel>
  void sweeps(std::int64_t count, Kernel const& kernel);

  /// True if the last sweep changed no cell of the grid by more than `tolerance`.
  ///
  /// @param tolerance  at least 0
  /// @param every      looks only if the number of sweeps is a multiple of it, else returns false
  /// @throws usage_error  `tolerance` is negative or not a number, `every` is below 1, or the
  ///         change is not finite: the iteration diverges (on all ranks)
  /// Collective: over the grid, if it looks.
  bool converged(double tolerance, int every = 1);

  /// The largest change of a cell by the last sweep; infinite before the first sweep and if a value
  /// is not a number.
  /// Collective: over the grid.
  double change() const;

  std::int64_t num_sweeps() const noexcept { return loop_->num_sweeps(); }

  /// Counts `num_sweeps` sweeps as done, whose values both fields have from elsewhere. Between sweeps;
  /// the same on all ranks.
  void continue_at(std::int64_t num_sweeps) { loop_->continue_at(num_sweeps); }

private:
  std::unique_ptr<detail::sweep_loop> loop_;
};

} // namespace seam

#include <seam/stencil/fields/field_state.hpp>
#include <seam/stencil/roles/iterate.ipp>
#include <seam/stencil/space/grid_space.hpp>

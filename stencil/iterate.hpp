/// Iterate: the loop of a stencil code. Each sweep exchanges the halo while it computes the cells
/// that read no ghosts of other processes, computes the other cells as soon as their ghosts have
/// arrived, and swaps the new values with the old ones.
///
///     Iterate loop(grid, u, next);
///     while (!loop.converged(1e-8))
///       loop.sweep(KOKKOS_LAMBDA(auto u, int i, int j) {
///         return 0.25 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1));
///       });
#pragma once

#include <seam/stencil/detail/arrivals.hpp>
#include <seam/stencil/detail/sweep_chain.hpp>
#include <seam/stencil/detail/tiles.hpp>
#include <seam/stencil/halo.hpp>

namespace seam {

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
  /// Local to the neighborhood.
  template <class Kernel>
  void sweep(Kernel const& kernel);

  /// Does `count` sweeps as one chain: in all but the last, values are sent to the neighbors as
  /// soon as a thread has computed them (see sweep_chain.hpp). sweep() cannot do so, as its caller
  /// may change fields before the next sweep. Results are those of sweep(), bit by bit; a rank may
  /// be ahead of its neighbors by a sweep.
  /// @throws usage_error  `count` is negative
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

  std::int64_t num_sweeps() const noexcept { return num_sweeps_; }

private:
  using field_state = typename Field<T, D>::state;

  /// Ghosts beyond one of the current field's borders.
  struct border_part {
    std::size_t border;
    box<D> ghosts;
  };

  void check_fields() const;
  void split_borders(box<D> const& at_hand);
  void fill(std::vector<border_part> const& parts, detail::by_threads threads) const;
  std::size_t number_of(field_state const& field) const;
  void make_halos(std::vector<detail::halo_round<D>> const& rounds,
                  std::span<exchanged_array const> storage);
  void make_chain(std::vector<detail::halo_round<D>> const& parts);
  template <class Kernel>
  void chained_sweep(in_flight& arriving, partitioned_exchange* leaving, Kernel const& kernel);
  template <class Kernel>
  void funneled_sweep(Kernel const& kernel);
  template <class Kernel, class Meanwhile>
  void compute(std::vector<box<D>> const& tiles, Kernel const& kernel, Meanwhile const& meanwhile);
  void swap();

  Grid<D> grid_;
  std::shared_ptr<field_state> current_, next_;
  detail::halo_arrivals<D> arrivals_;
  detail::sweep_tiles<D> tiles_;
  std::vector<border_part> early_borders_, late_borders_; ///< filled before and after messages
  T const* storage_[2] = {};                              ///< of both fields when the loop was made
  std::vector<partitioned_exchange> halos_;               ///< of storage_[0] and storage_[1]
  std::unique_ptr<detail::sweep_chain<D>> chain_;         ///< if all threads may call MPI
  char const* name_ = "sweep";
  std::int64_t num_sweeps_ = 0;
};

} // namespace seam

#include <seam/stencil/detail/iterate.ipp>

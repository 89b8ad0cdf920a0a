/// Grid: the cells of a box-shaped domain, spread over processes.
///
///     Grid<2> grid(world, {.cells = {4096, 4096}, .periodic = {true, false},
///                          .neighborhood = von_neumann(1)});
///     auto u = grid.field<double>("u");
///
/// The constructor prepares all communication: it factorises the processes, names them on a
/// Cartesian grid, decomposes the cells, derives from the neighborhood the ghosts that each process
/// needs of its neighbors, and builds the graph communicator and the halo plan. Axis 0 is the
/// slowest in memory.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/halo/plan.hpp>
#include <seam/exchange/steps/regions/box.hpp>
#include <seam/mapping/cartesian_naming.hpp>
#include <seam/mapping/neighborhood.hpp>
#include <seam/mapping/reordering.hpp>
#include <seam/stencil/space/centering.hpp>
#include <seam/stencil/space/ghosts.hpp>
#include <seam/stencil/space/grid_space.hpp>
#include <seam/stencil/space/halo_plan.hpp>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace seam {

template <class T, int D>
class Field;

/// A point in space. [the user's unit of length]
template <int D>
using position = std::array<double, static_cast<std::size_t>(D)>;

/// The places of cells in space. A plain value, for use inside kernels.
template <int D>
struct cell_geometry {
  position<D> lower{};   ///< corner of the domain [unit of length]
  position<D> spacing{}; ///< extent of a cell [unit of length]

  /// Centre of the cell with global index `cell`, which may lie outside the domain.
  position<D> centre(cell_index<D> const& cell) const noexcept { return place(cell, on_cells); }

  /// Place of the value with global index `at`, which may lie outside the domain.
  position<D> place(cell_index<D> const& at, centering where) const noexcept {
    position<D> x{};
    for (int a = 0; a < D; ++a)
      x[a] = lower[a] + (static_cast<double>(at[a]) + (where.is_low(a) ? 0.0 : 0.5)) * spacing[a];
    return x;
  }
};

namespace detail {

template <int D, class T>
constexpr std::array<T, static_cast<std::size_t>(D)> on_every_axis(T value) {
  std::array<T, static_cast<std::size_t>(D)> all{};
  all.fill(value);
  return all;
}

/// The places of a grid's cells in space.
template <int D>
cell_geometry<D> geometry_of(grid_space const& space) {
  return {unpadded<D>(space.lower()), unpadded<D>(space.spacing())};
}

} // namespace detail

/// The declaration of a field. The same on all ranks.
struct field_options {
  centering on = on_cells; ///< where on a cell its values lie
  int components = 1;      ///< values at each place, each component an array of its own
  int levels = 1;          ///< times that are kept: the present one and those before
};

/// The declaration of a grid. The same on all ranks.
template <int D>
struct grid_options {
  cell_index<D> cells{};                                    ///< of the whole domain
  std::array<bool, static_cast<std::size_t>(D)> periodic{}; ///< default: nowhere
  seam::neighborhood neighborhood = von_neumann(1);         ///< the cells that a kernel reads
  position<D> lower{};                                      ///< corner of the domain
  position<D> upper = detail::on_every_axis<D>(1.0);        ///< the corner opposite
  std::array<int, static_cast<std::size_t>(D)> processes{}; ///< on each axis; 0: seam chooses
  seam::reordering reordering{};                            ///< which process gets which block
};

namespace detail {

/// What a grid consists of, whatever the number of its axes.
struct grid_parts {
  shared_space space;
  CartesianNaming naming; ///< of the grid's own axes
  Communicator graph;
  plan halo;
  std::vector<plan> halo_rounds;
  reordering_report reordered;
};

template <int D>
struct grid_state {
  grid_options<D> options;
  cell_geometry<D> geometry;
  ghost_width<D> ghosts;
  grid_parts parts;
};

} // namespace detail

/// A decomposed grid. Immutable; copies are handles of the same grid.
/// Threads: any, but for collective calls. What says nothing else is local.
template <int D>
class Grid {
public:
  static_assert(D >= 1 && D <= 3, "grids have one, two or three dimensions");

  /// Decomposes the grid over all processes of `over`.
  ///
  /// @throws usage_error  no cells on an axis, a domain that is not finite, options that differ
  ///         between ranks, fixed processes that do not divide, a block with 2^31 cells or more on
  ///         an axis, ghosts included, or one that is thinner than the halo: the line names the
  ///         axis, the width and the largest usable number of processes (on all ranks)
  /// Collective: over `over`.
  Grid(Communicator const& over, grid_options<D> const& options);

  cell_index<D> const& cells() const noexcept { return state_->options.cells; }
  bool is_periodic(int axis) const noexcept { return state_->options.periodic[axis]; }

  /// The places of the cells in space.
  cell_geometry<D> const& geometry() const noexcept { return state_->geometry; }

  /// Extent of a cell. [unit of length]
  position<D> const& spacing() const noexcept { return geometry().spacing; }

  /// All cells of the domain: {0, cells()}.
  box<D> domain() const noexcept { return {{}, cells()}; }

  /// The indices of all values of a field in the domain.
  box<D> domain(centering where) const noexcept {
    return detail::unpadded<D>(space()->domain(where));
  }

  /// The cells that this rank owns, in global indices.
  box<D> owned() const noexcept { return owned(on_cells); }

  /// The values of a field that this rank owns, in global indices (see centering.hpp).
  box<D> owned(centering where) const noexcept {
    return detail::unpadded<D>(space()->owned(where));
  }

  /// The cells, or the values, that `rank` owns, in global indices.
  /// @param rank  of base(), 0 to size() - 1
  /// Local.
  box<D> owned_by(int rank) const { return owned_by(rank, on_cells); }
  box<D> owned_by(int rank, centering where) const {
    return detail::unpadded<D>(space()->owned_by(rank, where));
  }

  /// The cells that kernels read, unless they declare others.
  seam::neighborhood const& neighborhood() const noexcept { return state_->options.neighborhood; }

  /// Ghost layers around every rank's block, for that neighborhood.
  detail::ghost_width<D> const& ghosts() const noexcept { return state_->ghosts; }

  /// The cells from which new values of `cells` may be computed: `cells`, the layers around them
  /// that the neighborhood reaches, and the mirror images of ghosts beyond a border of the domain.
  /// Both boxes are in indices relative to this rank's block, like those of a field's view().
  /// Local.
  ///
  /// @param cells  owned cells
  box<D> read_by(box<D> const& cells) const;

  /// Processes on each axis.
  std::array<int, static_cast<std::size_t>(D)> processes() const {
    return detail::unpadded<D>(space()->processes());
  }

  int rank() const { return base().rank(); }
  int size() const { return base().size(); }

  /// The graph communicator with an edge for each halo exchange; ranks as in base().
  Communicator const& graph() const noexcept { return state_->parts.graph; }

  /// All processes of the grid, fully connected, in the order of graph().
  Communicator const& base() const noexcept { return space()->base(); }

  /// The processes' names on the Cartesian grid.
  CartesianNaming const& naming() const noexcept { return state_->parts.naming; }

  /// The report on the order in which processes got their blocks. Unless the options say otherwise
  /// the order differs from the order of ranks if there are several nodes (see reordering.hpp).
  /// Volumes are in cells.
  reordering_report const& report() const noexcept { return state_->parts.reordered; }

  /// The plan from owners to ghosts, for arrays laid out like a field; its inverse() leads from
  /// ghosts to owners.
  plan const& halo_plan() const noexcept { return state_->parts.halo; }

  /// Plans that fill the same ghosts axis after axis, by fewer messages (see halo_plan.hpp).
  std::vector<plan> const& halo_rounds() const noexcept { return state_->parts.halo_rounds; }

  /// The edges of halo_plan() with their boxes, relative to this rank's block.
  /// Local.
  detail::halo_round halo_edges() const {
    return detail::make_direct_halo(*space(), space()->sides());
  }

  /// The rounds with their boxes. Slabs are cut into at most `most_parts` parts that may leave and
  /// arrive one by one, each of about 64 KiB of doubles.
  /// Local.
  std::vector<detail::halo_round> halo_parts(int most_parts = 8) const {
    constexpr std::int64_t cells_of_part = 8192; // 64 KiB of doubles
    return detail::make_halo_parts(*space(), space()->sides(), cells_of_part, most_parts);
  }

  /// The grid as planners see it.
  detail::shared_space const& space() const noexcept { return state_->parts.space; }

  /// A field of T on this grid, zero everywhere (with <seam/grid.hpp>).
  /// @throws usage_error  no components, or no levels (on all ranks)
  /// Collective: over the grid.
  template <class T>
  Field<T, D> field(std::string name, field_options const& options = {}) const {
    return Field<T, D>(*this, std::move(name), options);
  }

  /// A field in the memory of a Kokkos view (see Field).
  /// @throws usage_error  the view has another layout, other extents, or does not own its memory (on
  ///         all ranks)
  /// Collective: over the grid.
  template <class View>
    requires requires { typename View::non_const_value_type; }
  auto field(std::string name, View const& values, field_options const& options = {}) const {
    return Field<typename View::non_const_value_type, D>(*this, std::move(name), values, options);
  }

  /// The grid of the same cells, divided in the same way, with an empty neighborhood: values of its
  /// fields are contiguous in memory, like the vectors of libraries.
  /// Collective: over the grid.
  Grid without_ghosts() const;

  /// The grid of the same domain with half as many cells on each axis, divided among as many
  /// processes on each axis: every rank gets about the same part of the domain.
  /// @throws usage_error  an axis has an odd number of cells, or fewer than two for each process
  /// Collective: over the grid.
  Grid coarsened() const;

  /// True if both are handles of one grid.
  friend bool operator==(Grid const&, Grid const&) = default;

private:
  std::shared_ptr<detail::grid_state<D> const> state_;
};

} // namespace seam

#include <seam/stencil/grid.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mapping/named_communicator.hpp>
#include <seam/stencil/detail/decomposition.hpp>
#include <seam/stencil/detail/grid_processes.hpp>
#include <seam/stencil/detail/halo_plan.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace seam {
using namespace detail;

template <int D>
struct Grid<D>::state {
  grid_options<D> options;
  cell_geometry<D> geometry;
  ghost_width<D> ghosts;
  CartesianNaming naming;
  box<D> owned;
  Communicator base, graph;
  plan halo;
  std::vector<plan> halo_rounds;
  reordering_report reordered;
};

namespace {

template <int D>
std::string in_words(grid_options<D> const& options) {
  offset_list const offsets = options.neighborhood.expand(D);
  return fmt::format("cells {}, periodic {}, neighborhood {}, from {} to {}, processes {}",
                     options.cells, options.periodic, offsets.flat(), options.lower, options.upper,
                     options.processes);
}

template <int D>
std::vector<ghost_side<D>> sides_of(seam::neighborhood const& neighborhood) {
  offset_list const list = neighborhood.expand(D);
  std::vector<cell_index<D>> offsets(list.size());
  for (int i = 0; i < std::ssize(list); ++i)
    std::ranges::copy(list[i], offsets[i].begin());
  return ghost_sides<D>(offsets);
}

template <int D>
cell_geometry<D> geometry_of(grid_options<D> const& options) {
  cell_geometry<D> geometry{options.lower, {}};
  for (int a = 0; a < D; ++a)
    geometry.spacing[a] =
        (options.upper[a] - options.lower[a]) / static_cast<double>(options.cells[a]);
  return geometry;
}

template <int D>
CartesianNaming name_processes(int num_processes, grid_options<D> const& options,
                               ghost_width<D> const& width) {
  std::vector<bool> const periodic(options.periodic.begin(), options.periodic.end());
  return {num_processes, processes_for<D>(num_processes, options, width), periodic};
}

/// The number of cells that a process exchanges in the direction of each side, as weights.
template <int D>
neighborhood volumes_of(std::vector<ghost_side<D>> const& sides, CartesianNaming const& naming,
                        grid_options<D> const& options) {
  std::vector<std::vector<int>> directions;
  std::vector<int> volumes;
  for (ghost_side<D> const& side : sides) {
    double cells = 1;
    for (int a = 0; a < D; ++a)
      cells *= side.direction[a] != 0 ? static_cast<double>(side.depth[a])
                                      : static_cast<double>(options.cells[a]) / naming.order()[a];
    constexpr double most = 1e9;
    directions.emplace_back(side.direction.begin(), side.direction.end());
    volumes.push_back(static_cast<int>(std::clamp(cells, 1.0, most)));
  }
  return offsets(directions, volumes);
}

template <int D>
std::int64_t widest(ghost_width<D> const& width) {
  std::int64_t most = 0;
  for (int axis = 0; axis < D; ++axis)
    most = std::max(most, width.of(axis));
  return most;
}

/// Names all processes, in an order that suits the machine.
/// Collective: over `over`.
template <int D>
reordered_communicator arrange(Communicator const& over, CartesianNaming const& naming,
                               std::vector<ghost_side<D>> const& sides,
                               grid_options<D> const& options) {
  if (!sides.empty())
    return reorder(over, naming, volumes_of<D>(sides, naming, options), options.reordering);
  Communicator base = over.base();
  name(base, naming);
  return {std::move(base), {}};
}

/// The indices of values that lie on `cells`: on the high border of the domain one layer more.
template <int D>
box<D> values_on(box<D> cells, centering where, grid_options<D> const& options) {
  for (int a = 0; a < D; ++a)
    if (where.is_low(a) && !options.periodic[a] && cells.hi[a] == options.cells[a])
      ++cells.hi[a];
  return cells;
}

} // namespace

template <int D>
Grid<D>::Grid(Communicator const& over, grid_options<D> const& options) {
  call_scope const here("Grid", *over.calls());
  require_same(over.context(), "grid:", in_words<D>(options));
  auto const sides = collectively(over.context(), [&] {
    check_options<D>(options);
    return sides_of<D>(options.neighborhood);
  });
  auto const width = width_of<D>(sides);
  auto const naming =
      collectively(over.context(), [&] { return name_processes<D>(over.size(), options, width); });
  auto [base, reordered] = arrange<D>(over, naming, sides, options);
  auto const block = block_of<D>(options.cells, naming.order(), naming.coordinates(base.rank()));
  plan halo = make_direct_halo<D>(naming, base.rank(), block, sides).what;
  auto rounds = plans_of(make_halo_parts<D>(naming, base.rank(), block, sides, 1, 1));
  Communicator graph = make_graph(base, halo.topology());
  explain(base.context(), [&] {
    return fmt::format("grid of {} cells: blocks of about {} on {} processes, ghosts {} wide\n",
                       fmt::join(options.cells, "x"), fmt::join(block.extents(), "x"),
                       fmt::join(naming.order(), "x"), widest<D>(width));
  });
  state_ = std::make_shared<state const>(
      state{options, geometry_of<D>(options), width, naming, block, std::move(base),
            std::move(graph), std::move(halo), std::move(rounds), std::move(reordered)});
}

template <int D>
cell_index<D> const& Grid<D>::cells() const noexcept {
  return state_->options.cells;
}
template <int D>
bool Grid<D>::is_periodic(int axis) const noexcept {
  return state_->options.periodic[axis];
}
template <int D>
cell_geometry<D> const& Grid<D>::geometry() const noexcept {
  return state_->geometry;
}
template <int D>
box<D> Grid<D>::domain() const noexcept {
  return {{}, cells()};
}
template <int D>
box<D> Grid<D>::domain(centering where) const noexcept {
  return values_on<D>(domain(), where, state_->options);
}
template <int D>
box<D> Grid<D>::owned() const noexcept {
  return state_->owned;
}
template <int D>
box<D> Grid<D>::owned(centering where) const noexcept {
  return values_on<D>(owned(), where, state_->options);
}
template <int D>
box<D> Grid<D>::owned_by(int rank) const {
  return block_of<D>(cells(), naming().order(), naming().coordinates(rank));
}
template <int D>
box<D> Grid<D>::owned_by(int rank, centering where) const {
  return values_on<D>(owned_by(rank), where, state_->options);
}
template <int D>
seam::neighborhood const& Grid<D>::neighborhood() const noexcept {
  return state_->options.neighborhood;
}
template <int D>
ghost_width<D> const& Grid<D>::ghosts() const noexcept {
  return state_->ghosts;
}
template <int D>
box<D> Grid<D>::read_by(box<D> const& cells) const {
  if (cells.is_empty())
    return cells;
  box<D> const grown = grow(cells, ghosts().below, ghosts().above);
  box<D> read = grown;
  for (int a = 0; a < D; ++a) {
    if (state_->options.periodic[a])
      continue;
    if (owned().lo[a] == 0)
      read.hi[a] = std::max(grown.hi[a], -grown.lo[a]);
    if (owned().hi[a] == this->cells()[a])
      read.lo[a] = std::min(grown.lo[a], 2 * owned().extent(a) - grown.hi[a]);
  }
  return read;
}
template <int D>
std::array<int, static_cast<std::size_t>(D)> Grid<D>::processes() const {
  std::array<int, static_cast<std::size_t>(D)> all{};
  std::copy_n(naming().order().begin(), D, all.begin());
  return all;
}
template <int D>
int Grid<D>::rank() const {
  return base().rank();
}
template <int D>
int Grid<D>::size() const {
  return base().size();
}
template <int D>
Communicator const& Grid<D>::graph() const noexcept {
  return state_->graph;
}
template <int D>
Communicator const& Grid<D>::base() const noexcept {
  return state_->base;
}
template <int D>
CartesianNaming const& Grid<D>::naming() const noexcept {
  return state_->naming;
}
template <int D>
plan const& Grid<D>::halo_plan() const noexcept {
  return state_->halo;
}
template <int D>
std::vector<plan> const& Grid<D>::halo_rounds() const noexcept {
  return state_->halo_rounds;
}
template <int D>
reordering_report const& Grid<D>::report() const noexcept {
  return state_->reordered;
}
template <int D>
halo_round<D> Grid<D>::halo_edges() const {
  return make_direct_halo<D>(naming(), rank(), owned(), sides_of<D>(state_->options.neighborhood));
}
template <int D>
std::vector<halo_round<D>> Grid<D>::halo_parts(int most_parts) const {
  constexpr std::int64_t cells_of_part = 8192; // 64 KiB of doubles
  return make_halo_parts<D>(naming(), rank(), owned(), sides_of<D>(state_->options.neighborhood),
                            cells_of_part, most_parts);
}

template <int D>
Grid<D> Grid<D>::without_ghosts() const {
  auto options = state_->options;
  options.neighborhood = metric_neighborhood(metric::manhattan, 0, 0);
  options.processes = processes();
  return Grid(base(), options);
}

template <int D>
Grid<D> Grid<D>::coarsened() const {
  auto options = state_->options;
  options.processes = processes();
  options.reordering = {.strategy = "identity"};
  for (int a = 0; a < D; ++a) {
    if (options.cells[a] % 2 != 0)
      throw usage_error(fmt::format("grid: a coarser grid of {} cells on axis {} (expected an even "
                                    "number)",
                                    options.cells[a], a),
                        true);
    options.cells[a] /= 2;
  }
  return Grid(base(), options);
}

template class Grid<1>;
template class Grid<2>;
template class Grid<3>;

} // namespace seam

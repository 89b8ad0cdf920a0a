#include <seam/stencil/fields/grid.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mapping/named_communicator.hpp>
#include <seam/stencil/fields/grid_processes.hpp>
#include <seam/stencil/space/halo_plan.hpp>

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
  shared_space space;
  Communicator graph;
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

/// The offsets of a neighborhood of a grid with `num_axes` axes.
std::vector<index3> offsets_of(seam::neighborhood const& neighborhood, int num_axes) {
  offset_list const list = neighborhood.expand(num_axes);
  std::vector<index3> offsets(list.size());
  for (int i = 0; i < std::ssize(list); ++i)
    std::ranges::copy(list[i], offsets[i].end() - num_axes);
  return offsets;
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
neighborhood volumes_of(std::vector<ghost_side> const& sides, CartesianNaming const& naming,
                        grid_options<D> const& options) {
  std::vector<std::vector<int>> directions;
  std::vector<int> volumes;
  for (ghost_side const& side : sides) {
    auto const direction = unpadded<D>(side.direction), depth = unpadded<D>(side.depth);
    double cells = 1;
    for (int a = 0; a < D; ++a)
      cells *= direction[a] != 0 ? static_cast<double>(depth[a])
                                 : static_cast<double>(options.cells[a]) / naming.order()[a];
    constexpr double most = 1e9;
    directions.emplace_back(direction.begin(), direction.end());
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
                               std::vector<ghost_side> const& sides,
                               grid_options<D> const& options) {
  if (!sides.empty())
    return reorder(over, naming, volumes_of<D>(sides, naming, options), options.reordering);
  Communicator base = over.base();
  name(base, naming);
  return {std::move(base), {}};
}

/// The declaration of a grid's space.
template <int D>
space_options space_of(grid_options<D> const& options, CartesianNaming const& naming,
                       std::vector<index3> offsets) {
  auto const geometry = geometry_of<D>(options);
  std::array<int, static_cast<std::size_t>(D)> processes;
  std::ranges::copy(naming.order(), processes.begin());
  return {D,
          padded(options.cells, std::int64_t{1}),
          padded(options.periodic),
          padded(processes, 1),
          padded(geometry.lower),
          padded(geometry.spacing),
          std::move(offsets)};
}

} // namespace

template <int D>
Grid<D>::Grid(Communicator const& over, grid_options<D> const& options) {
  call_scope const here("Grid", *over.calls());
  require_same(over.context(), "grid:", in_words<D>(options));
  auto offsets = collectively(over.context(), [&] {
    check_options<D>(options);
    return offsets_of(options.neighborhood, D);
  });
  auto const sides = ghost_sides(offsets);
  auto const width = unpadded<D>(width_of(sides));
  auto const naming =
      collectively(over.context(), [&] { return name_processes<D>(over.size(), options, width); });
  auto [base, reordered] = arrange<D>(over, naming, sides, options);
  auto const space = std::make_shared<grid_space const>(
      space_of<D>(options, naming, std::move(offsets)), std::move(base));
  plan halo = make_direct_halo(*space, sides).what;
  auto rounds = plans_of(make_halo_parts(*space, sides, 1, 1));
  Communicator graph = make_graph(space->base(), halo.topology());
  explain(space->base().context(), [&] {
    return fmt::format("grid of {} cells: blocks of about {} on {} processes, ghosts {} wide\n",
                       fmt::join(options.cells, "x"),
                       fmt::join(space->entries_of(space->owned().extents()), "x"),
                       fmt::join(naming.order(), "x"), widest<D>(width));
  });
  state_ = std::make_shared<state const>(state{options, geometry_of<D>(options), width, naming,
                                               space, std::move(graph), std::move(halo),
                                               std::move(rounds), std::move(reordered)});
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
  return unpadded<D>(state_->space->domain(where));
}
template <int D>
box<D> Grid<D>::owned() const noexcept {
  return owned(on_cells);
}
template <int D>
box<D> Grid<D>::owned(centering where) const noexcept {
  return unpadded<D>(state_->space->owned(where));
}
template <int D>
box<D> Grid<D>::owned_by(int rank) const {
  return owned_by(rank, on_cells);
}
template <int D>
box<D> Grid<D>::owned_by(int rank, centering where) const {
  return unpadded<D>(state_->space->owned_by(rank, where));
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
  return state_->space->base();
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
halo_round Grid<D>::halo_edges() const {
  return make_direct_halo(*space(), space()->sides());
}
template <int D>
std::vector<halo_round> Grid<D>::halo_parts(int most_parts) const {
  constexpr std::int64_t cells_of_part = 8192; // 64 KiB of doubles
  return make_halo_parts(*space(), space()->sides(), cells_of_part, most_parts);
}

template <int D>
shared_space const& Grid<D>::space() const noexcept {
  return state_->space;
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

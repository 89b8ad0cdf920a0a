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

namespace {

std::string in_words(space_options const& options) {
  auto const of = [&](auto const& values) { return last_entries(values, options.num_axes); };
  std::string text =
      fmt::format("cells {}, periodic {}, neighborhood", of(options.cells), of(options.periodic));
  for (index3 const& offset : options.offsets)
    text += fmt::format(" {}", of(offset));
  return text + fmt::format(", from {} to {}, processes {}", of(options.lower), of(options.upper),
                            of(options.processes));
}

/// The declaration of a grid's space; processes may be 0.
template <int D>
space_options space_of(grid_options<D> const& options) {
  offset_list const list = options.neighborhood.expand(D);
  std::vector<index3> offsets(list.size());
  for (int i = 0; i < std::ssize(list); ++i)
    std::ranges::copy(list[i], offsets[i].end() - D);
  return {D,
          padded(options.cells, std::int64_t{1}),
          padded(options.periodic),
          padded(options.processes, 1),
          padded(options.lower),
          padded(options.upper, 1.0),
          std::move(offsets)};
}

CartesianNaming name_processes(int num_processes, space_options const& options,
                               ghost_width<3> const& width) {
  auto const periodic = last_entries(options.periodic, options.num_axes);
  return {num_processes, processes_for(num_processes, options, width),
          std::vector<bool>(periodic.begin(), periodic.end())};
}

/// The number of cells that a process exchanges in the direction of each side, as weights.
neighborhood volumes_of(std::vector<ghost_side> const& sides, space_options const& options) {
  std::vector<std::vector<int>> directions;
  std::vector<int> volumes;
  for (ghost_side const& side : sides) {
    auto const direction = last_entries(side.direction, options.num_axes);
    double cells = 1;
    for (int a = options.first_axis(); a < 3; ++a)
      cells *= side.direction[a] != 0
                   ? static_cast<double>(side.depth[a])
                   : static_cast<double>(options.cells[a]) / options.processes[a];
    constexpr double most = 1e9;
    directions.emplace_back(direction.begin(), direction.end());
    volumes.push_back(static_cast<int>(std::clamp(cells, 1.0, most)));
  }
  return offsets(directions, volumes);
}

std::int64_t widest(ghost_width<3> const& width) {
  return std::max({width.of(0), width.of(1), width.of(2)});
}

/// Names all processes, in an order that suits the machine.
/// Collective: over `over`.
reordered_communicator arrange(Communicator const& over, CartesianNaming const& naming,
                               std::vector<ghost_side> const& sides, space_options const& options,
                               reordering const& how) {
  if (!sides.empty())
    return reorder(over, naming, volumes_of(sides, options), how);
  Communicator base = over.base();
  name(base, naming);
  return {std::move(base), {}};
}

/// Collective: over `over`.
grid_parts make_parts(Communicator const& over, space_options options, reordering const& how) {
  call_scope const here("Grid", *over.calls());
  require_same(over.context(), "grid:", in_words(options));
  auto const sides = ghost_sides(options.offsets);
  auto const naming = collectively(over.context(), [&] {
    check_options(options);
    return name_processes(over.size(), options, width_of(sides));
  });
  std::ranges::copy(naming.order(), options.processes.end() - options.num_axes);
  auto [base, reordered] = arrange(over, naming, sides, options, how);
  auto space = std::make_shared<grid_space const>(std::move(options), std::move(base));
  plan halo = make_direct_halo(*space, sides).what;
  auto rounds = plans_of(make_halo_parts(*space, sides, 1, 1));
  Communicator graph = make_graph(space->base(), halo.topology());
  explain(space->base().context(), [&] {
    return fmt::format("grid of {} cells: blocks of about {} on {} processes, ghosts {} wide\n",
                       fmt::join(space->entries_of(space->cells()), "x"),
                       fmt::join(space->entries_of(space->owned().extents()), "x"),
                       fmt::join(naming.order(), "x"), widest(space->ghosts()));
  });
  return {std::move(space),    naming, std::move(graph), std::move(halo), std::move(rounds),
          std::move(reordered)};
}

} // namespace

template <int D>
Grid<D>::Grid(Communicator const& over, grid_options<D> const& options) {
  auto parts = make_parts(over, space_of<D>(options), options.reordering);
  auto const geometry = geometry_of<D>(*parts.space);
  auto const ghosts = unpadded<D>(parts.space->ghosts());
  state_ = std::make_shared<grid_state<D> const>(grid_state<D>{options, geometry, ghosts,
                                                               std::move(parts)});
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

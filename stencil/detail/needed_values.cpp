#include <seam/stencil/detail/needed_values.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/detail/decomposition.hpp>
#include <seam/stencil/detail/domain_images.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace seam::detail {
namespace {

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// The part of an axis' decomposition to which a cell belongs.
int part_of_cell(std::int64_t cells, int num_parts, std::int64_t cell) {
  std::int64_t const small = cells / num_parts, larger_parts = cells % num_parts;
  std::int64_t const in_larger = larger_parts * (small + 1);
  auto const part =
      cell < in_larger ? cell / (small + 1) : larger_parts + (cell - in_larger) / small;
  return static_cast<int>(std::min<std::int64_t>(part, num_parts - 1));
}

/// A part of a range of one axis that one row of processes owns.
struct axis_part {
  int coordinate;
  std::int64_t lo, hi, image; ///< image: index of the needed value minus index of the owned one
};

std::vector<axis_part> parts_on_axis(std::int64_t lo, std::int64_t hi, std::int64_t cells,
                                     int processes, bool is_periodic, bool has_last_layer) {
  std::vector<axis_part> parts;
  while (lo < hi) {
    std::int64_t const image = is_periodic ? floor_divide(lo, cells) * cells : 0;
    int const part = part_of_cell(cells, processes, std::min(lo - image, cells - 1));
    std::int64_t end = first_cell_of(cells, processes, part + 1);
    if (has_last_layer && end == cells)
      ++end;
    std::int64_t const stop = std::min(hi, end + image);
    SEAM_ASSERT(stop > lo, "needed values outside the domain");
    parts.push_back({part, lo, stop, image});
    lo = stop;
  }
  return parts;
}

template <int D>
std::array<std::pair<std::int64_t, std::int64_t>, 3> zones_on_axis(box<D> const& all,
                                                                   box<D> const& block, int a) {
  return {std::pair{all.lo[a], std::min(all.hi[a], block.lo[a])},
          std::pair{std::max(all.lo[a], block.lo[a]), std::min(all.hi[a], block.hi[a])},
          std::pair{std::max(all.lo[a], block.hi[a]), all.hi[a]}};
}

/// Calls visit(direction, part) for the parts of `all` in the zones around `block`.
template <int D, class Visit>
void for_each_zone(box<D> const& all, box<D> const& block, Visit const& visit) {
  if (all.is_empty())
    return;
  box<D> directions;
  directions.lo.fill(-1);
  directions.hi.fill(2);
  for_each_cell(directions, [&](cell_index<D> const& direction) {
    box<D> part;
    for (int a = 0; a < D; ++a)
      std::tie(part.lo[a], part.hi[a]) = zones_on_axis<D>(all, block, a)[direction[a] + 1];
    if (!part.is_empty())
      visit(direction, part);
  });
}

} // namespace

template <int D>
std::vector<box<D>> cut_by_zones(box<D> const& all, box<D> const& block) {
  if (intersection(all, block) == all)
    return {all};
  std::vector<box<D>> parts;
  for_each_zone<D>(all, block, [&](auto const&, box<D> const& part) { parts.push_back(part); });
  return parts;
}

template <int D>
box<D> mirror_image(Grid<D> const& grid, centering on, border_ghosts<D> const& beyond) {
  int const a = beyond.axis;
  std::int64_t const sum = mirror_sum<D>(grid, on, a, beyond.side);
  box<D> mirrored = beyond.ghosts;
  mirrored.lo[a] = sum - (beyond.ghosts.hi[a] - 1);
  mirrored.hi[a] = sum - beyond.ghosts.lo[a] + 1;
  return mirrored;
}

template <int D>
void needed_values<D>::add_from(int axis, box<D> const& read) {
  all_ = hull(all_, read);
  if (read.is_empty())
    return;
  if (axis < 0) {
    inside_ = hull(inside_, read);
    for_each_zone<D>(read, owned_, [&](cell_index<D> const& direction, box<D> const& part) {
      box<D>& zone = zones_[direction];
      zone = hull(zone, part);
    });
    return;
  }
  if (grid_.is_periodic(axis))
    return add_from(axis - 1, read);
  box<D> below = read, within = read, above = read;
  below.hi[axis] = std::min(read.hi[axis], domain_.lo[axis]);
  within.lo[axis] = std::max(read.lo[axis], domain_.lo[axis]);
  within.hi[axis] = std::min(read.hi[axis], domain_.hi[axis]);
  above.lo[axis] = std::max(read.lo[axis], domain_.hi[axis]);
  add_from(axis - 1, within);
  add_beyond(axis, side::low, below);
  add_beyond(axis, side::high, above);
}

template <int D>
void needed_values<D>::add_beyond(int axis, seam::side side, box<D> const& read) {
  if (read.is_empty())
    return;
  box<D> const mirrored = mirror_image<D>(grid_, on_, {axis, side, read});
  if (mirrored.lo[axis] < domain_.lo[axis] || mirrored.hi[axis] > domain_.hi[axis])
    refuse(fmt::format("steps: {} layers are read beyond a border of axis {}, which has {} "
                       "(expected at most as many as the axis has)",
                       side == side::low ? domain_.lo[axis] - read.lo[axis]
                                         : read.hi[axis] - domain_.hi[axis],
                       axis, domain_.extent(axis)));
  auto const known = std::ranges::find_if(beyond_, [&](auto const& other) {
    return other.axis == axis && other.side == side;
  });
  if (known != beyond_.end())
    known->ghosts = hull(known->ghosts, read);
  else
    beyond_.insert(std::ranges::find_if(beyond_,
                                        [&](auto const& other) { return other.axis > axis; }),
                   {axis, side, read});
  add_from(axis - 1, mirrored);
}

template <int D>
std::vector<box<D>> needed_values<D>::received() const {
  std::vector<box<D>> boxes;
  for (auto const& [direction, zone] : zones_)
    if (direction != cell_index<D>{})
      boxes.push_back(zone);
  return boxes;
}

template <int D>
std::vector<owned_part<D>> owned_parts(Grid<D> const& grid, centering on, box<D> const& needed) {
  std::vector<owned_part<D>> parts;
  if (needed.is_empty())
    return parts;
  std::array<std::vector<axis_part>, static_cast<std::size_t>(D)> axes;
  box<D> numbers;
  for (int a = 0; a < D; ++a) {
    bool const wraps = grid.is_periodic(a);
    axes[a] = parts_on_axis(needed.lo[a], needed.hi[a], grid.cells()[a], grid.processes()[a], wraps,
                            on.is_low(a) && !wraps);
    numbers.hi[a] = std::ssize(axes[a]);
  }
  for_each_cell(numbers, [&](cell_index<D> const& number) {
    std::vector<int> coordinates;
    owned_part<D> part{};
    for (int a = 0; a < D; ++a) {
      axis_part const& along = axes[a][number[a]];
      coordinates.push_back(along.coordinate);
      part.needed.lo[a] = along.lo;
      part.needed.hi[a] = along.hi;
      part.owned.lo[a] = along.lo - along.image;
      part.owned.hi[a] = along.hi - along.image;
    }
    part.owner = grid.naming().rank(coordinates);
    parts.push_back(part);
  });
  return parts;
}

template <int D>
std::vector<int> ranks_within(Grid<D> const& grid, int rank, cell_index<D> const& reach) {
  auto const here = grid.naming().coordinates(rank);
  box<D> steps;
  for (int a = 0; a < D; ++a) {
    std::int64_t const processes = grid.processes()[a];
    std::int64_t const thinnest = std::max<std::int64_t>(1, grid.cells()[a] / processes);
    std::int64_t const most = std::min(processes - 1, (reach[a] + thinnest - 1) / thinnest + 1);
    steps.lo[a] = -most;
    steps.hi[a] = most + 1;
  }
  std::set<int> ranks;
  for_each_cell(steps, [&](cell_index<D> const& step) {
    std::vector<int> const relative(step.begin(), step.end());
    int const other = grid.naming().relative_rank(rank, relative);
    if (other != MPI_PROC_NULL)
      ranks.insert(other);
  });
  return {ranks.begin(), ranks.end()};
}

#define SEAM_FOR_DIMENSION(D)                                                                      \
  template class needed_values<D>;                                                                 \
  template std::vector<box<D>> cut_by_zones(box<D> const&, box<D> const&);                         \
  template box<D> mirror_image(Grid<D> const&, centering, border_ghosts<D> const&);                \
  template std::vector<owned_part<D>> owned_parts(Grid<D> const&, centering, box<D> const&);       \
  template std::vector<int> ranks_within(Grid<D> const&, int, cell_index<D> const&);
SEAM_FOR_DIMENSION(1)
SEAM_FOR_DIMENSION(2)
SEAM_FOR_DIMENSION(3)
#undef SEAM_FOR_DIMENSION

} // namespace seam::detail

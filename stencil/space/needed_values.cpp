#include <seam/stencil/space/needed_values.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/space/domain_images.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace seam::detail {
namespace {

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

} // namespace

std::vector<box3> cut_by_zones(box3 const& all, box3 const& block) {
  if (intersection(all, block) == all)
    return {all};
  std::vector<box3> parts;
  for_each_zone(all, block, [&](auto const&, box3 const& part) { parts.push_back(part); });
  return parts;
}

box3 mirror_image(grid_space const& grid, centering on, border_ghosts const& beyond) {
  int const a = beyond.axis;
  std::int64_t const sum = mirror_sum(grid, on, a, beyond.side);
  box3 mirrored = beyond.ghosts;
  mirrored.lo[a] = sum - (beyond.ghosts.hi[a] - 1);
  mirrored.hi[a] = sum - beyond.ghosts.lo[a] + 1;
  return mirrored;
}

box3 seen_from(grid_space const& grid, centering on, border_ghosts const& beyond,
               std::int64_t num_seen) {
  box3 const mirrored = mirror_image(grid, on, beyond);
  if (num_seen == 0)
    return mirrored;
  int const a = beyond.axis;
  box3 const domain = grid.domain(on);
  box3 near = mirrored;
  near.lo[a] = beyond.side == side::low ? domain.lo[a] : domain.hi[a] - num_seen;
  near.hi[a] = near.lo[a] + num_seen;
  return hull(mirrored, near);
}

void needed_values::add_from(int axis, box3 const& read, seen_values const& seen) {
  all_ = hull(all_, read);
  if (read.is_empty())
    return;
  if (axis < 0) {
    inside_ = hull(inside_, read);
    for_each_zone(read, owned_, [&](index3 const& direction, box3 const& part) {
      box3& zone = zones_[direction];
      zone = hull(zone, part);
    });
    return;
  }
  if (grid_.is_periodic(axis))
    return add_from(axis - 1, read, seen);
  auto const [below, within, above] = slices_of(read, axis, domain_.lo[axis], domain_.hi[axis]);
  add_from(axis - 1, within, seen);
  add_beyond(axis, side::low, below, seen);
  add_beyond(axis, side::high, above, seen);
}

void needed_values::add_beyond(int axis, seam::side side, box3 const& read,
                               seen_values const& seen) {
  if (read.is_empty())
    return;
  box3 const mirrored = mirror_image(grid_, on_, {axis, side, read});
  if (mirrored.lo[axis] < domain_.lo[axis] || mirrored.hi[axis] > domain_.hi[axis])
    refuse(fmt::format("steps: {} layers are read beyond a border of axis {}, which has {} "
                       "(expected at most as many as the axis has)",
                       side == side::low ? domain_.lo[axis] - read.lo[axis]
                                         : read.hi[axis] - domain_.hi[axis],
                       grid_.number_of(axis), domain_.extent(axis)));
  auto const known = std::ranges::find_if(beyond_, [&](auto const& other) {
    return other.axis == axis && other.side == side;
  });
  if (known != beyond_.end())
    known->ghosts = hull(known->ghosts, read);
  else
    beyond_.insert(std::ranges::find_if(beyond_,
                                        [&](auto const& other) { return other.axis > axis; }),
                   {axis, side, read});
  std::int64_t const num_seen = seen[axis][side == side::low ? 0 : 1];
  add_from(axis - 1, seen_from(grid_, on_, {axis, side, read}, num_seen), seen);
}

std::vector<box3> needed_values::received() const {
  std::vector<box3> boxes;
  for (auto const& [direction, zone] : zones_)
    if (direction != index3{})
      boxes.push_back(zone);
  return boxes;
}

std::vector<owned_part> owned_parts(grid_space const& grid, centering on, box3 const& needed) {
  std::vector<owned_part> parts;
  if (needed.is_empty())
    return parts;
  std::array<std::vector<axis_part>, 3> axes;
  box3 numbers;
  for (int a = 0; a < 3; ++a) {
    bool const wraps = grid.is_periodic(a);
    axes[a] = parts_on_axis(needed.lo[a], needed.hi[a], grid.cells()[a], grid.processes()[a], wraps,
                            grid.is_low(on, a) && !wraps);
    numbers.hi[a] = std::ssize(axes[a]);
  }
  for_each_cell(numbers, [&](index3 const& number) {
    std::vector<int> coordinates;
    owned_part part{};
    for (int a = 0; a < 3; ++a) {
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

std::vector<int> ranks_within(grid_space const& grid, int rank, index3 const& reach) {
  box3 steps;
  for (int a = 0; a < 3; ++a) {
    std::int64_t const processes = grid.processes()[a];
    std::int64_t const thinnest = std::max<std::int64_t>(1, grid.cells()[a] / processes);
    std::int64_t const most = std::min(processes - 1, (reach[a] + thinnest - 1) / thinnest + 1);
    steps.lo[a] = -most;
    steps.hi[a] = most + 1;
  }
  std::set<int> ranks;
  for_each_cell(steps, [&](index3 const& step) {
    std::vector<int> const relative(step.begin(), step.end());
    int const other = grid.naming().relative_rank(rank, relative);
    if (other != MPI_PROC_NULL)
      ranks.insert(other);
  });
  return {ranks.begin(), ranks.end()};
}

} // namespace seam::detail

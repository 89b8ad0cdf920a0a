#include <seam/stencil/space/halo_plan.hpp>

#include <seam/stencil/space/grid_space.hpp>
#include <seam/stencil/space/layout.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <limits>

namespace seam::detail {
namespace {

/// The ghosts on one side of a block, and the rim that it sends to the opposite block for the
/// ghosts on that side there.
struct transfer {
  index3 direction;
  box3 ghosts, rim;
};

int weight_of(region const& where) {
  return static_cast<int>(std::min<std::int64_t>(where.num_elements(),
                                                 std::numeric_limits<int>::max()));
}

/// Calls connect() for the edges of all transfers. A rim goes to the rank opposite to the side.
/// Ranks list the sides in the same order, so that the k-th edge between two ranks stands for the
/// same side at both ends.
///
/// @param connect  called with (other rank, cells, true if they arrive) for each edge
template <class Connect>
void for_each_edge(std::vector<transfer> const& transfers, grid_space const& grid,
                   Connect const& connect) {
  for (transfer const& slab : transfers) {
    std::vector<int> const direction(slab.direction.begin(), slab.direction.end());
    shift_ranks const opposite = grid.naming().relative_shift(grid.rank(), direction);
    if (opposite.out != MPI_PROC_NULL)
      connect(opposite.out, slab.ghosts, true);
    if (opposite.in != MPI_PROC_NULL)
      connect(opposite.in, slab.rim, false);
  }
}

halo_round round_of(std::vector<transfer> const& transfers, grid_space const& grid,
                    std::vector<ghost_side> const& sides) {
  auto const width = width_of(sides);
  box3 const local = grow(grid.owned(), width.below, width.above);
  std::vector<edge> sources, destinations;
  std::vector<region> sends, receives;
  std::vector<box3> arriving, leaving;
  for_each_edge(transfers, grid, [&](int other, box3 const& cells, bool arrives) {
    region const where = region_of(cells, local);
    (arrives ? receives : sends).push_back(where);
    (arrives ? sources : destinations).push_back({other, weight_of(where)});
    (arrives ? arriving : leaving).push_back(grid.relative(cells));
  });
  return {plan(Topology::graph(std::move(sources), std::move(destinations)),
               regions_of_edges(std::move(sends)), regions_of_edges(std::move(receives))),
          std::move(arriving), std::move(leaving)};
}

/// The axis to cut slabs across: the slowest one that they extend along by several layers.
int axis_to_cut(transfer const& slab) {
  for (int axis = 0; axis < 3; ++axis)
    if (slab.direction[axis] == 0 && slab.ghosts.extent(axis) > 1)
      return axis;
  return 0;
}

/// Part `k` of `count` of a box, cut across `axis`.
box3 part_of(box3 all, int axis, int k, int count) {
  std::int64_t const lo = all.lo[axis], extent = all.hi[axis] - lo;
  all.lo[axis] = lo + extent * k / count;
  all.hi[axis] = lo + extent * (k + 1) / count;
  return all;
}

/// Cuts slabs into parts. Ghosts and rims have the same extents, and so both ends of an edge have
/// the same parts.
std::vector<transfer> cut_slabs(std::vector<transfer> const& slabs, std::int64_t cells_of_part,
                                int most_parts) {
  std::vector<transfer> parts;
  for (transfer const& slab : slabs) {
    int const axis = axis_to_cut(slab);
    std::int64_t const layers = slab.direction[axis] == 0 ? slab.ghosts.extent(axis) : 1;
    auto const count = static_cast<int>(std::clamp<std::int64_t>(
        slab.ghosts.num_cells() / cells_of_part, 1, std::min<std::int64_t>(most_parts, layers)));
    for (int k = 0; k < count; ++k)
      parts.push_back({slab.direction, part_of(slab.ghosts, axis, k, count),
                       part_of(slab.rim, axis, k, count)});
  }
  return parts;
}

/// Whether ghosts at one end of an axis are copies of cells, not beyond a border of the domain.
bool has_neighbor(grid_space const& grid, int axis, int step) {
  std::array<int, 3> direction{};
  direction[axis] = step;
  return grid.naming().relative_rank(grid.rank(), direction) != MPI_PROC_NULL;
}

/// The slabs on both ends of one axis, and the round in which they travel.
struct axis_slabs {
  std::vector<ghost_side> ends;
  std::vector<ghost_width<3>> breadth; ///< [ends.size()] ghosts of earlier axes that they carry
  int round = 0;
  bool are_copies = false; ///< inside each process, as it has the axis to itself
};

/// Plans the slabs of one axis after the other.
class slab_planner {
public:
  slab_planner(std::vector<ghost_side> const& sides, grid_space const& grid)
      : sides_(sides), grid_(grid) {}

  /// Plans the axes that a process has to itself first: their ghosts are copied in round 0. Among
  /// each kind the fastest axis comes first, so that slabs across the slowest may be contiguous.
  std::vector<axis_slabs> plan() {
    for (bool alone : {true, false})
      for (int axis = 3; axis-- > 0;)
        if (is_alone(axis) == alone)
          add(axis);
    make_contiguous();
    return {slabs_.begin(), slabs_.end()};
  }

private:
  bool is_alone(int axis) const { return grid_.processes()[axis] == 1; }

  /// The first round that finds the ghosts of axis `b` in place.
  int round_behind(int b) const {
    bool const has_none = is_alone(b) && !grid_.is_periodic(b);
    return has_none ? 0 : slabs_[b].round + 1;
  }

  void add(int axis) {
    axis_slabs& slabs = slabs_[axis];
    slabs.are_copies = is_alone(axis);
    for (ghost_side const& side : sides_) {
      index3 along{};
      along[axis] = side.direction[axis];
      if (side.direction != along)
        continue;
      auto const reach = reach_around(side, axis);
      for (int const b : done_)
        if (reach.of(b) > 0 && !slabs.are_copies)
          slabs.round = std::max(slabs.round, round_behind(b));
      slabs.ends.push_back(side);
      slabs.breadth.push_back(of_axes_done(reach));
    }
    done_.push_back(axis);
  }

  /// The width needed around the corners of a slab: the depth of the sides in its direction.
  ghost_width<3> reach_around(ghost_side const& slab, int axis) const {
    std::vector<ghost_side> around;
    for (ghost_side const& side : sides_)
      if (side.direction[axis] == slab.direction[axis])
        around.push_back(side);
    return width_of(around);
  }

  /// `width` on the axes planned so far, at the ends where the ghosts are copies of cells.
  ghost_width<3> of_axes_done(ghost_width<3> const& width) const {
    ghost_width<3> kept;
    for (int const b : done_) {
      kept.below[b] = has_neighbor(grid_, b, -1) ? width.below[b] : 0;
      kept.above[b] = has_neighbor(grid_, b, 1) ? width.above[b] : 0;
    }
    return kept;
  }

  /// Makes slabs across the slowest axis as broad as the array: they are then contiguous and sent
  /// without packing. It is worth an own round where no other axis sends messages and slabs are large.
  /// (The other axes are then not cut, and all ranks decide alike.)
  void make_contiguous() {
    constexpr std::int64_t large = 512;
    int const slowest = grid_.first_axis();
    bool others_are_alone = true;
    std::int64_t cells_of_layer = 1;
    for (int axis = slowest + 1; axis < 3; ++axis) {
      others_are_alone = others_are_alone && is_alone(axis);
      cells_of_layer *= grid_.owned().extent(axis);
    }
    if (is_alone(slowest) || !others_are_alone || cells_of_layer < large)
      return;
    done_.pop_back(); // the slowest one
    for (int const b : done_)
      slabs_[slowest].round = std::max(slabs_[slowest].round, round_behind(b));
    std::ranges::fill(slabs_[slowest].breadth, of_axes_done(width_of(sides_)));
  }

  std::vector<ghost_side> const& sides_;
  grid_space const& grid_;
  std::vector<int> done_;
  std::array<axis_slabs, 3> slabs_;
};

/// Calls visit(part, back) for the parts of some ghosts that are in one image each of a block, which
/// goes on without end along some axes; `back` leads to the cells of which they are copies. Ghosts that
/// are deeper than the block lie in several images.
template <class Visit>
void for_each_image(box3 const& ghosts, box3 const& block, std::array<bool, 3> const& goes_on,
                    Visit const& visit) {
  box3 images{{}, {1, 1, 1}};
  for (int a = 0; a < 3; ++a)
    if (std::int64_t const n = block.extent(a); goes_on[a]) {
      images.lo[a] = floor_divide(ghosts.lo[a] - block.lo[a], n);
      images.hi[a] = floor_divide(ghosts.hi[a] - 1 - block.lo[a], n) + 1;
    }
  for_each_cell(images, [&](index3 const& image) {
    box3 part = ghosts;
    index3 back{};
    for (int a = 0; a < 3; ++a)
      if (goes_on[a]) {
        back[a] = -image[a] * block.extent(a);
        part.lo[a] = std::max(part.lo[a], block.lo[a] - back[a]);
        part.hi[a] = std::min(part.hi[a], block.hi[a] - back[a]);
      }
    visit(part, back);
  });
}

} // namespace

halo_round make_direct_halo(grid_space const& grid, std::vector<ghost_side> const& sides) {
  box3 const block = grid.owned();
  std::vector<transfer> transfers;
  for (ghost_side const& side : sides) {
    std::array<bool, 3> is_copied{};
    for (int a = 0; a < 3; ++a)
      is_copied[a] = side.direction[a] != 0 && grid.processes()[a] == 1;
    for_each_image(ghosts_at(block, side), block, is_copied,
                   [&](box3 const& part, index3 const& back) {
                     box3 rim = rim_for(block, side);
                     for (int a = 0; a < 3; ++a)
                       if (is_copied[a]) {
                         rim.lo[a] = part.lo[a] + back[a];
                         rim.hi[a] = part.hi[a] + back[a];
                       }
                     transfers.push_back({side.direction, part, rim});
                   });
  }
  return round_of(transfers, grid, sides);
}

std::vector<plan> plans_of(std::vector<halo_round> const& rounds) {
  std::vector<plan> plans;
  for (halo_round const& round : rounds)
    plans.push_back(round.what);
  return plans;
}

std::vector<box3> boxes_of(std::vector<halo_round> const& rounds,
                           std::vector<box3> halo_round::*end) {
  std::vector<box3> boxes;
  for (halo_round const& round : rounds)
    std::ranges::copy(round.*end, std::back_inserter(boxes));
  return boxes;
}

namespace {

/// Ghosts that are copies of the own cells of `block`, which lies opposite itself, in parts that
/// need no ghosts of other axes: corners too are copied from owned cells.
std::vector<transfer> copies_of_owned(box3 const& ghosts, box3 const& block) {
  std::vector<transfer> copies;
  for_each_zone(ghosts, block, [&](index3 const& direction, box3 const& zone) {
    std::array<bool, 3> is_copied{};
    for (int a = 0; a < 3; ++a)
      is_copied[a] = direction[a] != 0;
    for_each_image(zone, block, is_copied, [&](box3 const& part, index3 const& back) {
      copies.push_back({direction, part, shift(part, back)});
    });
  });
  return copies;
}

/// The transfers of one axis. Copies of opposite sides stand side by side.
std::vector<transfer> transfers_of(axis_slabs const& slabs, box3 const& block) {
  std::vector<transfer> transfers;
  for (int s = 0; s < std::ssize(slabs.ends); ++s) {
    auto const broad = [&](box3 const& slab) {
      return grow(slab, slabs.breadth[s].below, slabs.breadth[s].above);
    };
    ghost_side const& end = slabs.ends[s];
    box3 const ghosts = broad(ghosts_at(block, end));
    if (!slabs.are_copies)
      transfers.push_back({end.direction, ghosts, broad(rim_for(block, end))});
    else
      std::ranges::copy(copies_of_owned(ghosts, block), std::back_inserter(transfers));
  }
  if (slabs.are_copies)
    std::ranges::stable_sort(transfers, {}, [](transfer copied) {
      for (auto& step : copied.direction)
        step = std::abs(step);
      return copied.direction;
    });
  return transfers;
}

/// The transfers of each round.
std::vector<std::vector<transfer>> transfers_in_rounds(grid_space const& grid,
                                                       std::vector<ghost_side> const& sides) {
  std::vector<std::vector<transfer>> rounds(1);
  for (axis_slabs const& slabs : slab_planner(sides, grid).plan()) {
    int const round = slabs.round;
    rounds.resize(std::max<std::ptrdiff_t>(std::ssize(rounds), round + 1));
    std::ranges::copy(transfers_of(slabs, grid.owned()), std::back_inserter(rounds[round]));
  }
  return rounds;
}

} // namespace

std::vector<halo_round> make_halo_parts(grid_space const& grid,
                                        std::vector<ghost_side> const& sides,
                                        std::int64_t cells_of_part, int most_parts) {
  std::vector<halo_round> rounds;
  for (auto const& slabs : transfers_in_rounds(grid, sides))
    rounds.push_back(round_of(cut_slabs(slabs, cells_of_part, most_parts), grid, sides));
  return rounds;
}

} // namespace seam::detail

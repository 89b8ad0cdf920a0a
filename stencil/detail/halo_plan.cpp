#include <seam/stencil/detail/halo_plan.hpp>

#include <seam/stencil/layout.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <limits>

namespace seam::detail {
namespace {

/// The ghosts on one side of a block, and the rim that it sends to the opposite block for the
/// ghosts on that side there.
template <int D>
struct transfer {
  cell_index<D> direction;
  box<D> ghosts, rim;
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
template <int D, class Connect>
void for_each_edge(std::vector<transfer<D>> const& transfers, CartesianNaming const& naming,
                   int rank, Connect const& connect) {
  for (transfer<D> const& slab : transfers) {
    std::vector<int> const direction(slab.direction.begin(), slab.direction.end());
    shift_ranks const opposite = naming.relative_shift(rank, direction);
    if (opposite.out != MPI_PROC_NULL)
      connect(opposite.out, slab.ghosts, true);
    if (opposite.in != MPI_PROC_NULL)
      connect(opposite.in, slab.rim, false);
  }
}

template <int D>
halo_round<D> round_of(std::vector<transfer<D>> const& transfers, CartesianNaming const& naming,
                       int rank, box<D> const& block, box<D> const& local) {
  std::vector<edge> sources, destinations;
  std::vector<region> sends, receives;
  std::vector<box<D>> arriving, leaving;
  cell_index<D> to_relative = block.lo;
  for (auto& step : to_relative)
    step = -step;
  for_each_edge(transfers, naming, rank, [&](int other, box<D> const& cells, bool arrives) {
    region const where = region_of(cells, local);
    (arrives ? receives : sends).push_back(where);
    (arrives ? sources : destinations).push_back({other, weight_of(where)});
    (arrives ? arriving : leaving).push_back(shift(cells, to_relative));
  });
  return {plan(Topology::graph(std::move(sources), std::move(destinations)),
               regions_of_edges(std::move(sends)), regions_of_edges(std::move(receives))),
          std::move(arriving), std::move(leaving)};
}

/// The axis to cut slabs across: the slowest one that they extend along.
template <int D>
int axis_to_cut(transfer<D> const& slab) {
  for (int axis = 0; axis < D; ++axis)
    if (slab.direction[axis] == 0)
      return axis;
  return 0;
}

/// Part `k` of `count` of a box, cut across `axis`.
template <int D>
box<D> part_of(box<D> all, int axis, int k, int count) {
  std::int64_t const lo = all.lo[axis], extent = all.hi[axis] - lo;
  all.lo[axis] = lo + extent * k / count;
  all.hi[axis] = lo + extent * (k + 1) / count;
  return all;
}

/// Cuts slabs into parts. Ghosts and rims have the same extents, and so both ends of an edge have
/// the same parts.
template <int D>
std::vector<transfer<D>> cut_slabs(std::vector<transfer<D>> const& slabs,
                                   std::int64_t cells_of_part, int most_parts) {
  std::vector<transfer<D>> parts;
  for (transfer<D> const& slab : slabs) {
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

template <int D>
box<D> with_ghosts(box<D> const& block, std::vector<ghost_side<D>> const& sides) {
  auto const width = width_of<D>(sides);
  return grow(block, width.below, width.above);
}

/// Whether ghosts at one end of an axis are copies of cells, not beyond a border of the domain.
bool has_neighbor(CartesianNaming const& naming, int rank, int axis, int step) {
  std::vector<int> direction(naming.num_dimensions());
  direction[axis] = step;
  return naming.relative_rank(rank, direction) != MPI_PROC_NULL;
}

/// The slabs on both ends of one axis, and the round in which they travel.
template <int D>
struct axis_slabs {
  std::vector<ghost_side<D>> ends;
  std::vector<ghost_width<D>> breadth; ///< [ends.size()] ghosts of earlier axes that they carry
  int round = 0;
  bool are_copies = false; ///< inside each process, as it has the axis to itself
};

/// Plans the slabs of one axis after the other.
template <int D>
class slab_planner {
public:
  slab_planner(std::vector<ghost_side<D>> const& sides, CartesianNaming const& naming, int rank,
               box<D> const& block)
      : sides_(sides), naming_(naming), rank_(rank), block_(block) {}

  /// Plans the axes that a process has to itself first: their ghosts are copied in round 0. Among
  /// each kind the fastest axis comes first, so that slabs across the slowest may be contiguous.
  std::vector<axis_slabs<D>> plan() {
    for (bool alone : {true, false})
      for (int axis = D; axis-- > 0;)
        if (is_alone(axis) == alone)
          add(axis);
    make_contiguous();
    return {slabs_.begin(), slabs_.end()};
  }

private:
  bool is_alone(int axis) const { return naming_.order()[axis] == 1; }

  /// The first round that finds the ghosts of axis `b` in place.
  int round_behind(int b) const {
    bool const has_none = is_alone(b) && !naming_.periodic()[b];
    return has_none ? 0 : slabs_[b].round + 1;
  }

  void add(int axis) {
    axis_slabs<D>& slabs = slabs_[axis];
    slabs.are_copies = is_alone(axis);
    for (ghost_side<D> const& side : sides_) {
      cell_index<D> along{};
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
  ghost_width<D> reach_around(ghost_side<D> const& slab, int axis) const {
    std::vector<ghost_side<D>> around;
    for (ghost_side<D> const& side : sides_)
      if (side.direction[axis] == slab.direction[axis])
        around.push_back(side);
    return width_of<D>(around);
  }

  /// `width` on the axes planned so far, at the ends where the ghosts are copies of cells.
  ghost_width<D> of_axes_done(ghost_width<D> const& width) const {
    ghost_width<D> kept;
    for (int const b : done_) {
      kept.below[b] = has_neighbor(naming_, rank_, b, -1) ? width.below[b] : 0;
      kept.above[b] = has_neighbor(naming_, rank_, b, 1) ? width.above[b] : 0;
    }
    return kept;
  }

  /// Makes slabs across axis 0 as broad as the array: they are then contiguous and sent without
  /// packing. It is worth an own round where no other axis sends messages and slabs are large. (The
  /// other axes are then not cut, and all ranks decide alike.)
  void make_contiguous() {
    constexpr std::int64_t large = 512;
    auto const others = naming_.order().subspan(1);
    std::int64_t cells_of_layer = 1;
    for (int axis = 1; axis < D; ++axis)
      cells_of_layer *= block_.extent(axis);
    if (naming_.order()[0] == 1 || std::ranges::any_of(others, [](int n) { return n > 1; }) ||
        cells_of_layer < large)
      return;
    done_.pop_back(); // axis 0, the last one
    for (int const b : done_)
      slabs_[0].round = std::max(slabs_[0].round, round_behind(b));
    std::ranges::fill(slabs_[0].breadth, of_axes_done(width_of<D>(sides_)));
  }

  std::vector<ghost_side<D>> const& sides_;
  CartesianNaming const& naming_;
  int rank_;
  box<D> const& block_;
  std::vector<int> done_;
  std::array<axis_slabs<D>, static_cast<std::size_t>(D)> slabs_;
};

} // namespace

template <int D>
halo_round<D> make_direct_halo(CartesianNaming const& naming, int rank, box<D> const& block,
                               std::vector<ghost_side<D>> const& sides) {
  std::vector<transfer<D>> transfers;
  for (ghost_side<D> const& side : sides)
    transfers.push_back({side.direction, ghosts_at(block, side), rim_for(block, side)});
  return round_of(transfers, naming, rank, block, with_ghosts(block, sides));
}

template <int D>
std::vector<plan> plans_of(std::vector<halo_round<D>> const& rounds) {
  std::vector<plan> plans;
  for (halo_round<D> const& round : rounds)
    plans.push_back(round.what);
  return plans;
}

template <int D>
std::vector<box<D>> boxes_of(std::vector<halo_round<D>> const& rounds,
                             std::vector<box<D>> halo_round<D>::*end) {
  std::vector<box<D>> boxes;
  for (halo_round<D> const& round : rounds)
    std::ranges::copy(round.*end, std::back_inserter(boxes));
  return boxes;
}

namespace {

/// The cells of `cells` on the side of `block` in `direction`; where it is 0, cells within the
/// block's range of that axis.
template <int D>
box<D> part_towards(cell_index<D> const& direction, box<D> cells, box<D> const& block) {
  for (int a = 0; a < D; ++a) {
    if (direction[a] >= 0)
      cells.lo[a] = std::max(cells.lo[a], direction[a] > 0 ? block.hi[a] : block.lo[a]);
    if (direction[a] <= 0)
      cells.hi[a] = std::min(cells.hi[a], direction[a] < 0 ? block.lo[a] : block.hi[a]);
  }
  return cells;
}

/// Ghosts that are copies of the own cells of `block`, which lies opposite itself, in parts that
/// need no ghosts of other axes: corners too are copied from owned cells.
template <int D>
std::vector<transfer<D>> copies_of_owned(box<D> const& ghosts, box<D> const& block) {
  std::vector<transfer<D>> copies;
  box<D> directions;
  directions.lo.fill(-1);
  directions.hi.fill(2);
  for_each_cell(directions, [&](cell_index<D> const& direction) {
    box<D> const part = part_towards<D>(direction, ghosts, block);
    cell_index<D> back{};
    for (int a = 0; a < D; ++a)
      back[a] = -direction[a] * block.extent(a);
    if (!part.is_empty())
      copies.push_back({direction, part, shift(part, back)});
  });
  return copies;
}

/// The transfers of one axis. Copies of opposite sides stand side by side.
template <int D>
std::vector<transfer<D>> transfers_of(axis_slabs<D> const& slabs, box<D> const& block) {
  std::vector<transfer<D>> transfers;
  for (int s = 0; s < std::ssize(slabs.ends); ++s) {
    auto const broad = [&](box<D> const& slab) {
      return grow(slab, slabs.breadth[s].below, slabs.breadth[s].above);
    };
    ghost_side<D> const& end = slabs.ends[s];
    box<D> const ghosts = broad(ghosts_at(block, end));
    if (!slabs.are_copies)
      transfers.push_back({end.direction, ghosts, broad(rim_for(block, end))});
    else
      std::ranges::copy(copies_of_owned<D>(ghosts, block), std::back_inserter(transfers));
  }
  if (slabs.are_copies)
    std::ranges::stable_sort(transfers, {}, [](transfer<D> copied) {
      for (auto& step : copied.direction)
        step = std::abs(step);
      return copied.direction;
    });
  return transfers;
}

/// The transfers of each round.
template <int D>
std::vector<std::vector<transfer<D>>> transfers_in_rounds(CartesianNaming const& naming, int rank,
                                                          box<D> const& block,
                                                          std::vector<ghost_side<D>> const& sides) {
  std::vector<std::vector<transfer<D>>> rounds(1);
  for (axis_slabs<D> const& slabs : slab_planner<D>(sides, naming, rank, block).plan()) {
    int const round = slabs.round;
    rounds.resize(std::max<std::ptrdiff_t>(std::ssize(rounds), round + 1));
    std::ranges::copy(transfers_of<D>(slabs, block), std::back_inserter(rounds[round]));
  }
  return rounds;
}

} // namespace

template <int D>
std::vector<halo_round<D>> make_halo_parts(CartesianNaming const& naming, int rank,
                                           box<D> const& block,
                                           std::vector<ghost_side<D>> const& sides,
                                           std::int64_t cells_of_part, int most_parts) {
  std::vector<halo_round<D>> rounds;
  for (auto const& slabs : transfers_in_rounds(naming, rank, block, sides))
    rounds.push_back(round_of(cut_slabs(slabs, cells_of_part, most_parts), naming, rank, block,
                              with_ghosts(block, sides)));
  return rounds;
}

#define SEAM_FOR_DIMENSION(D)                                                                      \
  template halo_round<D> make_direct_halo(CartesianNaming const&, int, box<D> const&,              \
                                          std::vector<ghost_side<D>> const&);                      \
  template std::vector<halo_round<D>> make_halo_parts(CartesianNaming const&, int, box<D> const&,  \
                                                      std::vector<ghost_side<D>> const&,           \
                                                      std::int64_t, int);                          \
  template std::vector<plan> plans_of(std::vector<halo_round<D>> const&);                          \
  template std::vector<box<D>> boxes_of(std::vector<halo_round<D>> const&,                         \
                                        std::vector<box<D>> halo_round<D>::*);
SEAM_FOR_DIMENSION(1)
SEAM_FOR_DIMENSION(2)
SEAM_FOR_DIMENSION(3)
#undef SEAM_FOR_DIMENSION

} // namespace seam::detail

#include <seam/stencil/halo_plan.hpp>

#include <seam/stencil/layout.hpp>

#include <algorithm>
#include <limits>

namespace seam {
namespace {

/// The ghosts on one side of a block and, for the block that lies opposite, what it gives for its
/// own ghosts on that side.
template <int D>
struct transfer {
  cell_index<D> direction;
  box<D> ghosts, rim;
};

int weight_of(region const& where) {
  return static_cast<int>(std::min<std::int64_t>(where.num_elements(),
                                                 std::numeric_limits<int>::max()));
}

/// An owner finds the rank that it serves opposite to the side. Ranks list the sides in the same
/// order, so that the k-th edge between two ranks is about the same side for both.
template <int D>
plan plan_of(std::vector<transfer<D>> const& transfers, CartesianNaming const& naming, int rank,
             box<D> const& local) {
  std::vector<edge> sources, destinations;
  std::vector<region> sends, receives;
  auto const connect = [&](int other, box<D> const& cells, std::vector<edge>& edges,
                           std::vector<region>& regions) {
    if (other == MPI_PROC_NULL)
      return;
    regions.push_back(region_of(cells, local));
    edges.push_back({other, weight_of(regions.back())});
  };
  for (transfer<D> const& one : transfers) {
    std::vector<int> const direction(one.direction.begin(), one.direction.end());
    shift_ranks const opposite = naming.relative_shift(rank, direction);
    connect(opposite.out, one.ghosts, sources, receives);
    connect(opposite.in, one.rim, destinations, sends);
  }
  return {Topology::graph(std::move(sources), std::move(destinations)),
          regions_of_edges(std::move(sends)), regions_of_edges(std::move(receives))};
}

template <int D>
box<D> with_ghosts(box<D> const& block, std::vector<ghost_side<D>> const& sides) {
  auto const width = width_of<D>(sides);
  return grow(block, width.below, width.above);
}

/// How much broader a slab must be than the block so that it carries what `sides` need around a
/// corner: the depth, on the axes after the slab's, of the sides that lie in its direction too.
template <int D>
ghost_width<D> breadth_of(ghost_side<D> const& slab, int axis,
                          std::vector<ghost_side<D>> const& sides) {
  auto const across = static_cast<std::size_t>(axis);
  std::vector<ghost_side<D>> around;
  for (ghost_side<D> side : sides)
    if (side.direction[across] == slab.direction[across]) {
      std::fill_n(side.depth.begin(), across + 1, 0);
      around.push_back(side);
    }
  return width_of<D>(around);
}

/// The slabs on both ends of one axis, and the round in which they travel.
template <int D>
struct axis_slabs {
  std::vector<ghost_side<D>> ends;
  std::vector<ghost_width<D>> breadth; ///< [ends.size()]
  int round = 0;
};

template <int D>
axis_slabs<D> slabs_on(int axis, std::vector<ghost_side<D>> const& sides) {
  axis_slabs<D> slabs;
  for (ghost_side<D> const& side : sides) {
    cell_index<D> along{};
    along[static_cast<std::size_t>(axis)] = side.direction[static_cast<std::size_t>(axis)];
    if (side.direction == along) {
      slabs.ends.push_back(side);
      slabs.breadth.push_back(breadth_of(side, axis, sides));
    }
  }
  return slabs;
}

template <int D>
bool reaches_along(axis_slabs<D> const& slabs, std::size_t axis) {
  return std::ranges::any_of(slabs.breadth, [=](ghost_width<D> const& breadth) {
    return breadth.below[axis] > 0 || breadth.above[axis] > 0;
  });
}

/// The slabs of every axis. One that carries ghosts waits for their round.
template <int D>
std::vector<axis_slabs<D>> slabs_of(std::vector<ghost_side<D>> const& sides) {
  std::vector<axis_slabs<D>> all(static_cast<std::size_t>(D));
  for (std::size_t axis = all.size(); axis-- > 0;) {
    all[axis] = slabs_on<D>(static_cast<int>(axis), sides);
    for (std::size_t b = axis + 1; b < all.size(); ++b)
      if (reaches_along(all[axis], b))
        all[axis].round = std::max(all[axis].round, all[b].round + 1);
  }
  return all;
}

/// Slabs across axis 0 that are as broad as the array are contiguous and travel without being
/// packed. Where no other axis sends messages, that is worth a round of its own.
template <int D>
void make_contiguous(std::vector<axis_slabs<D>>& all, CartesianNaming const& naming,
                     ghost_width<D> width) {
  auto const others = naming.order().subspan(1);
  if (naming.order()[0] == 1 || std::ranges::any_of(others, [](int n) { return n > 1; }))
    return;
  for (std::size_t b = 1; b < all.size(); ++b)
    all[0].round = std::max(all[0].round, all[b].round + 1);
  width.below[0] = width.above[0] = 0;
  std::ranges::fill(all[0].breadth, width);
}

} // namespace

template <int D>
plan make_halo_plan(CartesianNaming const& naming, int rank, box<D> const& block,
                    std::vector<ghost_side<D>> const& sides) {
  std::vector<transfer<D>> transfers;
  for (ghost_side<D> const& side : sides)
    transfers.push_back({side.direction, ghosts_at(block, side), rim_for(block, side)});
  return plan_of(transfers, naming, rank, with_ghosts(block, sides));
}

template <int D>
std::vector<plan> make_halo_rounds(CartesianNaming const& naming, int rank, box<D> const& block,
                                   std::vector<ghost_side<D>> const& sides) {
  auto all = slabs_of(sides);
  make_contiguous(all, naming, width_of<D>(sides));
  std::vector<std::vector<transfer<D>>> rounds(1);
  for (axis_slabs<D> const& slabs : all)
    rounds.resize(std::max(rounds.size(), static_cast<std::size_t>(slabs.round) + 1));
  for (axis_slabs<D> const& slabs : all)
    for (std::size_t s = 0; s < slabs.ends.size(); ++s) {
      auto const broad = [&](box<D> const& slab) {
        return grow(slab, slabs.breadth[s].below, slabs.breadth[s].above);
      };
      ghost_side<D> const& end = slabs.ends[s];
      rounds[static_cast<std::size_t>(slabs.round)].push_back(
          {end.direction, broad(ghosts_at(block, end)), broad(rim_for(block, end))});
    }
  std::vector<plan> plans;
  for (auto const& transfers : rounds)
    plans.push_back(plan_of(transfers, naming, rank, with_ghosts(block, sides)));
  return plans;
}

#define SEAM_FOR_DIMENSION(D)                                                                      \
  template plan make_halo_plan(CartesianNaming const&, int, box<D> const&,                         \
                               std::vector<ghost_side<D>> const&);                                 \
  template std::vector<plan> make_halo_rounds(CartesianNaming const&, int, box<D> const&,          \
                                              std::vector<ghost_side<D>> const&);
SEAM_FOR_DIMENSION(1)
SEAM_FOR_DIMENSION(2)
SEAM_FOR_DIMENSION(3)
#undef SEAM_FOR_DIMENSION

} // namespace seam

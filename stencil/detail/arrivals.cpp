#include <seam/stencil/detail/arrivals.hpp>

#include <seam/exchange/ground/error.hpp>

namespace seam::detail {
namespace {

/// `cells` cut across one axis so that it holds all of `owned` and none of `ghosts`; the axis is
/// the one that costs the fewest cells.
template <int D>
box<D> without(box<D> const& cells, box<D> const& ghosts, box<D> const& owned) {
  box<D> largest;
  auto const keep_larger = [&](box<D> const& part) {
    if (part.num_cells() > largest.num_cells())
      largest = part;
  };
  for (std::size_t a = 0; a < cells.lo.size(); ++a) {
    box<D> below = cells, above = cells;
    below.hi[a] = std::min(cells.hi[a], ghosts.lo[a]);
    above.lo[a] = std::max(cells.lo[a], ghosts.hi[a]);
    if (owned.hi[a] <= ghosts.lo[a])
      keep_larger(below);
    if (ghosts.hi[a] <= owned.lo[a])
      keep_larger(above);
  }
  SEAM_ASSERT(intersection(largest, owned) == owned, "ghosts that are owned");
  return largest;
}

} // namespace

template <int D>
halo_arrivals<D>::halo_arrivals(std::vector<halo_round<D>> const& rounds, int rank) {
  bool follows_message = false;
  for (halo_round<D> const& round : rounds) {
    auto const sources = round.what.topology().sources();
    bool const has_message =
        std::ranges::any_of(sources, [&](edge const& from) { return from.rank != rank; });
    for (std::size_t e = 0; e < sources.size(); ++e) {
      bool const is_awaited = follows_message || sources[e].rank != rank;
      if (!is_awaited)
        copies_.push_back(static_cast<int>(edges_.size()));
      edges_.push_back({round.sources[e], is_awaited});
    }
    follows_message = follows_message || has_message;
  }
}

template <int D>
box<D> halo_arrivals<D>::at_hand(box<D> const& owned, ghost_width<D> const& ghosts) const {
  box<D> cells = grow(owned, ghosts.below, ghosts.above);
  for (halo_arrival<D> const& arrival : edges_)
    if (arrival.is_awaited && !intersection(cells, arrival.ghosts).is_empty())
      cells = without(cells, arrival.ghosts, owned);
  return cells;
}

template <int D>
void halo_arrivals<D>::await_copies(in_flight& exchange) const {
  for (int const copy : copies_)
    await_arrival(exchange, copy);
}

template class halo_arrivals<1>;
template class halo_arrivals<2>;
template class halo_arrivals<3>;

} // namespace seam::detail

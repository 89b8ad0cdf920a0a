#include <seam/stencil/detail/sweep_chain.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

template <int D>
bool overlap(box<D> const& first, box<D> const& second) {
  return !intersection(first, second).is_empty();
}

} // namespace

template <int D>
sweep_chain<D>::sweep_chain(std::vector<box<D>> const& tiles, ghost_width<D> const& reach,
                            std::vector<halo_round<D>> const& parts,
                            halo_arrivals<D> const& arrivals, std::vector<box<D>> const& late)
    : leaving_(boxes_of(parts, &halo_round<D>::destinations)), num_tiles_(leaving_.size()) {
  for (box<D> const& tile : tiles)
    link(tile, grow(tile, reach.below, reach.above), arrivals, late);
  rim_taken_ = std::vector<std::atomic<bool>>(rim_.size());
}

template <int D>
void sweep_chain<D>::link(box<D> const& cells, box<D> const& read, halo_arrivals<D> const& arrivals,
                          std::vector<box<D>> const& late) {
  auto const end = [&] { return static_cast<int>(edges_.size()); };
  linked_tile tile{cells, {end(), 0}, {}, false};
  for (int e = 0; e < std::ssize(arrivals.edges()); ++e)
    if (auto const& arrival = arrivals.edges()[e];
        arrival.is_awaited && overlap(arrival.ghosts, read))
      edges_.push_back(e);
  tile.arrivals.end = tile.gates.begin = end();
  for (int gate = 0; gate < std::ssize(leaving_); ++gate)
    if (auto const g = static_cast<std::size_t>(gate); overlap(leaving_[g], cells)) {
      edges_.push_back(gate);
      ++num_tiles_[g];
    }
  tile.gates.end = end();
  tile.reads_late =
      std::ranges::any_of(late, [&](auto const& part) { return overlap(part, read); });
  bool const is_rim = tile.arrivals.size() > 0 || tile.reads_late;
  (is_rim ? rim_ : interior_).push_back(tile);
}

template <int D>
void sweep_chain<D>::reset() {
  for (auto& taken : rim_taken_)
    taken.store(false, std::memory_order_relaxed);
  rim_left_.store(static_cast<int>(rim_.size()));
  next_interior_.store(0);
  late_.store(late_state::missing);
}

template <int D>
std::span<int const> sweep_chain<D>::edges_of(range entries) const {
  return std::span(edges_).subspan(static_cast<std::size_t>(entries.begin),
                                   static_cast<std::size_t>(entries.size()));
}

template <int D>
bool sweep_chain<D>::has_arrived(linked_tile const& tile, in_flight& arriving) const {
  return std::ranges::all_of(edges_of(tile.arrivals), [&](int e) { return arriving.arrived(e); });
}

template <int D>
auto sweep_chain<D>::take_interior() -> linked_tile const* {
  if (next_interior_.load(std::memory_order_relaxed) >= std::ssize(interior_))
    return nullptr;
  auto const taken = next_interior_.fetch_add(1, std::memory_order_relaxed);
  return taken < std::ssize(interior_) ? &interior_[taken] : nullptr;
}

template class sweep_chain<1>;
template class sweep_chain<2>;
template class sweep_chain<3>;

} // namespace seam::detail

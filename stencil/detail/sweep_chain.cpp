#include <seam/stencil/detail/sweep_chain.hpp>

#include <algorithm>

namespace seam {
namespace {

template <int D>
bool overlap(box<D> const& first, box<D> const& second) {
  return !intersection(first, second).is_empty();
}

template <int D>
std::size_t num_destinations(std::vector<halo_round<D>> const& parts) {
  std::size_t count = 0;
  for (halo_round<D> const& round : parts)
    count += round.destinations.size();
  return count;
}

} // namespace

template <int D>
sweep_chain<D>::sweep_chain(std::vector<box<D>> const& tiles, ghost_width<D> const& reach,
                            std::vector<halo_round<D>> const& parts,
                            halo_arrivals<D> const& arrivals, std::vector<box<D>> const& late)
    : tiles_of_gate_(num_destinations(parts)), gates_left_(tiles_of_gate_.size()) {
  for (box<D> const& tile : tiles)
    link(tile, grow(tile, reach.below, reach.above), parts, arrivals, late);
  rim_taken_ = std::vector<std::atomic<bool>>(rim_.size());
}

template <int D>
void sweep_chain<D>::link(box<D> const& cells, box<D> const& read,
                          std::vector<halo_round<D>> const& parts, halo_arrivals<D> const& arrivals,
                          std::vector<box<D>> const& late) {
  auto const end = [&] { return static_cast<int>(edges_.size()); };
  linked_tile tile{cells, {end(), 0}, {}, false};
  for (int e = 0; e < std::ssize(arrivals.edges()); ++e)
    if (auto const& arrival = arrivals.edges()[static_cast<std::size_t>(e)];
        arrival.is_awaited && overlap(arrival.ghosts, read))
      edges_.push_back(e);
  tile.arrivals.end = tile.gates.begin = end();
  int gate = 0;
  for (halo_round<D> const& round : parts)
    for (box<D> const& leaving : round.destinations) {
      if (overlap(leaving, cells)) {
        edges_.push_back(gate);
        ++tiles_of_gate_[static_cast<std::size_t>(gate)];
      }
      ++gate;
    }
  tile.gates.end = end();
  tile.reads_late =
      std::ranges::any_of(late, [&](auto const& part) { return overlap(part, read); });
  bool const is_rim = tile.arrivals.size() > 0 || tile.reads_late;
  (is_rim ? rim_ : interior_).push_back(tile);
}

template <int D>
void sweep_chain<D>::reset(in_flight* leaving) {
  for (std::size_t g = 0; g < tiles_of_gate_.size(); ++g) {
    gates_left_[g].store(tiles_of_gate_[g], std::memory_order_relaxed);
    if (tiles_of_gate_[g] == 0 && leaving != nullptr) // the edge sends only ghosts
      leaving->open(static_cast<int>(g));
  }
  for (auto& taken : rim_taken_)
    taken.store(false, std::memory_order_relaxed);
  rim_left_.store(static_cast<int>(rim_.size()));
  next_interior_.store(0);
  late_.store(late_state::missing);
}

template <int D>
void sweep_chain<D>::open_gates(linked_tile const& tile, in_flight& leaving) {
  for (int e = tile.gates.begin; e < tile.gates.end; ++e) {
    int const gate = edges_[static_cast<std::size_t>(e)];
    if (gates_left_[static_cast<std::size_t>(gate)].fetch_sub(1, std::memory_order_acq_rel) == 1)
      leaving.open(gate);
  }
}

template <int D>
bool sweep_chain<D>::has_arrived(linked_tile const& tile, in_flight& arriving) const {
  for (int e = tile.arrivals.begin; e < tile.arrivals.end; ++e)
    if (!arriving.arrived(edges_[static_cast<std::size_t>(e)]))
      return false;
  return true;
}

template <int D>
auto sweep_chain<D>::take_interior() -> linked_tile const* {
  if (next_interior_.load(std::memory_order_relaxed) >= std::ssize(interior_))
    return nullptr;
  auto const taken = next_interior_.fetch_add(1, std::memory_order_relaxed);
  return taken < std::ssize(interior_) ? &interior_[static_cast<std::size_t>(taken)] : nullptr;
}

template class sweep_chain<1>;
template class sweep_chain<2>;
template class sweep_chain<3>;

} // namespace seam

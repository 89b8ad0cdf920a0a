#include <seam/stencil/sweep_chain.hpp>

#include <algorithm>

namespace seam {
namespace {

template <int D>
bool meet(box<D> const& one, box<D> const& other) {
  return !intersection(one, other).is_empty();
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
sweep_chain<D>::sweep_chain(sweep_tiles<D> const& tiles, ghost_width<D> const& reach,
                            std::vector<halo_round<D>> const& parts,
                            std::vector<box<D>> const& late)
    : tiles_of_gate_(num_destinations(parts)),
      gates_left_(tiles_of_gate_.size()),
      rim_taken_(tiles.rim.size()) {
  for (box<D> const& tile : tiles.rim)
    link(tile, true, reach, parts, late);
  for (box<D> const& tile : tiles.interior)
    link(tile, false, reach, parts, late);
}

template <int D>
void sweep_chain<D>::link(box<D> const& cells, bool is_rim, ghost_width<D> const& reach,
                          std::vector<halo_round<D>> const& parts,
                          std::vector<box<D>> const& late) {
  box<D> const read = grow(cells, reach.below, reach.above);
  auto const enlist = [&](auto member, box<D> const& with) {
    range found{static_cast<int>(edges_.size()), 0};
    int number = 0;
    for (halo_round<D> const& round : parts)
      for (box<D> const& edge : round.*member) {
        if (meet(edge, with))
          edges_.push_back(number);
        ++number;
      }
    found.end = static_cast<int>(edges_.size());
    return found;
  };
  linked_tile tile{cells, {}, {}, false};
  if (is_rim) {
    tile.arrivals = enlist(&halo_round<D>::sources, read);
    tile.reads_late = std::ranges::any_of(late, [&](auto const& part) { return meet(part, read); });
  }
  tile.gates = enlist(&halo_round<D>::destinations, cells);
  for (int e = tile.gates.begin; e < tile.gates.end; ++e)
    ++tiles_of_gate_[static_cast<std::size_t>(edges_[static_cast<std::size_t>(e)])];
  (is_rim ? rim_ : interior_).push_back(tile);
}

template <int D>
void sweep_chain<D>::reset(in_flight* leaving) {
  for (std::size_t g = 0; g < tiles_of_gate_.size(); ++g) {
    gates_left_[g].store(tiles_of_gate_[g], std::memory_order_relaxed);
    if (tiles_of_gate_[g] == 0 && leaving != nullptr) // it sends ghosts alone
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
  auto const mine = next_interior_.fetch_add(1, std::memory_order_relaxed);
  return mine < std::ssize(interior_) ? &interior_[static_cast<std::size_t>(mine)] : nullptr;
}

template class sweep_chain<1>;
template class sweep_chain<2>;
template class sweep_chain<3>;

} // namespace seam

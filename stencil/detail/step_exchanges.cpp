#include <seam/stencil/detail/step_exchanges.hpp>

#include <seam/stencil/detail/step_tiles.hpp>
#include <seam/stencil/layout.hpp>

#include <algorithm>

namespace seam::detail {

template <int D>
std::vector<box<D>> const& step_exchanges<D>::regions_of(int rank) {
  auto const [place, is_new] = rank2regions_.try_emplace(rank);
  if (is_new)
    place->second = flow_.regions(rank);
  return place->second;
}

/// A bound of the distance between a block and what its rank needs. The same on all ranks.
template <int D>
cell_index<D> step_exchanges<D>::reach() const {
  std::map<int, cell_index<D>> segment2sum;
  cell_index<D> most{};
  for (step_instance const& instance : flow_.instances()) {
    auto const width =
        reach_of<D>(flow_.program().kernels[static_cast<std::size_t>(instance.kernel)]);
    cell_index<D>& sum = segment2sum[instance.segment];
    for (std::size_t a = 0; a < most.size(); ++a) {
      sum[a] += width.of(static_cast<int>(a)) + 1;
      most[a] = std::max(most[a], sum[a] + 2);
    }
  }
  return most;
}

template <int D>
auto step_exchanges<D>::needed_by(int receiver, step_moment const& moment) -> parts_by_owner {
  parts_by_owner owners2parts;
  int number = 0;
  for (int const s : moment.supplies) {
    step_supply const& supply = flow_.supplies()[static_cast<std::size_t>(s)];
    auto const& field = flow_.layout(supply.array);
    bool const is_uniform = flow_.is_uniform(supply);
    std::vector<box<D>> needed;
    for (int c = 0; c < field.options.components; ++c, ++number) {
      if (c == 0 || !is_uniform)
        needed = flow_.needed(receiver, regions_of(receiver), supply, c).received();
      for (box<D> const& zone : needed)
        for (owned_part<D> const& part : owned_parts<D>(field.grid, field.options.on, zone))
          owners2parts[part.owner].emplace_back(number, part);
    }
  }
  return owners2parts;
}

template <int D>
auto step_exchanges<D>::numbers_of(step_moment const& moment) const -> std::vector<supplied> {
  std::vector<supplied> all;
  for (std::size_t place = 0; place < moment.supplies.size(); ++place) {
    int const array = flow_.supplies()[static_cast<std::size_t>(moment.supplies[place])].array;
    for (int c = 0; c < flow_.layout(array).options.components; ++c)
      all.push_back({static_cast<int>(place), array, c});
  }
  return all;
}

/// A box of a component in its array's memory.
template <int D>
array_region step_exchanges<D>::region_at(supplied const& which, box<D> const& global) const {
  auto const& field = flow_.layout(which.array);
  region where = region_of(shift(global, negative<D>(field.grid.owned().lo)), field.local());
  where.offset += which.component * field.local().num_cells();
  return array_region{which.place, where};
}

template <int D>
std::vector<exchanged_array> step_exchanges<D>::arrays_of(step_moment const& moment) const {
  std::vector<exchanged_array> arrays;
  for (int const s : moment.supplies) {
    int const number = flow_.supplies()[static_cast<std::size_t>(s)].array;
    auto const& field = flow_.layout(number);
    exchanged_array array;
    array.data = arrays_[static_cast<std::size_t>(number)].memory.get();
    array.element_bytes = field.element_bytes;
    array.name = field.name;
    arrays.push_back(array);
  }
  return arrays;
}

template <int D>
kept_exchange& step_exchanges<D>::of(step_moment const& moment) {
  if (auto const found = kept_.find(moment.key); found != kept_.end())
    return *found->second;
  int const me = over_.rank();
  auto const numbers = numbers_of(moment);
  std::vector<edge> sources, destinations;
  std::vector<std::vector<array_region>> sends, receives;
  std::vector<int> source_ranks, destination_ranks;
  for (int const other : ranks_within<D>(flow_.layout(0).grid, me, reach())) {
    if (other == me)
      continue;
    parts_by_owner parts = needed_by(other, moment);
    if (parts[me].empty())
      continue;
    destinations.push_back({other});
    destination_ranks.push_back(other);
    sends.emplace_back();
    for (auto const& [number, part] : parts[me])
      sends.back().push_back(region_at(numbers[static_cast<std::size_t>(number)], part.owned));
  }
  for (auto const& [owner, parts] : needed_by(me, moment)) {
    if (owner == me)
      continue;
    sources.push_back({owner});
    source_ranks.push_back(owner);
    receives.emplace_back();
    for (auto const& [number, part] : parts)
      receives.back().push_back(region_at(numbers[static_cast<std::size_t>(number)], part.needed));
  }
  operation made = make_exchange(over_, Topology::graph(sources, destinations), sends, receives,
                                 arrays_of(moment));
  auto& kept = kept_[moment.key];
  kept = std::make_unique<kept_exchange>(kept_exchange{std::move(made), std::nullopt, source_ranks,
                                                       destination_ranks});
  return *kept;
}

template class step_exchanges<1>;
template class step_exchanges<2>;
template class step_exchanges<3>;

} // namespace seam::detail

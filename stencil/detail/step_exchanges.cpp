#include <seam/stencil/detail/step_exchanges.hpp>

#include <seam/stencil/detail/step_tiles.hpp>
#include <seam/stencil/layout.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

std::vector<edge> edges_to(std::vector<int> const& ranks) {
  std::vector<edge> edges;
  for (int const rank : ranks)
    edges.push_back({rank});
  return edges;
}

} // namespace

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
    auto const& kernel = flow_.program().kernels[instance.kernel];
    if (kernel.order.is_on && instance.pass > 0)
      continue; // of other blocks
    auto const width = reach_of<D>(kernel);
    cell_index<D>& sum = segment2sum[instance.segment];
    for (int a = 0; a < D; ++a) {
      sum[a] += width.of(a) + 1;
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
    step_supply const& supply = flow_.supplies()[s];
    auto const& field = flow_.layout(supply.array);
    bool const is_uniform = flow_.is_uniform(supply.array, supply.readers);
    std::vector<box<D>> needed;
    for (int c = 0; c < field.options.components; ++c, ++number) {
      if (c == 0 || !is_uniform)
        needed = flow_.needed(receiver, regions_of(receiver), supply.array, supply.readers, c)
                     .received();
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
  for (int place = 0; place < std::ssize(moment.supplies); ++place) {
    int const array = flow_.supplies()[moment.supplies[place]].array;
    for (int c = 0; c < flow_.layout(array).options.components; ++c)
      all.push_back({place, array, c});
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
    int const number = flow_.supplies()[s].array;
    auto const& field = flow_.layout(number);
    exchanged_array array;
    array.data = arrays_[number].memory.get();
    array.element_bytes = field.element_bytes;
    array.name = field.name;
    arrays.push_back(array);
  }
  return arrays;
}

/// The messages to other ranks in a moment.
template <int D>
auto step_exchanges<D>::leaving(step_moment const& moment) -> edges_with_regions {
  auto const numbers = numbers_of(moment);
  int const me = over_.rank();
  edges_with_regions found;
  for (int const other : ranks_within<D>(flow_.layout(0).grid, me, reach())) {
    if (other == me)
      continue;
    auto const parts = needed_of(me, other, moment);
    if (parts.empty())
      continue;
    found.ranks.push_back(other);
    found.regions.emplace_back();
    for (auto const& [number, part] : parts)
      found.regions.back().push_back(region_at(numbers[number], part.owned));
  }
  return found;
}

/// The messages from other ranks in a moment.
template <int D>
auto step_exchanges<D>::arriving(step_moment const& moment) -> edges_with_regions {
  auto const numbers = numbers_of(moment);
  edges_with_regions found;
  for (auto const& [owner, parts] : needed_by(over_.rank(), moment)) {
    if (owner == over_.rank())
      continue;
    found.ranks.push_back(owner);
    found.regions.emplace_back();
    for (auto const& [number, part] : parts)
      found.regions.back().push_back(region_at(numbers[number], part.needed));
  }
  return found;
}

template <int D>
kept_exchange& step_exchanges<D>::of(step_moment const& moment) {
  if (auto const found = kept_.find(moment.key); found != kept_.end())
    return *found->second;
  auto const out = leaving(moment), in = arriving(moment);
  operation made = make_exchange(over_, Topology::graph(edges_to(in.ranks), edges_to(out.ranks)),
                                 out.regions, in.regions, arrays_of(moment));
  auto& kept = kept_[moment.key];
  kept = std::make_unique<kept_exchange>(kept_exchange{std::move(made), std::nullopt, in.ranks,
                                                       out.ranks});
  return *kept;
}

template class step_exchanges<1>;
template class step_exchanges<2>;
template class step_exchanges<3>;

} // namespace seam::detail

#include <seam/stencil/detail/step_exchanges.hpp>

#include <seam/stencil/detail/step_tiles.hpp>

#include <algorithm>

namespace seam::detail {
std::vector<box3> const& step_exchanges::regions_of(int rank) {
  auto const [place, is_new] = rank2regions_.try_emplace(rank);
  if (is_new)
    place->second = flow_.regions(rank);
  return place->second;
}

/// A bound of the distance between a block and what its rank needs. The same on all ranks.
index3 step_exchanges::reach() const {
  std::map<int, index3> segment2sum;
  index3 most{};
  for (step_instance const& instance : flow_.instances()) {
    auto const& kernel = flow_.program().kernels[instance.kernel];
    if (kernel.order.is_on && instance.pass > 0)
      continue; // of other blocks
    auto const width = reach_of(kernel);
    index3& sum = segment2sum[instance.segment];
    for (int a = 0; a < 3; ++a) {
      sum[a] += width.of(a) + 1;
      most[a] = std::max(most[a], sum[a] + 2);
    }
  }
  return most;
}

owners2parts step_exchanges::needed_by(int receiver, step_moment const& moment) {
  owners2parts parts;
  int number = 0;
  for (int const s : moment.supplies) {
    step_supply const& supply = flow_.supplies()[s];
    auto const& field = flow_.layout(supply.array);
    bool const is_uniform = flow_.is_uniform(supply.array, supply.readers);
    std::vector<box3> needed;
    for (int c = 0; c < field.options.components; ++c, ++number) {
      if (c == 0 || !is_uniform)
        needed = flow_.needed(receiver, regions_of(receiver), supply.array, supply.readers, c)
                     .received();
      for (box3 const& zone : needed)
        add_parts(parts, *field.space, field.options.on, zone, number);
    }
  }
  return parts;
}

auto step_exchanges::numbers_of(step_moment const& moment) const -> std::vector<supplied> {
  std::vector<supplied> all;
  for (int place = 0; place < std::ssize(moment.supplies); ++place) {
    int const array = flow_.supplies()[moment.supplies[place]].array;
    for (int c = 0; c < flow_.layout(array).options.components; ++c)
      all.push_back({place, array, c});
  }
  return all;
}

std::vector<exchanged_array> step_exchanges::arrays_of(step_moment const& moment) const {
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

/// The messages between this rank and others in a moment.
ghost_messages step_exchanges::messages(step_moment const& moment) {
  auto const numbers = numbers_of(moment);
  return messages_of(
      *flow_.layout(0).space, reach(),
      [&](int receiver) {
        owners2parts parts = needed_by(receiver, moment);
        parts.erase(receiver); // they are copied
        return parts;
      },
      [&](int number, box3 const& global) {
        auto const [place, array, component] = numbers[number];
        return array_region{place, flow_.layout(array).region_of(component, global)};
      });
}

kept_exchange& step_exchanges::of(step_moment const& moment) {
  if (auto const found = kept_.find(moment.key); found != kept_.end())
    return *found->second;
  auto const [leaving, arriving] = messages(moment);
  operation made = make_exchange(over_, Topology::graph(arriving.edges(), leaving.edges()),
                                 leaving.regions, arriving.regions, arrays_of(moment));
  auto& kept = kept_[moment.key];
  kept = std::make_unique<kept_exchange>(kept_exchange{std::move(made), std::nullopt,
                                                       arriving.ranks, leaving.ranks});
  return *kept;
}

} // namespace seam::detail

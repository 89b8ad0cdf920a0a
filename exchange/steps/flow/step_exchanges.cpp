#include <seam/exchange/steps/flow/step_exchanges.hpp>

#include <algorithm>

namespace seam::detail {

message_ends ends_of(ranks2parts const& parts, step_region travelling_part::*end,
                     std::vector<numbered_component> const& numbers) {
  message_ends ends;
  for (auto const& [rank, its] : parts) {
    ends.ranks.push_back(rank);
    ends.regions.emplace_back();
    for (travelling_part const& part : its) {
      auto const& [place, layout, component] = numbers[part.number];
      for (region const& where : layout->regions_of(component, part.*end))
        ends.regions.back().push_back({place, where});
    }
  }
  return ends;
}

computed_regions const& step_exchanges::regions_of(int rank) {
  auto const [place, is_new] = rank2regions_.try_emplace(rank);
  if (is_new)
    place->second = flow_.regions(rank);
  return place->second;
}

/// The parts that `receiver` needs of a moment's supplies, numbered with their components.
std::vector<asked_part> step_exchanges::needed_by(int receiver, step_moment const& moment) {
  std::vector<asked_part> asked;
  int number = 0;
  for (int const s : moment.supplies) {
    step_supply const& supply = flow_.supplies()[s];
    auto const& field = flow_.layout(supply.array);
    bool const is_uniform = flow_.is_uniform(supply.array, supply.readers);
    std::vector<step_region> needed;
    for (int c = 0; c < field.components; ++c, ++number) {
      if (c == 0 || !is_uniform)
        needed = changed_of(
            supply,
            flow_.needed(receiver, regions_of(receiver), supply.array, supply.readers, c).received);
      for (step_region const& part : needed)
        asked.push_back({number, &field, part});
    }
  }
  return asked;
}

/// Those of the copies that this rank's readers of a supply need which owners have changed since they came.
std::vector<step_region> step_exchanges::changed_of(step_supply const& supply,
                                                    std::vector<step_region> needed) {
  bool const are_lists = std::ranges::all_of(needed, &step_region::is_list);
  if (!are_lists)
    return needed;
  step_region all = list_of({});
  for (step_region const& part : needed)
    all = hull(all, part);
  kept_.needed.emplace(supply.key, all);
  if (supply.since.empty())
    return needed;
  step_region stale = supply.was_there ? list_of({}) : all;
  for (copy_event const& event : supply.since)
    if (event.brought.empty()) {
      auto const& kernel = flow_.program().kernels[event.kernel];
      stale = hull(stale, intersection(all, kernel.space->changed(kernel, event.pass)));
    } else {
      stale = difference(stale, intersection(stale, kept_.needed.at(event.brought))).front();
    }
  return stale.is_empty() ? std::vector<step_region>() : std::vector{stale};
}

std::vector<numbered_component> step_exchanges::numbers_of(step_moment const& moment) const {
  std::vector<numbered_component> all;
  for (int place = 0; place < std::ssize(moment.supplies); ++place) {
    step_field const& layout = flow_.layout(flow_.supplies()[moment.supplies[place]].array);
    for (int c = 0; c < layout.components; ++c)
      all.push_back({place, &layout, c});
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

/// Makes the operation that carries the parts of other ranks; own ones are copied.
void step_exchanges::prepare(kept_exchange& made, step_moment const& moment) {
  auto const numbers = numbers_of(moment);
  ranks2parts others = made.partners.arriving;
  others.erase(over_.rank());
  auto const leaving = ends_of(made.partners.leaving, &travelling_part::owned, numbers);
  auto const arriving = ends_of(others, &travelling_part::needed, numbers);
  made.sources = arriving.ranks;
  made.destinations = leaving.ranks;
  made.prepared = make_exchange(over_, Topology::graph(arriving.edges(), leaving.edges()),
                                leaving.regions, arriving.regions, arrays_of(moment));
}

kept_exchange& step_exchanges::of(step_moment const& moment) {
  if (auto const found = kept_.by_moment.find(moment.key); found != kept_.by_moment.end())
    return *found->second;
  auto made = std::make_unique<kept_exchange>();
  made->partners = flow_.layout(0).over().partners(flow_, [&](int receiver) {
    return needed_by(receiver, moment);
  });
  if (over_.size() > 1)
    prepare(*made, moment);
  return *(kept_.by_moment[moment.key] = std::move(made));
}

} // namespace seam::detail

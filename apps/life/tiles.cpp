#include "tiles.hpp"

#include <algorithm>

namespace life {
namespace {

// Tiles of a region on each axis: few of them have neighbors on other ranks.
constexpr std::int64_t side_of_region = 4;

/// Mixes the bits of a number, as the generator SplitMix64 does.
constexpr std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
  number = (number ^ number >> 27) * 0x94d049bb133111eb;
  return number ^ number >> 31;
}

constexpr std::uint64_t mixed(tile_index const& at) {
  constexpr std::uint64_t step = 0x9e3779b97f4a7c15;
  return mixed(mixed(static_cast<std::uint64_t>(at.row) + step) +
               static_cast<std::uint64_t>(at.column) * step);
}

/// Calls visit(row, column) for the eight directions.
template <class Visit>
void for_each_direction(Visit const& visit) {
  for (int row = -1; row <= 1; ++row)
    for (int column = -1; column <= 1; ++column)
      if (row != 0 || column != 0)
        visit(row, column);
}

/// True if nothing lives in a tile, or lived a turn ago, nor in what faces it, and others know it.
bool is_empty(tile const& of) {
  zones around = of.state;
  for (tile_reader const& reader : of.readers)
    around |= reader.told;
  for_each_direction([&](int row, int column) {
    around |= facing(of.around(row, column).state, -row, -column);
  });
  return around == 0;
}

} // namespace

std::size_t tile_map::hash::operator()(tile_index const& at) const noexcept { return mixed(at); }

int tile_map::owner_of(tile_index const& at) const {
  tile_index const region{quotient(at.row, side_of_region), quotient(at.column, side_of_region)};
  return static_cast<int>(mixed(region) % static_cast<std::uint64_t>(num_ranks_));
}

tile* tile_map::find(tile_index const& where) const {
  auto const found = tiles_.find(where);
  return found == tiles_.end() ? nullptr : found->second.get();
}

tile& tile_map::at(tile_index const& where) {
  if (tile* const found = find(where))
    return *found;
  tile& added = *tiles_.emplace(where, std::make_unique<tile>()).first->second;
  added.at = where;
  added.is_own = owner_of(where) == rank_;
  if (added.is_own)
    add_readers(added);
  connect(added);
  all_.push_back(&added);
  return added;
}

void tile_map::add_readers(tile& own) const {
  for_each_direction([&](int row, int column) {
    int const rank = owner_of(beside(own.at, row, column));
    if (rank == rank_)
      return;
    auto reader = std::ranges::find(own.readers, rank, &tile_reader::rank);
    if (reader == own.readers.end())
      reader = own.readers.insert(reader, {rank, 0});
    reader->asked |= (zone_changed | zone_alive) << number_of_zone(row, column);
  });
}

void tile_map::connect(tile& added) {
  added.neighbors[number_of_zone(0, 0)] = &added;
  for_each_direction([&](int row, int column) {
    tile* const beside_it = find(beside(added.at, row, column));
    added.neighbors[number_of_zone(row, column)] = beside_it ? beside_it : dead_.get();
    if (beside_it)
      beside_it->neighbors[number_of_zone(-row, -column)] = &added;
  });
}

void tile_map::disconnect(tile const& forgotten) {
  for_each_direction([&](int row, int column) {
    tile* const beside_it = forgotten.neighbors[number_of_zone(row, column)];
    if (beside_it != dead_.get())
      beside_it->neighbors[number_of_zone(-row, -column)] = dead_.get();
  });
}

void tile_map::surround() {
  for (std::size_t k = 0, num_tiles = all_.size(); k < num_tiles; ++k) {
    tile const& of = *all_[k];
    if (of.state == 0)
      continue;
    for_each_direction([&](int row, int column) {
      tile_index const there = beside(of.at, row, column);
      if (facing(of.state, row, column) != 0 && &of.around(row, column) == dead_.get() &&
          owner_of(there) == rank_)
        at(there);
    });
  }
}

void tile_map::forget_empty() {
  auto const first =
      std::partition(all_.begin(), all_.end(), [](tile const* of) { return !is_empty(*of); });
  for (auto forgotten = first; forgotten != all_.end(); ++forgotten) {
    disconnect(**forgotten);
    tiles_.erase((*forgotten)->at);
  }
  all_.erase(first, all_.end());
}

} // namespace life

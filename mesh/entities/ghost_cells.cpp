#include <seam/mesh/entities/mesh_parts.hpp>

#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/mesh/shapes/shape.hpp>

#include <set>
#include <tuple>

namespace seam::detail {
namespace {

/// A rank that has, or asks for, cells at a key.
struct rank_at_key {
  entity_key key;
  std::int64_t rank;

  auto operator<=>(rank_at_key const&) const = default;
};

/// Calls act(key) for each entity of dimension `through` of a cell.
template <class Act>
void each_key(element_list const& cells, std::int64_t cell, int through, Act act) {
  auto const vertices = vertices_of(cells, cell);
  for (shape_part const& part : parts_of(cells.shapes[cell], through)) {
    std::array<global_id, 4> ids{};
    auto const positions = part.positions();
    std::ranges::transform(positions, ids.begin(), [&](auto at) { return vertices[at]; });
    act(key_of(std::span(ids).first(positions.size())));
  }
}

std::vector<entity_key> keys_of(element_list const& cells, int through) {
  std::vector<entity_key> keys;
  for (local_id c = 0; c < cells.num_elements(); ++c)
    each_key(cells, c, through, [&](entity_key const& key) { keys.push_back(key); });
  keep_distinct(keys);
  return keys;
}

/// Finds the other ranks that have cells at the keys of own cells, by key. Ranks find each other at
/// the homes of their keys.
/// Collective: over `over`.
std::vector<rank_at_key> find_sharers(Communicator const& over, std::span<entity_key const> keys,
                                      home_of_ids const& home) {
  std::vector<int> homes;
  for (entity_key const& key : keys)
    homes.push_back(home(key[0]));
  auto const met = send_records<entity_key>(over, keys, homes);
  std::vector<rank_at_key> all;
  for (std::int64_t i = 0; i < std::ssize(met.records); ++i)
    all.push_back({met.records[i], met.senders[i]});
  std::ranges::sort(all);
  std::vector<rank_at_key> announcements;
  std::vector<int> ranks;
  for (auto begin = all.begin(); begin != all.end();) {
    auto const end = std::find_if(begin, all.end(), [&](rank_at_key const& entry) {
      return entry.key != begin->key;
    });
    for (auto receiver = begin; receiver != end; ++receiver)
      for (auto other = begin; other != end; ++other)
        if (receiver != other) {
          announcements.push_back(*other);
          ranks.push_back(static_cast<int>(receiver->rank));
        }
    begin = end;
  }
  auto sharers = send_records<rank_at_key>(over, announcements, ranks).records;
  std::ranges::sort(sharers);
  return sharers;
}

/// Sends own cells to the ranks that ask for cells at their keys.
/// Collective: over `over`.
/// @param asked  sorted
received_elements send_cells_at(Communicator const& over, element_list const& own, int through,
                                std::span<rank_at_key const> asked) {
  std::vector<std::int64_t> cells;
  std::vector<int> ranks, takers;
  for (local_id c = 0; c < own.num_elements(); ++c) {
    takers.clear();
    each_key(own, c, through, [&](entity_key const& key) {
      for (auto const& asker : those_with<rank_at_key>(key, asked, &rank_at_key::key))
        takers.push_back(static_cast<int>(asker.rank));
    });
    keep_distinct(takers);
    cells.insert(cells.end(), takers.size(), c);
    ranks.insert(ranks.end(), takers.begin(), takers.end());
  }
  return send_elements(over, own, cells, ranks);
}

/// The cells that are not in `known` yet; adds them to it.
received_elements keep_new(received_elements const& arrived, std::set<global_id>& known) {
  received_elements fresh;
  for (local_id c = 0; c < arrived.list.num_elements(); ++c)
    if (known.insert(arrived.list.ids[c]).second) {
      append(fresh.list, arrived.list, c);
      fresh.senders.push_back(arrived.senders[c]);
    }
  return fresh;
}

/// The questions to this rank when all ranks ask for the cells around their last `layer`. A
/// question goes to the owner of a cell of the layer, which passes it on to the ranks that share
/// the cell's keys.
/// Collective: over `over`.
std::vector<rank_at_key> ask_for_layer(Communicator const& over, element_list const& own,
                                       int through, std::span<rank_at_key const> sharers,
                                       received_elements const& layer) {
  auto const asked = send_records<global_id>(over, layer.list.ids, layer.senders);
  std::vector<rank_at_key> passed_on;
  std::vector<int> ranks;
  for (std::int64_t i = 0; i < std::ssize(asked.records); ++i) {
    rank_at_key question{.key = {}, .rank = asked.senders[i]};
    auto const cell = std::ranges::lower_bound(own.ids, asked.records[i]) - own.ids.begin();
    each_key(own, cell, through, [&](entity_key const& key) {
      question.key = key;
      passed_on.push_back(question);
      ranks.push_back(over.rank());
      for (auto const& sharer : those_with<rank_at_key>(key, sharers, &rank_at_key::key))
        if (sharer.rank != question.rank) {
          passed_on.push_back(question);
          ranks.push_back(static_cast<int>(sharer.rank));
        }
    });
  }
  auto questions = send_records<rank_at_key>(over, passed_on, ranks).records;
  keep_distinct(questions);
  return questions;
}

/// Adds a layer of cells to the others.
void add_layer(received_elements& all, received_elements const& layer) {
  for (local_id c = 0; c < layer.list.num_elements(); ++c) {
    append(all.list, layer.list, c);
    all.senders.push_back(layer.senders[c]);
  }
}

/// All cells by ascending owner and id.
received_elements sorted_by_owner(received_elements const& all) {
  auto const order = order_by(std::ssize(all.senders), [&](std::int64_t c) {
    return std::tuple(all.senders[c], all.list.ids[c]);
  });
  received_elements sorted;
  for (std::int64_t const c : order) {
    append(sorted.list, all.list, c);
    sorted.senders.push_back(all.senders[c]);
  }
  return sorted;
}

} // namespace

received_elements find_ghost_cells(Communicator const& over, element_list const& own,
                                   ghost_layers const& layers, global_id largest_vertex) {
  received_elements all;
  if (layers.depth == 0)
    return all;
  int const through = layers.through;
  auto const sharers =
      find_sharers(over, keys_of(own, through), home_of_ids(over.size(), largest_vertex));
  std::set<global_id> known;
  auto asked = sharers;
  for (int layer = 1;; ++layer) {
    auto const fresh = keep_new(send_cells_at(over, own, through, asked), known);
    add_layer(all, fresh);
    if (layer == layers.depth)
      return sorted_by_owner(all);
    asked = ask_for_layer(over, own, through, sharers, fresh);
  }
}

} // namespace seam::detail

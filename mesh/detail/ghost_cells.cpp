#include <seam/mesh/detail/ghost_cells.hpp>

#include <seam/mesh/detail/rendezvous.hpp>
#include <seam/mesh/shape_parts.hpp>

#include <set>
#include <tuple>

namespace seam::detail {
namespace {

/// A cell and its owner, at a key that it has.
struct cell_at_key {
  entity_key key;
  global_id cell;
  std::int64_t owner;

  auto operator<=>(cell_at_key const&) const = default;
};

/// A rank wants to know the cells at a key.
struct search {
  entity_key key;
  std::int64_t rank;

  auto operator<=>(search const&) const = default;
};

struct cell_and_owner {
  global_id cell;
  std::int64_t owner;

  auto operator<=>(cell_and_owner const&) const = default;
};

template <class T>
void keep_distinct(std::vector<T>& values) {
  std::ranges::sort(values);
  auto const rest = std::ranges::unique(values);
  values.erase(rest.begin(), rest.end());
}

/// Calls act(key, cell) for each entity of dimension `through` of each cell.
template <class Act>
void each_key(element_list const& cells, int through, Act act) {
  std::vector<global_id> ids;
  for (std::size_t c = 0; c < cells.ids.size(); ++c) {
    auto const vertices = vertices_of(cells, c);
    for (shape_part const& part : parts_of(cells.shapes[c], through)) {
      ids.clear();
      for (auto const position : part.positions())
        ids.push_back(vertices[position]);
      act(key_of(ids), cells.ids[c]);
    }
  }
}

/// Sends records with keys to the keys' homes. Collective: over `over`.
template <class Record>
std::vector<Record> bring_home(Communicator const& over, std::vector<Record> const& records,
                               home_of_ids const& home) {
  std::vector<int> homes;
  for (Record const& one : records)
    homes.push_back(home(one.key[0]));
  auto met = send_records<Record>(over, records, homes).records;
  std::ranges::sort(met);
  return met;
}

/// The cells of all ranks at the keys whose home this rank is, by key. Collective: over `over`.
std::vector<cell_at_key> make_directory(Communicator const& over, element_list const& own,
                                        int through, home_of_ids const& home) {
  std::vector<cell_at_key> records;
  each_key(own, through, [&](entity_key const& key, global_id cell) {
    records.push_back({key, cell, over.rank()});
  });
  return bring_home(over, records, home);
}

/// Those who have a cell at a key want to know all others there.
std::vector<search> searches_of_owners(std::vector<cell_at_key> const& directory) {
  std::vector<search> searches;
  for (cell_at_key const& one : directory)
    searches.push_back({one.key, one.owner});
  keep_distinct(searches);
  return searches;
}

/// The keys of `cells` as searches of this rank. Collective: over `over`.
std::vector<search> searches_from(Communicator const& over, element_list const& cells, int through,
                                  home_of_ids const& home) {
  std::vector<search> searches;
  each_key(cells, through, [&](entity_key const& key, global_id) {
    searches.push_back({key, over.rank()});
  });
  keep_distinct(searches);
  return bring_home(over, searches, home);
}

/// The cells of others that each searcher gets to know, each once. Collective: over `over`.
std::vector<cell_and_owner> find(Communicator const& over,
                                 std::vector<cell_at_key> const& directory,
                                 std::vector<search> const& searches) {
  std::vector<cell_and_owner> found;
  std::vector<int> searchers;
  for (search const& one : searches)
    for (auto const& at : std::ranges::equal_range(directory, one.key, {}, &cell_at_key::key))
      if (at.owner != one.rank) {
        found.push_back({at.cell, at.owner});
        searchers.push_back(static_cast<int>(one.rank));
      }
  auto known = send_records<cell_and_owner>(over, found, searchers).records;
  keep_distinct(known);
  return known;
}

/// Gets `wanted` from their owners. Collective: over `over`.
received_elements fetch(Communicator const& over, element_list const& own,
                        std::vector<cell_and_owner> const& wanted) {
  std::vector<global_id> ids;
  std::vector<int> owners;
  for (cell_and_owner const& one : wanted) {
    ids.push_back(one.cell);
    owners.push_back(static_cast<int>(one.owner));
  }
  auto const asked = send_records<global_id>(over, ids, owners);
  std::vector<std::size_t> places;
  for (global_id const id : asked.records)
    places.push_back(
        static_cast<std::size_t>(std::ranges::lower_bound(own.ids, id) - own.ids.begin()));
  return send_elements(over, own, places, asked.senders);
}

/// Adds a layer of cells to the others.
void add(received_elements& all, received_elements const& layer) {
  for (std::size_t c = 0; c < layer.list.ids.size(); ++c) {
    append(all.list, layer.list.shapes[c], layer.list.ids[c], layer.list.tags[c],
           vertices_of(layer.list, c));
    all.senders.push_back(layer.senders[c]);
  }
}

/// All cells by ascending owner and id.
received_elements in_order(received_elements const& all) {
  std::vector<std::size_t> order(all.senders.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {},
                    [&](std::size_t c) { return std::tuple(all.senders[c], all.list.ids[c]); });
  received_elements sorted;
  for (std::size_t const c : order) {
    append(sorted.list, all.list.shapes[c], all.list.ids[c], all.list.tags[c],
           vertices_of(all.list, c));
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
  home_of_ids const home(over.size(), largest_vertex);
  auto const directory = make_directory(over, own, layers.through, home);
  std::set<global_id> known;
  auto searches = searches_of_owners(directory);
  for (int layer = 1;; ++layer) {
    auto wanted = find(over, directory, searches);
    std::erase_if(wanted,
                  [&](cell_and_owner const& one) { return !known.insert(one.cell).second; });
    received_elements const arrived = fetch(over, own, wanted);
    add(all, arrived);
    if (layer == layers.depth)
      return in_order(all);
    searches = searches_from(over, arrived.list, layers.through, home);
  }
}

} // namespace seam::detail

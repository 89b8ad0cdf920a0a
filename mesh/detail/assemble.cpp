#include <seam/exchange/agreement.hpp>
#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/collective.hpp>
#include <seam/mesh/detail/derive.hpp>
#include <seam/mesh/detail/entity_names.hpp>
#include <seam/mesh/detail/ghost_cells.hpp>
#include <seam/mesh/detail/mesh_parts.hpp>
#include <seam/mesh/detail/rendezvous.hpp>

#include <fmt/format.h>

#include <tuple>

namespace seam::detail {
namespace {

/// The cells of a rank by ascending id.
element_list sorted_by_id(element_list const& cells) {
  std::vector<std::size_t> order(cells.ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t c) { return cells.ids[c]; });
  element_list sorted;
  for (std::size_t const c : order)
    append(sorted, cells.shapes[c], cells.ids[c], cells.tags[c], vertices_of(cells, c));
  return sorted;
}

/// Collective: over `over`.
global_id largest_vertex_of(Communicator const& over, mesh_input const& input) {
  global_id largest = 0;
  for (auto const* ids : {&input.vertex_ids, &input.cells.vertices})
    for (global_id const id : *ids)
      largest = std::max(largest, id);
  return mpi::allreduce(over.context(), largest, MPI_MAX);
}

std::vector<global_id> vertices_of_all(element_list const& own, element_list const& ghosts) {
  std::vector<global_id> ids = own.vertices;
  ids.insert(ids.end(), ghosts.vertices.begin(), ghosts.vertices.end());
  std::ranges::sort(ids);
  auto const rest = std::ranges::unique(ids);
  ids.erase(rest.begin(), rest.end());
  return ids;
}

/// Adds cells, whose vertices are positions in `vertex_ids`.
void add_cells(mesh_entities& to, element_list const& cells,
               std::span<global_id const> vertex_ids) {
  to.ids.insert(to.ids.end(), cells.ids.begin(), cells.ids.end());
  to.shapes.insert(to.shapes.end(), cells.shapes.begin(), cells.shapes.end());
  to.tags.insert(to.tags.end(), cells.tags.begin(), cells.tags.end());
  for (std::size_t c = 0; c < cells.ids.size(); ++c) {
    for (global_id const id : vertices_of(cells, c)) {
      auto const place = std::ranges::lower_bound(vertex_ids, id) - vertex_ids.begin();
      to.vertices.ab2b.push_back(static_cast<local_id>(place));
    }
    to.vertices.end_row();
  }
}

struct placed_vertex {
  global_id id;
  std::array<double, 3> place;
};

struct found_place {
  std::array<double, 3> place;
  std::int64_t is_known;
};

/// Where the vertices lie, by what the ranks say that have been given them. [3 * ids.size()]
/// Collective: over `over`.
std::vector<double> find_places(Communicator const& over, std::span<global_id const> ids,
                                mesh_input const& input, global_id largest_vertex) {
  home_of_ids const home(over.size(), largest_vertex);
  auto const homes_of = [&](std::span<global_id const> of) {
    std::vector<int> homes;
    for (global_id const id : of)
      homes.push_back(home(id));
    return homes;
  };
  std::vector<placed_vertex> given;
  for (std::size_t v = 0; v < input.vertex_ids.size(); ++v)
    given.push_back(
        {input.vertex_ids[v],
         {input.coordinates[3 * v], input.coordinates[3 * v + 1], input.coordinates[3 * v + 2]}});
  auto known = send_records<placed_vertex>(over, given, homes_of(input.vertex_ids)).records;
  std::ranges::sort(known, {}, &placed_vertex::id);
  auto const look_up = [&](global_id id) -> found_place {
    auto const found = std::ranges::lower_bound(known, id, {}, &placed_vertex::id);
    bool const is_known = found != known.end() && found->id == id;
    return is_known ? found_place{found->place, 1} : found_place{{}, 0};
  };
  auto const answers =
      ask<found_place, global_id>(over, ids, homes_of(ids), [&](received<global_id> const& asked) {
        std::vector<found_place> places;
        for (global_id const id : asked.records)
          places.push_back(look_up(id));
        return places;
      });
  collectively(over.context(), [&] {
    for (std::size_t v = 0; v < answers.size(); ++v)
      if (answers[v].is_known == 0)
        refuse(fmt::format("mesh: a cell with vertex {} (expected one that is given with its "
                           "coordinates)",
                           ids[v]));
  });
  std::vector<double> coordinates;
  for (found_place const& one : answers)
    coordinates.insert(coordinates.end(), one.place.begin(), one.place.end());
  return coordinates;
}

/// 1 for the entities of the first `num_owned` cells, 0 for the others.
std::vector<char> flag_of_owned(derived_entities const& entities, local_id num_owned_cells) {
  std::vector<char> flags(entities.shapes.size(), 0);
  for (local_id c = 0; c < num_owned_cells; ++c)
    for (local_id const e : entities.cells2entities[c])
      flags[static_cast<std::size_t>(e)] = 1;
  return flags;
}

/// Old places in their new order: the rank's own by id, copies by owner and id.
std::vector<std::size_t> order_of(std::span<entity_name const> names, int rank) {
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t e) {
    return std::tuple(names[e].owner != rank, names[e].owner, names[e].id);
  });
  return order;
}

/// Fills all but the vertices' new places. Returns the new place of each. [derived entities]
std::vector<local_id> take_over(mesh_entities& to, derived_entities const& derived,
                                std::span<entity_name const> names, int rank) {
  std::vector<local_id> new_places(names.size());
  for (std::size_t const e : order_of(names, rank)) {
    new_places[e] = to.num_local();
    to.ids.push_back(names[e].id);
    to.owners.push_back(names[e].owner);
    to.tags.push_back(names[e].tag);
    to.shapes.push_back(derived.shapes[e]);
    auto const vertices = derived.vertices[static_cast<local_id>(e)];
    to.vertices.ab2b.insert(to.vertices.ab2b.end(), vertices.begin(), vertices.end());
    to.vertices.end_row();
    to.num_owned += names[e].owner == rank ? 1 : 0;
  }
  return new_places;
}

void renumber(adjacency& rows, std::span<local_id const> new_places) {
  for (local_id& b : rows.ab2b)
    b = new_places[static_cast<std::size_t>(b)];
}

std::vector<double> reordered(std::span<double const> places,
                              std::span<local_id const> new_places) {
  std::vector<double> moved(places.size());
  for (std::size_t v = 0; v < new_places.size(); ++v)
    for (std::size_t axis = 0; axis < 3; ++axis)
      moved[3 * static_cast<std::size_t>(new_places[v]) + axis] = places[3 * v + axis];
  return moved;
}

/// Owners learn who has copies. Collective: over `over`.
remote_copies find_copies(Communicator const& over, mesh_entities const& of) {
  auto const num_owned = static_cast<std::size_t>(of.num_owned);
  auto const owned = std::span(of.ids).first(num_owned);
  auto const asked = send_records<global_id>(over, std::span(of.ids).subspan(num_owned),
                                             std::span(of.owners).subspan(num_owned));
  remote_copies copies;
  for (std::size_t i = 0; i < asked.records.size(); ++i) {
    if (copies.ranks.empty() || copies.ranks.back() != asked.senders[i]) {
      if (!copies.ranks.empty())
        copies.ranks2entities.end_row();
      copies.ranks.push_back(asked.senders[i]);
    }
    auto const place = std::ranges::lower_bound(owned, asked.records[i]) - owned.begin();
    copies.ranks2entities.ab2b.push_back(static_cast<local_id>(place));
  }
  if (!copies.ranks.empty())
    copies.ranks2entities.end_row();
  return copies;
}

void finish(Communicator const& over, mesh_entities& one, int dimension) {
  one.dimension = dimension;
  one.num_global = mpi::allreduce(over.context(), std::int64_t{one.num_owned}, MPI_SUM);
  one.copies = find_copies(over, one);
}

} // namespace

mesh_parts assemble(Communicator const& over, mesh_input const& input, ghost_layers const& ghosts) {
  int const rank = over.rank();
  mesh_parts made;
  made.num_dimensions = input.num_dimensions;
  made.ghosts = ghosts;
  global_id const largest = largest_vertex_of(over, input);
  element_list const own = sorted_by_id(input.cells);
  received_elements const around = find_ghost_cells(over, own, ghosts, largest);
  auto const vertex_ids = vertices_of_all(own, around.list);
  auto const places = find_places(over, vertex_ids, input, largest);

  auto const last = static_cast<std::size_t>(input.num_dimensions);
  mesh_entities& cells = made.entities[last];
  add_cells(cells, own, vertex_ids);
  add_cells(cells, around.list, vertex_ids);
  cells.num_owned = own.num_elements();
  cells.owners.assign(own.ids.size(), rank);
  cells.owners.insert(cells.owners.end(), around.senders.begin(), around.senders.end());

  std::vector<local_id> new_vertices;
  for (std::size_t d = 0; d < last; ++d) {
    int const dimension = static_cast<int>(d);
    auto derived = derive(cells.shapes, cells.vertices, vertex_ids, dimension);
    auto const names =
        agree_on_names(over, dimension, derived.keys, flag_of_owned(derived, cells.num_owned),
                       input.boundary, largest);
    auto const new_places = take_over(made.entities[d], derived, names, rank);
    made.cells2parts[d] = std::move(derived.cells2entities);
    renumber(made.cells2parts[d], new_places);
    if (d == 0)
      new_vertices = new_places;
  }
  made.coordinates = reordered(places, new_vertices);
  for (std::size_t d = 0; d <= last; ++d) {
    renumber(made.entities[d].vertices, new_vertices);
    finish(over, made.entities[d], static_cast<int>(d));
  }
  return made;
}

} // namespace seam::detail

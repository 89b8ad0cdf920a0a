#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/free_memory.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/numbering/order.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/mesh/entities/derive.hpp>
#include <seam/mesh/entities/mesh_parts.hpp>
#include <seam/mesh/entities/vertex_places.hpp>

#include <tuple>

namespace seam::detail {
namespace {

/// The cells of a rank by ascending id.
element_list sorted_by_id(element_list const& cells) {
  element_list sorted;
  for (std::int64_t const c :
       order_by(std::ssize(cells.ids), [&](std::int64_t k) { return cells.ids[k]; }))
    append(sorted, cells, c);
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
  keep_distinct(ids);
  return ids;
}

/// Adds cells, whose vertices are positions in `vertex_ids`.
void add_cells(mesh_entities& to, element_list const& cells,
               std::span<global_id const> vertex_ids) {
  to.ids.insert(to.ids.end(), cells.ids.begin(), cells.ids.end());
  to.shapes.insert(to.shapes.end(), cells.shapes.begin(), cells.shapes.end());
  to.tags.insert(to.tags.end(), cells.tags.begin(), cells.tags.end());
  to.images.insert(to.images.end(), cells.images.begin(), cells.images.end());
  for (local_id c = 0; c < cells.num_elements(); ++c) {
    for (global_id const id : vertices_of(cells, c)) {
      auto const place = std::ranges::lower_bound(vertex_ids, id) - vertex_ids.begin();
      to.vertices.ab2b.push_back(static_cast<local_id>(place));
    }
    to.vertices.end_row();
  }
}

/// 1 for the entities of the first `num_owned` cells, 0 for the others.
std::vector<char> flag_of_owned(derived_entities const& entities, local_id num_owned_cells) {
  std::vector<char> flags(entities.shapes.size(), 0);
  for (local_id c = 0; c < num_owned_cells; ++c)
    for (local_id const e : entities.cells2entities[c])
      flags[e] = 1;
  return flags;
}

/// Old places in their new order: the rank's own entities by id, then copies by owner and id.
std::vector<std::int64_t> order_of(std::span<entity_name const> names, int rank) {
  return order_by(std::ssize(names), [&](std::int64_t e) {
    return std::tuple(names[e].owner != rank, names[e].owner, names[e].id);
  });
}

/// Takes over derived entities in their new order; their vertices keep their old places. Returns
/// the new place of each entity. [derived entities]
std::vector<local_id> add_entities(mesh_entities& to, derived_entities const& derived,
                                   std::span<entity_name const> names, int rank) {
  std::vector<local_id> new_places(names.size());
  for (std::int64_t const e : order_of(names, rank)) {
    new_places[e] = to.num_local();
    to.ids.push_back(names[e].id);
    to.owners.push_back(names[e].owner);
    to.tags.push_back(names[e].tag);
    to.shapes.push_back(derived.shapes[e]);
    auto const vertices = derived.vertices[static_cast<local_id>(e)];
    to.vertices.ab2b.insert(to.vertices.ab2b.end(), vertices.begin(), vertices.end());
    to.vertices.end_row();
    if (!derived.images.empty()) {
      auto const images = derived.images.begin() + derived.vertices.a2ab[e];
      to.images.insert(to.images.end(), images, images + std::ssize(vertices));
    }
    to.num_owned += names[e].owner == rank ? 1 : 0;
  }
  return new_places;
}

void renumber_targets(adjacency& rows, std::span<local_id const> new_places) {
  for (local_id& b : rows.ab2b)
    b = new_places[b];
}

std::vector<double> reorder_places(std::span<double const> places,
                                   std::span<local_id const> new_places) {
  std::vector<double> moved(places.size());
  for (std::int64_t v = 0; v < std::ssize(new_places); ++v)
    for (int axis = 0; axis < 3; ++axis)
      moved[3 * std::int64_t{new_places[v]} + axis] = places[3 * v + axis];
  return moved;
}

/// Tells owners which ranks have copies.
/// Collective: over `over`.
remote_copies find_copies(Communicator const& over, mesh_entities const& of) {
  auto const owned = std::span(of.ids).first(of.num_owned);
  auto const asked = send_records<global_id>(over, std::span(of.ids).subspan(of.num_owned),
                                             std::span(of.owners).subspan(of.num_owned));
  remote_copies copies;
  for (std::int64_t i = 0; i < std::ssize(asked.records); ++i) {
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

/// Own cells and ghosts, with vertices as positions in `vertex_ids`.
mesh_entities take_cells(element_list const& own, received_elements const& ghosts,
                         std::span<global_id const> vertex_ids, int rank) {
  mesh_entities cells;
  add_cells(cells, own, vertex_ids);
  add_cells(cells, ghosts.list, vertex_ids);
  cells.num_owned = own.num_elements();
  cells.owners.assign(own.ids.size(), rank);
  cells.owners.insert(cells.owners.end(), ghosts.senders.begin(), ghosts.senders.end());
  return cells;
}

void finish_entities(Communicator const& over, mesh_entities& entities, int dimension) {
  entities.dimension = dimension;
  entities.num_global = mpi::allreduce(over.context(), std::int64_t{entities.num_owned}, MPI_SUM);
  entities.copies = find_copies(over, entities);
}

double bytes_of(element_list const& list) {
  constexpr double of_element =
      sizeof(shape) + sizeof(global_id) + sizeof(std::int32_t) + sizeof(std::int64_t);
  return of_element * static_cast<double>(list.ids.size()) +
         sizeof(global_id) * static_cast<double>(list.vertices.size());
}

/// The most memory that the making of a mesh takes, as measured on boxes of all shapes. [bytes]
double bytes_to_assemble(mesh_input const& input) {
  constexpr double times_input[] = {0, 6, 9, 13}; // by dimensions
  constexpr double of_vertex = sizeof(global_id) + 3 * sizeof(double);
  return times_input[input.num_dimensions] *
         (bytes_of(input.cells) + bytes_of(input.boundary) +
          of_vertex * static_cast<double>(input.vertex_ids.size()));
}

/// Derives the vertices, edges and faces of the cells of `made`, whose vertices are positions in
/// `vertex_ids`. Returns the new places of these vertices. [vertex_ids]
/// Collective: over `over`.
std::vector<local_id> derive_parts(Communicator const& over, mesh_parts& made,
                                   std::span<global_id const> vertex_ids,
                                   element_list const& tagged, global_id largest) {
  mesh_entities const& cells = made.cells();
  std::vector<local_id> new_vertices;
  for (int d = 0; d < made.num_dimensions; ++d) {
    auto derived = collectively(over.context(), [&] { return derive(cells, vertex_ids, d); });
    auto const names = agree_on_names(over, d, derived, flag_of_owned(derived, cells.num_owned),
                                      tagged, largest, !made.periods.empty());
    auto const new_places = add_entities(made.entities[d], derived, names, over.rank());
    made.cells2parts[d] = std::move(derived.cells2entities);
    renumber_targets(made.cells2parts[d], new_places);
    if (d == 0)
      new_vertices = new_places;
  }
  return new_vertices;
}

} // namespace

mesh_parts assemble(Communicator const& over, mesh_input const& input, ghost_layers const& ghosts) {
  require_memory(over.context(), bytes_to_assemble(input), "mesh");
  global_id const largest = largest_vertex_of(over, input);
  element_list const own = sorted_by_id(input.cells);
  received_elements const around = find_ghost_cells(over, own, ghosts, largest);
  auto const vertex_ids = vertices_of_all(own, around.list);
  auto const places = find_places(over, vertex_ids, input, largest);

  mesh_parts made;
  made.num_dimensions = input.num_dimensions;
  made.ghosts = ghosts;
  made.periods = input.periods;
  made.groups = input.groups;
  made.numbers = input.file_numbers;
  mesh_entities& cells = made.entities[input.num_dimensions];
  cells = take_cells(own, around, vertex_ids, over.rank());
  cells.dimension = input.num_dimensions;
  turn_cells(over, cells, places, made.periods);
  auto const new_vertices = derive_parts(over, made, vertex_ids, input.boundary, largest);
  made.coordinates = reorder_places(places, new_vertices);
  for (int d = 0; d <= made.num_dimensions; ++d) {
    renumber_targets(made.entities[d].vertices, new_vertices);
    finish_entities(over, made.entities[d], d);
  }
  see_sides_from_first_cells(over, made);
  check_overlaps(over, made);
  return made;
}

} // namespace seam::detail

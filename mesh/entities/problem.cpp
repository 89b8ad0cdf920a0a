#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/mesh/entities/mesh_parts.hpp>
#include <seam/mesh/shapes/shape.hpp>

#include <fmt/format.h>

#include <limits>
#include <tuple>

namespace seam::detail {
namespace {

constexpr std::array names{"vertex", "edge", "face", "cell"};

/// "cell 12", for error lines.
std::string name_of(mesh_entities const& of, int num_dimensions, local_id entity) {
  int const kind = of.dimension == num_dimensions ? 3 : of.dimension;
  return fmt::format("{} {}", names[kind], of.ids[entity]);
}

void check_lengths(mesh_entities const& of) {
  std::size_t const count = of.ids.size();
  if (of.owners.size() != count || of.shapes.size() != count || of.tags.size() != count ||
      of.vertices.a2ab.size() != count + 1 || of.num_owned < 0 || of.num_owned > std::ssize(of.ids))
    refuse(fmt::format("mesh: {} entities of dimension {} whose arrays differ in length", count,
                       of.dimension));
}

void check_order(mesh_entities const& of, mesh_parts const& parts, int rank, int size) {
  auto const place = [&](local_id e) {
    return std::tuple(of.owners[e] != rank, of.owners[e], of.ids[e]);
  };
  for (local_id e = 0; e < of.num_local(); ++e) {
    auto const name = name_of(of, parts.num_dimensions, e);
    if (of.owners[e] < 0 || of.owners[e] >= size || (of.owners[e] == rank) != of.is_owned(e))
      refuse(fmt::format("mesh: {} with owner {} in place {} ({} are owned)", name, of.owners[e], e,
                         of.num_owned));
    if (e > 0 && !(place(e - 1) < place(e)))
      refuse(fmt::format("mesh: {} is not behind the one before it", name));
  }
}

void check_corners(mesh_entities const& of, mesh_parts const& parts) {
  for (local_id e = 0; e < of.num_local(); ++e) {
    auto const corners = of.vertices[e];
    bool const are_local = std::ranges::all_of(corners, [&](local_id v) {
      return v >= 0 && v < parts.entities[0].num_local();
    });
    if (dimensions_of(of.shapes[e]) != of.dimension || !are_local ||
        std::ssize(corners) != num_vertices_of(of.shapes[e]))
      refuse(fmt::format("mesh: {} has not the vertices of its shape",
                         name_of(of, parts.num_dimensions, e)));
  }
}

std::vector<global_id> ids_of(mesh_parts const& parts, std::span<local_id const> vertices) {
  std::vector<global_id> ids;
  for (local_id const v : vertices)
    ids.push_back(parts.entities[0].ids[v]);
  return ids;
}

/// Checks that each part of a cell is the entity with its vertices, and each entity part of a cell.
void check_parts(mesh_parts const& parts, int dimension) {
  mesh_entities const& cells = parts.cells();
  mesh_entities const& entities = parts.entities[dimension];
  adjacency const& rows = parts.cells2parts[dimension];
  std::vector<int> least_owner(entities.ids.size(), std::numeric_limits<int>::max());
  for (local_id c = 0; c < cells.num_local(); ++c) {
    auto const wanted = parts_of(cells.shapes[c], dimension);
    for (int k = 0; k < std::ssize(wanted); ++k) {
      std::vector<local_id> corners;
      for (auto const position : wanted[k].positions())
        corners.push_back(cells.vertices[c][position]);
      local_id const entity = rows[c][k];
      if (key_of(ids_of(parts, corners)) != key_of(ids_of(parts, entities.vertices[entity])))
        refuse(fmt::format("mesh: part {} of {} is not {}", k,
                           name_of(cells, parts.num_dimensions, c),
                           name_of(entities, parts.num_dimensions, entity)));
      int& least = least_owner[entity];
      least = std::min(least, cells.owners[c]);
    }
  }
  for (local_id e = 0; e < entities.num_local(); ++e)
    if (least_owner[e] == std::numeric_limits<int>::max() ||
        (entities.is_owned(e) && least_owner[e] != entities.owners[e]))
      refuse(fmt::format("mesh: {} of rank {} is part of no cell of it",
                         name_of(entities, parts.num_dimensions, e), entities.owners[e]));
}

/// Checks that sides list their vertices as their first cells do, where this rank has these.
void check_first_cells(mesh_parts const& parts) {
  int const d = parts.num_dimensions - 1;
  mesh_entities const& cells = parts.cells();
  mesh_entities const& sides = parts.entities[d];
  if (parts.first_cells.size() != sides.ids.size())
    refuse(fmt::format("mesh: {} first cells of {} sides", parts.first_cells.size(),
                       sides.ids.size()));
  for (local_id c = 0; c < cells.num_local(); ++c) {
    auto const as_listed = parts_of(cells.shapes[c], d);
    for (int k = 0; k < std::ssize(as_listed); ++k) {
      local_id const side = parts.cells2parts[d][c][k];
      auto const is_its_vertex = [&](std::uint8_t position, local_id vertex) {
        return cells.vertices[c][position] == vertex;
      };
      bool const is_first = parts.first_cells[side] == cells.ids[c];
      if (parts.first_cells[side] > cells.ids[c] ||
          (is_first &&
           !std::ranges::equal(as_listed[k].positions(), sides.vertices[side], is_its_vertex)))
        refuse(fmt::format("mesh: side {} is not seen from {}", sides.ids[side],
                           name_of(cells, parts.num_dimensions, c)));
    }
  }
}

/// The data of an entity on one rank.
struct statement {
  global_id id;
  global_id first_cell;              ///< of a side
  std::array<global_id, 8> vertices; ///< -1 behind the last
  std::array<double, 3> place;       ///< of a vertex
  std::int64_t owner, tag, what;

  friend bool operator==(statement const&, statement const&) = default;
};

/// A number of an entity's shape and images.
std::int64_t number_of_shape(mesh_entities const& of, local_id entity) {
  auto sum = static_cast<std::int64_t>(of.shapes[entity]);
  if (!of.images.empty())
    for (auto at = of.vertices.a2ab[entity]; at < of.vertices.a2ab[entity + 1]; ++at)
      for (std::int8_t const step : of.images[at].steps)
        sum = 5 * sum + step;
  return sum;
}

std::vector<statement> statements_of(mesh_parts const& parts, mesh_entities const& of) {
  std::vector<statement> all;
  for (local_id e = 0; e < of.num_local(); ++e) {
    statement stated{.id = of.ids[e],
                     .first_cell =
                         of.dimension == parts.num_dimensions - 1 ? parts.first_cells[e] : 0,
                     .vertices = {},
                     .place = {},
                     .owner = of.owners[e],
                     .tag = of.tags[e],
                     .what = number_of_shape(of, e)};
    stated.vertices.fill(-1);
    std::ranges::copy(ids_of(parts, of.vertices[e]), stated.vertices.begin());
    if (of.dimension == 0)
      std::copy_n(parts.coordinates.begin() + 3 * std::int64_t{e}, 3, stated.place.begin());
    all.push_back(stated);
  }
  return all;
}

/// The statement of an owner that a rank has a copy, or that the owner itself has the entity.
struct holding {
  global_id id;
  std::int64_t rank;

  auto operator<=>(holding const&) const = default;
};

std::vector<holding> holdings_by_owner(mesh_entities const& of, int rank) {
  std::vector<holding> all;
  for (local_id e = 0; e < of.num_owned; ++e)
    all.push_back({of.ids[e], rank});
  for (int r = 0; r < std::ssize(of.copies.ranks); ++r)
    for (local_id const e : of.copies.ranks2entities[r])
      all.push_back({of.ids[e], of.copies.ranks[r]});
  return all;
}

template <class Record>
received<Record> send_to_homes(Communicator const& over, std::vector<Record> const& records) {
  std::vector<int> ranks;
  for (Record const& record : records)
    ranks.push_back(static_cast<int>(record.id % over.size()));
  return send_records<Record>(over, records, ranks);
}

/// Checks that all ranks have the same data of an entity, and that its owner knows exactly the
/// ranks that have it.
void check_statements(received<statement> const& said, std::vector<holding> known, char const* of) {
  std::vector<holding> held;
  for (std::int64_t i = 0; i < std::ssize(said.records); ++i)
    held.push_back({said.records[i].id, said.senders[i]});
  std::ranges::sort(held);
  std::ranges::sort(known);
  if (held != known) {
    auto const at = std::ranges::mismatch(held, known);
    auto const& differing = at.in1 != held.end() ? *at.in1 : *at.in2;
    refuse(fmt::format("mesh: {} {}: ranks that have it and ranks that its owner knows differ at "
                       "rank {}",
                       of, differing.id, differing.rank));
  }
  auto sorted = said.records;
  std::ranges::stable_sort(sorted, {}, &statement::id);
  for (std::int64_t i = 1; i < std::ssize(sorted); ++i)
    if (sorted[i].id == sorted[i - 1].id && sorted[i] != sorted[i - 1])
      refuse(fmt::format(
          "mesh: {} {}: ranks differ in its owner, vertices, images, first cell, tag or place", of,
          sorted[i].id));
}

/// The key of an entity, made of its vertices, and its id.
struct id_of_key {
  entity_key key;
  global_id id;

  auto operator<=>(id_of_key const&) const = default;
};

/// Checks that all ranks give an edge or face the same id.
/// Collective: over `over`.
void check_keys(Communicator const& over, mesh_parts const& parts, mesh_entities const& of) {
  std::vector<id_of_key> own;
  std::vector<int> ranks;
  for (local_id e = 0; e < of.num_local(); ++e) {
    own.push_back({key_of(ids_of(parts, of.vertices[e])), of.ids[e]});
    ranks.push_back(static_cast<int>(own.back().key[0] % over.size()));
  }
  auto met = send_records<id_of_key>(over, own, ranks).records;
  collectively(over.context(), [&] {
    keep_distinct(met);
    for (std::int64_t i = 1; i < std::ssize(met); ++i)
      if (met[i].key == met[i - 1].key)
        refuse(fmt::format("mesh: {} {} is {} elsewhere", names[of.dimension], met[i - 1].id,
                           met[i].id));
  });
}

/// Collective: over `over`.
void check_agreement(Communicator const& over, mesh_parts const& parts, mesh_entities const& of) {
  auto const said = send_to_homes(over, statements_of(parts, of));
  auto const known = send_to_homes(over, holdings_by_owner(of, over.rank()));
  bool const are_cells = of.dimension == parts.num_dimensions;
  auto const total = mpi::allreduce(over.context(), std::int64_t{of.num_owned}, MPI_SUM);
  collectively(over.context(), [&] {
    check_statements(said, known.records, names[are_cells ? 3 : of.dimension]);
    if (total != of.num_global)
      refuse(fmt::format("mesh: {} entities of dimension {} are owned (expected {})", total,
                         of.dimension, of.num_global));
  });
}

/// Checks that the ghost cells are those of the layers.
/// Collective: over `over`.
void check_ghosts(Communicator const& over, mesh_parts const& parts) {
  mesh_entities const& cells = parts.cells();
  element_list own;
  for (local_id c = 0; c < cells.num_owned; ++c)
    append(own, cells.shapes[c], cells.ids[c], cells.tags[c], ids_of(parts, cells.vertices[c]));
  global_id largest = 0;
  for (global_id const id : parts.entities[0].ids)
    largest = std::max(largest, id);
  largest = mpi::allreduce(over.context(), largest, MPI_MAX);
  auto const found = find_ghost_cells(over, own, parts.ghosts, largest);
  collectively(over.context(), [&] {
    auto const copies = std::span(cells.ids).subspan(cells.num_owned);
    if (!std::ranges::equal(copies, found.list.ids))
      refuse(fmt::format("mesh: {} ghost cells (expected {}, those of {} layers through dimension "
                         "{})",
                         copies.size(), found.list.ids.size(), parts.ghosts.depth,
                         parts.ghosts.through));
  });
}

} // namespace

std::string find_problem(Communicator const& over, mesh_parts const& parts) {
  try {
    collectively(over.context(), [&] {
      for (int d = 0; d <= parts.num_dimensions; ++d) {
        mesh_entities const& of = parts.entities[d];
        check_lengths(of);
        check_order(of, parts, over.rank(), over.size());
        check_corners(of, parts);
      }
      for (int d = 0; d < parts.num_dimensions; ++d)
        check_parts(parts, d);
      check_first_cells(parts);
    });
    for (int d = 0; d <= parts.num_dimensions; ++d)
      check_agreement(over, parts, parts.entities[d]);
    for (int d = 0; d < parts.num_dimensions; ++d)
      check_keys(over, parts, parts.entities[d]);
    check_ghosts(over, parts);
    check_overlaps(over, parts);
  } catch (usage_error const& found) {
    return found.what();
  }
  return {};
}

} // namespace seam::detail

#include <seam/mesh/entities/mesh.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mesh/entities/groups.hpp>
#include <seam/mesh/entities/joined_vertices.hpp>
#include <seam/mesh/entities/mesh_parts.hpp>
#include <seam/mesh/input/elements.hpp>
#include <seam/mesh/input/input_check.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace seam {
using namespace detail;

struct Mesh::state {
  state(std::shared_ptr<Communicator const> over, detail::mesh_parts made)
      : base(std::move(over)), parts(std::move(made)) {}

  std::shared_ptr<Communicator const> base;
  detail::mesh_parts parts;
  std::optional<Communicator> graph; ///< made by the first call of graph()
  std::weak_ptr<detail::step_space const> space;

  std::mutex finding;
  std::map<std::pair<int, int>, adjacency> found; ///< results of adjacent()
};

namespace {

void check_layers(Communicator const& over, ghost_layers const& ghosts, int num_dimensions) {
  require_same(over.context(), "mesh: depth of ghosts, and through what",
               fmt::format("{}, {}", ghosts.depth, ghosts.through));
  collectively(over.context(), [&] {
    if (ghosts.depth < 0)
      refuse(fmt::format("mesh: {} ghost layers (expected at least 0)", ghosts.depth));
    if (ghosts.through < 0 || ghosts.through >= num_dimensions)
      refuse(fmt::format("mesh: ghosts through entities of dimension {} (expected 0 to {}, less "
                         "than that of cells)",
                         ghosts.through, num_dimensions - 1));
  });
}

/// Brings each row into the order of the targets' ids.
void sort_by_id(adjacency& rows, std::span<global_id const> ids) {
  for (local_id a = 0; a < rows.num_rows(); ++a)
    std::sort(rows.ab2b.begin() + rows.a2ab[a], rows.ab2b.begin() + rows.a2ab[a + 1],
              [&](local_id b, local_id other) { return ids[b] < ids[other]; });
}

/// For each face the edges around it, in the order of its vertices.
/// @param vertices2edges  by ascending id
adjacency faces_to_edges(adjacency const& faces2vertices, adjacency const& vertices2edges,
                         std::span<global_id const> edge_ids) {
  auto const id_of = [&](local_id edge) { return edge_ids[edge]; };
  adjacency faces2edges;
  for (local_id f = 0; f < faces2vertices.num_rows(); ++f) {
    auto const corners = faces2vertices[f];
    for (int k = 0; k < std::ssize(corners); ++k) {
      auto const of_corner = vertices2edges[corners[k]];
      auto const of_next = vertices2edges[corners[(k + 1) % corners.size()]];
      std::ranges::set_intersection(of_corner, of_next, std::back_inserter(faces2edges.ab2b), {},
                                    id_of, id_of);
    }
    faces2edges.end_row();
  }
  return faces2edges;
}

/// The ranks whose entities this rank has copies of, or that have copies of its entities,
/// ascending.
std::vector<edge> neighbors_of(detail::mesh_parts const& parts) {
  std::vector<int> ranks;
  for (mesh_entities const& kind : parts.entities) {
    ranks.insert(ranks.end(), kind.copies.ranks.begin(), kind.copies.ranks.end());
    auto const of_others = std::span(kind.owners).subspan(kind.num_owned);
    std::ranges::unique_copy(of_others, std::back_inserter(ranks));
  }
  std::ranges::sort(ranks);
  std::vector<edge> edges;
  for (int const rank : ranks)
    if (edges.empty() || edges.back().rank != rank)
      edges.push_back({rank});
  return edges;
}

void check_destinations(std::span<int const> cells2ranks, local_id num_owned, int size) {
  if (std::ssize(cells2ranks) != num_owned)
    refuse(fmt::format("mesh: {} destinations (expected one for each of {} own cells)",
                       cells2ranks.size(), num_owned));
  for (int const rank : cells2ranks)
    if (rank < 0 || rank >= size)
      refuse(fmt::format("mesh: destination {} of a cell (expected a rank, 0 to {})", rank,
                         size - 1));
}

/// Appends the own entities of one kind for which is_wanted(entity) holds, as elements.
template <class IsWanted>
void add_elements(element_list& to, mesh_entities const& from, mesh_entities const& vertices,
                  IsWanted is_wanted) {
  std::vector<global_id> corners;
  for (local_id e = 0; e < from.num_owned; ++e) {
    if (!is_wanted(e))
      continue;
    corners.clear();
    for (local_id const v : from.vertices[e])
      corners.push_back(vertices.ids[v]);
    detail::append(to, from.shapes[e], from.ids[e], from.tags[e], corners);
  }
}

} // namespace

Mesh::Mesh(Communicator const& over, mesh_input const& input, ghost_layers ghosts) {
  call_scope const here("Mesh", *over.calls());
  auto base = std::make_shared<Communicator const>(over.base());
  detail::check_input(*base, input);
  check_layers(*base, ghosts, input.num_dimensions);
  auto const joined = join_vertices(*base, input);
  state_ = std::make_shared<state>(base, detail::assemble(*base, joined ? *joined : input, ghosts));
  explain_neighbors(*base, state_->parts);
}

Mesh Mesh::rebuilt(mesh_input const& input, ghost_layers const& ghosts) const {
  Mesh made(std::make_shared<state>(state_->base, detail::assemble(base(), input, ghosts)));
  explain_neighbors(base(), made.state_->parts);
  return made;
}

int Mesh::num_dimensions() const noexcept { return state_->parts.num_dimensions; }
std::span<vector3 const> Mesh::periods() const noexcept { return state_->parts.periods; }
std::span<mesh_group const> Mesh::groups() const noexcept { return state_->parts.groups; }
std::shared_ptr<file_numbers const> const& Mesh::file_numbers() const noexcept {
  return state_->parts.numbers;
}
std::weak_ptr<detail::step_space const>& Mesh::space_of_steps() const noexcept {
  return state_->space;
}
ghost_layers const& Mesh::ghosts() const noexcept { return state_->parts.ghosts; }
Communicator const& Mesh::base() const noexcept { return *state_->base; }
std::span<double const> Mesh::coordinates() const noexcept { return state_->parts.coordinates; }

int Mesh::dimension_of(mesh_part part) const noexcept {
  switch (part) {
  case mesh_part::vertices: return 0;
  case mesh_part::edges: return 1;
  case mesh_part::faces: return 2;
  case mesh_part::sides: return num_dimensions() - 1;
  default: return num_dimensions();
  }
}

mesh_entities const& Mesh::entities(int dimension) const {
  if (dimension < 0 || dimension > num_dimensions())
    refuse(fmt::format("mesh: entities of dimension {} (expected 0 to {})", dimension,
                       num_dimensions()));
  return state_->parts.entities[dimension];
}

std::array<double, 3> Mesh::center(int dimension, local_id entity) const {
  auto const count = static_cast<int>(entities(dimension).vertices[entity].size());
  vector3 sum{};
  for (int k = 0; k < count; ++k)
    sum += corner(dimension, entity, k);
  for (double& coordinate : sum)
    coordinate /= count;
  return sum;
}

std::array<double, 3> Mesh::corner(int dimension, local_id entity, int k) const {
  mesh_entities const& of = entities(dimension);
  auto const at = of.vertices.a2ab[entity] + k;
  auto const place = coordinates().subspan(3 * std::int64_t{of.vertices.ab2b[at]}, 3);
  vector3 corner{place[0], place[1], place[2]};
  if (!of.images.empty())
    corner += translation_of(of.images[at], periods());
  return corner;
}

std::array<double, 3> Mesh::offset(local_id cell, int dimension, local_id part) const {
  if (periods().empty())
    return {};
  mesh_entities const& of = entities(dimension);
  auto const corners = cells().vertices[cell];
  auto const at = of.vertices.a2ab[part];
  auto const k = std::ranges::find(corners, of.vertices.ab2b[at]) - corners.begin();
  return translation_of(cells().images[cells().vertices.a2ab[cell] + k] - of.images[at], periods());
}

adjacency const& Mesh::adjacent(int from, int to) const {
  local_id const num_rows = entities(from).num_local();
  if (to == 0 && from > 0)
    return entities(from).vertices;
  if (from == num_dimensions() && to >= 0 && to < from)
    return state_->parts.cells2parts[to];
  auto const find = [&] {
    if (from > to)
      return faces_to_edges(adjacent(from, 0), adjacent(0, to), entities(to).ids);
    int const through = from == 0 ? 1 : from - 1;
    adjacency rows = from < to
                         ? invert(adjacent(to, from), num_rows)
                         : neighbors_through(adjacent(from, through), adjacent(through, from));
    sort_by_id(rows, entities(to).ids);
    return rows;
  };
  static_cast<void>(entities(to));
  {
    std::scoped_lock const lock(state_->finding);
    if (auto const known = state_->found.find({from, to}); known != state_->found.end())
      return known->second;
  }
  adjacency rows = find();
  std::scoped_lock const lock(state_->finding);
  return state_->found.try_emplace({from, to}, std::move(rows)).first->second;
}

std::int32_t Mesh::tag(std::string_view group, mesh_part of) const {
  return tag_of_group(groups(), group, dimension_of(of));
}

std::int32_t Mesh::tag(std::string_view group) const { return tag_of_group(groups(), group, -1); }

global_id Mesh::first_cell(local_id side) const { return state_->parts.first_cells[side]; }

Communicator const& Mesh::graph() const {
  if (!state_->graph) {
    auto const edges = neighbors_of(state_->parts);
    state_->graph.emplace(make_graph(base(), Topology::graph(edges, edges)));
  }
  return *state_->graph;
}

Mesh Mesh::with_ghosts(ghost_layers ghosts) const {
  check_layers(base(), ghosts, num_dimensions());
  return rebuilt(share(), ghosts);
}

Mesh Mesh::migrated(std::span<int const> cells2ranks) const {
  detail::call_scope const here("migrate");
  collectively(base().context(),
               [&] { check_destinations(cells2ranks, cells().num_owned, base().size()); });
  mesh_input moved = share();
  moved.cells = migrate_elements(base(), moved.cells, cells2ranks);
  return rebuilt(moved, ghosts());
}

mesh_input Mesh::share() const {
  mesh_input own;
  own.num_dimensions = num_dimensions();
  own.periods = state_->parts.periods;
  own.groups = state_->parts.groups;
  own.file_numbers = state_->parts.numbers;
  std::int64_t const num_vertices = vertices().num_owned;
  own.vertex_ids.assign(vertices().ids.begin(), vertices().ids.begin() + num_vertices);
  own.coordinates.assign(coordinates().begin(), coordinates().begin() + 3 * num_vertices);
  add_elements(own.cells, cells(), vertices(), [](local_id) { return true; });
  if (!cells().images.empty())
    own.cells.images.assign(cells().images.begin(),
                            cells().images.begin() + std::ssize(own.cells.vertices));
  for (int dimension = 0; dimension < num_dimensions(); ++dimension) {
    mesh_entities const& from = entities(dimension);
    add_elements(own.boundary, from, vertices(), [&](local_id e) { return from.tags[e] != 0; });
  }
  return own;
}

std::string Mesh::problem() const { return detail::find_problem(base(), state_->parts); }

} // namespace seam

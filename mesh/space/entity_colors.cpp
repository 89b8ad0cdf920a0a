#include <seam/mesh/space/entity_colors.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/numbering/order.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>
#include <seam/mesh/graphs/coloring.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

/// An edge, as the owner of `id` gets to know it.
struct known_edge {
  global_id id, other;
  int rank_of_other;

  auto operator<=>(known_edge const&) const = default;
};

/// The graph of own entities with an edge for each entry of a row, in both directions.
/// Collective: over mesh.base().
distributed_graph graph_of(Mesh const& mesh, entity_rows const& rows) {
  mesh_entities const& all = mesh.entities(rows.from);
  std::vector<known_edge> edges, back;
  std::vector<int> owners;
  for (local_id e = 0; e < all.num_owned; ++e)
    for (local_id const other : rows.rows()[e])
      if (other != e) {
        edges.push_back({all.ids[e], all.ids[other], all.owners[other]});
        back.push_back({all.ids[other], all.ids[e], mesh.base().rank()});
        owners.push_back(all.owners[other]);
      }
  auto const from_others = send_records<known_edge>(mesh.base(), back, owners).records;
  edges.insert(edges.end(), from_others.begin(), from_others.end());
  keep_distinct(edges);
  distributed_graph graph;
  graph.ids.assign(all.ids.begin(), all.ids.begin() + all.num_owned);
  auto edge = edges.begin();
  for (global_id const id : graph.ids) {
    for (; edge != edges.end() && edge->id == id; ++edge) {
      graph.edges2ids.push_back(edge->other);
      graph.edges2ranks.push_back(edge->rank_of_other);
    }
    graph.nodes2edges.push_back(std::ssize(graph.edges2ids));
  }
  return graph;
}

} // namespace

std::vector<step_region> find_colors(Mesh const& mesh, entity_rows const& rows) {
  auto const own = color_graph(mesh.base(), graph_of(mesh, rows));
  int const most = own.empty() ? 0 : std::ranges::max(own) + 1;
  int const count = std::max(2, mpi::allreduce(mesh.base(), most, MPI_MAX));
  MeshField<int> colors(mesh, "colors", rows.from);
  std::ranges::copy(own, colors.values().begin());
  make_halo(colors).run();
  std::vector<id_list> ids(count);
  for (local_id e = 0; e < colors.entities().num_local(); ++e)
    ids[colors(e)].push_back(e);
  std::vector<step_region> regions;
  for (id_list& of_color : ids)
    regions.push_back(list_of(std::move(of_color)));
  return regions;
}

} // namespace seam::detail

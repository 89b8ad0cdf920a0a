#include <seam/mesh/graphs/distributed_graph.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <fmt/format.h>

namespace seam {
using namespace detail;

namespace {

using detail::send_records;

/// An entity `id` that contains the entity `through`, or is part of it.
struct incidence {
  global_id through, id;
  std::int64_t rank; ///< the owner of `id`

  auto operator<=>(incidence const&) const = default;
};

/// Sends own entities to the owners of their parts of dimension `through`.
/// Collective: over mesh.base().
std::vector<incidence> send_to_parts(Mesh const& mesh, int dimension, int through) {
  mesh_entities const& of = mesh.entities(dimension);
  mesh_entities const& parts = mesh.entities(through);
  std::vector<incidence> own;
  std::vector<int> owners;
  for (local_id e = 0; e < of.num_owned; ++e)
    for (local_id const part : mesh.adjacent(dimension, through)[e]) {
      own.push_back({parts.ids[part], of.ids[e], mesh.base().rank()});
      owners.push_back(parts.owners[part]);
    }
  return send_records<incidence>(mesh.base(), own, owners).records;
}

/// The parts of own entities of dimension `through`.
/// Local.
std::vector<incidence> parts_of_own(Mesh const& mesh, int dimension, int through) {
  mesh_entities const& of = mesh.entities(dimension);
  mesh_entities const& wholes = mesh.entities(through);
  std::vector<incidence> all;
  for (local_id w = 0; w < wholes.num_owned; ++w)
    for (local_id const part : mesh.adjacent(through, dimension)[w])
      all.push_back({wholes.ids[w], of.ids[part], of.owners[part]});
  return all;
}

/// Makes every two entities with the same `through` neighbors; sends each to the rank of the other.
/// Collective: over `over`.
std::vector<half_edge> make_half_edges(Communicator const& over, std::vector<incidence> met) {
  std::ranges::sort(met);
  std::vector<half_edge> halves;
  std::vector<int> ranks;
  for (auto begin = met.begin(); begin != met.end();) {
    auto const end = std::find_if(begin, met.end(), [&](incidence const& entry) {
      return entry.through != begin->through;
    });
    for (auto node = begin; node != end; ++node)
      for (auto other = begin; other != end; ++other)
        if (node != other) {
          halves.push_back({node->id, other->id, other->rank});
          ranks.push_back(static_cast<int>(node->rank));
        }
    begin = end;
  }
  auto received = send_records<half_edge>(over, halves, ranks).records;
  detail::keep_distinct(received);
  return received;
}

void check_dimensions(Mesh const& mesh, int dimension, int through) {
  int const last = mesh.num_dimensions();
  if (dimension < 0 || dimension > last || through < 0 || through > last || dimension == through)
    refuse(fmt::format("graph: entities of dimension {} through dimension {} (expected two of 0 to "
                       "{})",
                       dimension, through, last));
}

} // namespace

distributed_graph detail::graph_of(mesh_entities const& of, std::span<half_edge const> halves) {
  distributed_graph made;
  made.ids.assign(of.ids.begin(), of.ids.begin() + of.num_owned);
  auto next = halves.begin();
  for (global_id const id : made.ids) {
    for (; next != halves.end() && next->node == id; ++next) {
      made.edges2ids.push_back(next->other);
      made.edges2ranks.push_back(static_cast<int>(next->rank));
    }
    made.nodes2edges.push_back(std::ssize(made.edges2ids));
  }
  return made;
}

distributed_graph entity_graph(Mesh const& mesh, int dimension, int through) {
  detail::call_scope const here("entity_graph");
  collectively(mesh.base().context(), [&] { check_dimensions(mesh, dimension, through); });
  auto const halves =
      make_half_edges(mesh.base(), through < dimension ? send_to_parts(mesh, dimension, through)
                                                       : parts_of_own(mesh, dimension, through));
  return detail::graph_of(mesh.entities(dimension), halves);
}

distributed_graph part_graph(Mesh const& mesh) {
  distributed_graph made;
  made.ids = {mesh.base().rank()};
  for (edge const& neighbor : mesh.graph().topology().destinations()) {
    made.edges2ids.push_back(neighbor.rank);
    made.edges2ranks.push_back(neighbor.rank);
  }
  made.nodes2edges.push_back(std::ssize(made.edges2ids));
  return made;
}

} // namespace seam

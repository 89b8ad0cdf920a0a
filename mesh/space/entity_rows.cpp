#include <seam/mesh/space/entity_rows.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/numbering/order.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>
#include <seam/mesh/graphs/coloring.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

/// All entities in some rows, each once.
step_region entities_in(adjacency const& rows, step_region const& places) {
  id_list all;
  for (local_id const place : places.ids())
    all.insert(all.end(), rows[place].begin(), rows[place].end());
  keep_distinct(all);
  return list_of(std::move(all));
}

/// The first places for which has(place).
template <class Has>
step_region places_with(local_id num_places, Has const& has) {
  id_list ids;
  for (local_id place = 0; place < num_places; ++place)
    if (has(place))
      ids.push_back(place);
  return list_of(std::move(ids));
}

/// The graph of own entities with an edge for each entry of a row, in both directions.
/// Collective: over mesh.base().
distributed_graph graph_of_rows(Mesh const& mesh, entity_rows const& rows) {
  mesh_entities const& all = mesh.entities(rows.from);
  std::vector<half_edge> edges, back;
  std::vector<int> owners;
  for (local_id e = 0; e < all.num_owned; ++e)
    for (local_id const other : rows.rows()[e])
      if (other != e) {
        edges.push_back({all.ids[e], all.ids[other], all.owners[other]});
        back.push_back({all.ids[other], all.ids[e], mesh.base().rank()});
        owners.push_back(all.owners[other]);
      }
  auto const from_others = send_records<half_edge>(mesh.base(), back, owners).records;
  edges.insert(edges.end(), from_others.begin(), from_others.end());
  keep_distinct(edges);
  return graph_of(all, edges);
}

} // namespace

row_list list_of_rows(adjacency const& rows) {
  row_list made{rows.ab2b.data(), rows.a2ab.data()};
  local_id const count = rows.num_rows();
  std::int64_t const width = count > 0 ? rows.a2ab[1] : 0;
  local_id row = 0;
  while (row < count && rows.a2ab[row + 1] - rows.a2ab[row] == width)
    ++row;
  return row < count ? made : row_list{made.entries, nullptr, static_cast<int>(width)};
}

entity_rows::entity_rows(Mesh const& mesh, int its_from, int its_to)
    : from(its_from),
      to(its_to),
      mesh_(std::make_shared<Mesh const>(mesh)),
      rows_(&mesh.adjacent(its_from, its_to)),
      list_(list_of_rows(*rows_)) {}

entity_rows::entity_rows(adjacency list, int its_from, int its_to)
    : from(its_from), to(its_to), own_(std::move(list)), rows_(&own_), list_(list_of_rows(own_)) {}

step_region entity_rows::joined(step_region const& places) const {
  if (places.is_empty())
    return places;
  return joined_.of(places, [&] {
    auto const around = entities_in(*rows_, places);
    return from == to ? hull(around, places) : around;
  });
}

entity_sources::entity_sources(mesh_set const& at, std::shared_ptr<entity_rows const> its_rows)
    : from_sources(std::move(its_rows)), source_ids_(at.mesh.entities(at.dimension).ids) {
  int const of_targets = from_sources->to;
  adjacency const& around = at.mesh.adjacent(of_targets, at.dimension);
  for (local_id target = 0; target < around.num_rows(); ++target) {
    std::ranges::copy_if(around[target], std::back_inserter(targets2sources_.ab2b),
                         [&](local_id source) { return at.contains(source); });
    targets2sources_.end_row();
  }
  targets_ = places_with(at.mesh.entities(of_targets).num_owned,
                         [&](local_id t) { return !targets2sources_[t].empty(); });
}

step_region entity_sources::of(step_region const& targets) const {
  if (targets.is_empty())
    return targets;
  return sources_.of(targets, [&] { return entities_in(targets2sources_, targets); });
}

std::shared_ptr<source_plan const> entity_sources::plan(step_region const& targets) const {
  return plans_.of(targets, [&] { return made_plan(targets); });
}

std::shared_ptr<source_plan const> entity_sources::made_plan(step_region const& targets) const {
  auto made = std::make_shared<source_plan>();
  auto const sources = of(targets);
  made->sources.assign(sources.ids().begin(), sources.ids().end());
  std::ranges::sort(made->sources, {}, [&](local_id source) { return source_ids_[source]; });
  local_id const first = targets.ids().front(), last = targets.ids().back();
  auto const is_near = [&](local_id target) { return target >= first && target <= last; };
  auto const is_here = [&](local_id target) {
    return is_near(target) && std::ranges::binary_search(targets.ids(), target);
  };
  for (local_id const source : made->sources) {
    auto const row = from_sources->rows()[source];
    made->rows.ab2b.insert(made->rows.ab2b.end(), row.begin(), row.end());
    made->rows.end_row();
  }
  auto& all = made->rows.ab2b;
  made->is_part = last - first + 1 > targets.size() &&
                  std::ranges::any_of(all, [&](local_id e) { return is_near(e) && !is_here(e); });
  if (made->is_part)
    std::ranges::replace_if(
        all, [&](local_id target) { return !is_here(target); }, -1);
  made->targets = {list_of_rows(made->rows), first, static_cast<std::uint32_t>(last - first) + 1};
  if (made->targets.rows.begins == nullptr)
    made->rows.a2ab = {};
  return made;
}

chosen_places::chosen_places(mesh_set const& set)
    : all(places_with(set.mesh.entities(set.dimension).num_local(),
                      [&](local_id place) { return set.contains(place); })) {}

std::vector<step_region> find_colors(Mesh const& mesh, entity_rows const& rows) {
  auto const own = color_graph(mesh.base(), graph_of_rows(mesh, rows));
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

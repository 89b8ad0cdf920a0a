// Graphs that PT-Scotch does not divide: rank 0 gathers the graph, and divides it by Scotch.
#include <seam/mapping/strategies/scotch.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/mapping/strategies/scotch_objects.hpp>

#include <limits>

namespace seam::detail {
namespace {

constexpr int root = 0;

/// The rows of all ranks on rank 0, empty on others. A list of weights is empty if no rank has any.
struct whole_graph {
  std::vector<int> ranks2vertices;                        ///< first vertex of each rank, and end
  std::vector<SCOTCH_Num> vertices2edges, edges2vertices; ///< [vertices + 1], [edges]
  std::vector<std::int64_t> vertex_weights, edge_weights; ///< [vertices], [edges]
};

/// Where the list of each rank begins, and their end. On rank 0.
/// Collective: over `over`.
std::vector<int> starts_of(mpi::comm_view over, std::int64_t length, char const* of) {
  auto const lengths = mpi::gather(over, length, root);
  return collectively(over, [&] {
    auto const total = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    if (total > most)
      refuse(fmt::format("mapping: a graph with {} {} for Scotch (expected at most {}, or "
                         "PT-Scotch, built with this MPI library, on processes)",
                         total, of, most));
    std::vector<int> firsts(lengths.size() + 1, 0);
    std::partial_sum(lengths.begin(), lengths.end(), firsts.begin() + 1);
    return firsts;
  });
}

std::vector<std::int64_t> gather_list(mpi::comm_view over, std::span<std::int64_t const> own,
                                      std::vector<int> const& firsts) {
  return mpi::gather(over, std::vector<std::int64_t>(own.begin(), own.end()), firsts, root);
}

/// Weights of all ranks on rank 0; none if no rank has any.
/// Collective: over `over`.
std::vector<std::int64_t> gather_weights(mpi::comm_view over, std::span<std::int64_t const> own,
                                         std::vector<int> const& firsts) {
  if (mpi::allreduce(over, std::ssize(own), MPI_MAX) == 0)
    return {};
  return gather_list(over, own, firsts);
}

/// Collective: over `over`.
whole_graph gather_rows(mpi::comm_view over, graph_rows const& rows) {
  std::vector<std::int64_t> degrees(rows.vertices2edges.size());
  std::adjacent_difference(rows.vertices2edges.begin(), rows.vertices2edges.end(), degrees.begin());
  auto const own_degrees = std::span<std::int64_t const>(degrees).subspan(1);
  auto vertex_firsts = starts_of(over, std::ssize(own_degrees), "vertices");
  auto const edge_firsts = starts_of(over, std::ssize(rows.edges2vertices), "ends of edges");
  auto const all_degrees = gather_list(over, own_degrees, vertex_firsts);
  auto const ends = gather_list(over, rows.edges2vertices, edge_firsts);
  whole_graph all{.ranks2vertices = {},
                  .vertices2edges = std::vector<SCOTCH_Num>(all_degrees.size() + 1, 0),
                  .edges2vertices = {ends.begin(), ends.end()},
                  .vertex_weights = gather_weights(over, rows.vertex_weights, vertex_firsts),
                  .edge_weights = gather_weights(over, rows.edge_weights, edge_firsts)};
  all.ranks2vertices = std::move(vertex_firsts);
  std::partial_sum(all_degrees.begin(), all_degrees.end(), all.vertices2edges.begin() + 1);
  return all;
}

/// The part of each vertex. [vertices]
std::vector<int> divide(whole_graph const& all, std::span<int const> sizes) {
  auto const vertex_weights = scaled(all.vertex_weights, sum_of(all.vertex_weights));
  auto const edge_weights = scaled(all.edge_weights, sum_of(all.edge_weights));
  auto const weights = [](auto const& list) { return list.empty() ? nullptr : list.data(); };
  auto const num_vertices = static_cast<SCOTCH_Num>(all.vertices2edges.size() - 1);
  auto const* const firsts = all.vertices2edges.data();
  scotch_context context;
  scotch_graph plain, bound;
  check_scotch(SCOTCH_graphBuild(plain.get(), 0, num_vertices, firsts, firsts + 1,
                                 weights(vertex_weights), nullptr, firsts[num_vertices],
                                 all.edges2vertices.data(), weights(edge_weights)),
               "SCOTCH_graphBuild");
  check_scotch(SCOTCH_graphCheck(plain.get()), "SCOTCH_graphCheck");
  check_scotch(SCOTCH_contextBindGraph(context.get(), plain.get(), bound.get()),
               "SCOTCH_contextBindGraph");
  scotch_architecture onto;
  build_flat(onto, sizes);
  scotch_strategy strategy;
  check_scotch(SCOTCH_stratGraphMapBuild(strategy.get(), SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE,
                                         SCOTCH_archSize(onto.get()), imbalance),
               "SCOTCH_stratGraphMapBuild");
  std::vector<SCOTCH_Num> parts(num_vertices);
  check_scotch(SCOTCH_graphMap(bound.get(), onto.get(), strategy.get(), parts.data()),
               "SCOTCH_graphMap");
  return {parts.begin(), parts.end()};
}

} // namespace

std::vector<int> parts_by_gathered_scotch(mpi::comm_view over, graph_rows const& rows,
                                          std::span<int const> sizes) {
  auto const all = gather_rows(over, rows);
  auto parts = collectively(over, [&] {
    return all.vertices2edges.size() > 1 ? divide(all, sizes) : std::vector<int>();
  });
  auto firsts = all.ranks2vertices;
  firsts.resize(over.size() + 1);
  mpi::bcast(over, std::span<int>(firsts), root);
  parts.resize(firsts.back());
  mpi::bcast(over, std::span<int>(parts), root);
  return {parts.begin() + firsts[over.rank()], parts.begin() + firsts[over.rank() + 1]};
}

} // namespace seam::detail

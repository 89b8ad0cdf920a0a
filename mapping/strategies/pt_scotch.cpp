#include <seam/mapping/strategies/scotch.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/mapping/strategies/scotch_objects.hpp>

#include <limits>

#include <ptscotch.h>

namespace seam::detail {
namespace {

using scotch_dgraph = scotch_object<SCOTCH_Dgraph, SCOTCH_dgraphInit, SCOTCH_dgraphExit>;

std::vector<SCOTCH_Num> numbers_of(std::span<std::int64_t const> values) {
  return {values.begin(), values.end()};
}

/// Weights as Scotch takes them; no array if no rank has weights. If another rank has some, a rank
/// without reserves memory for one: its pointer is then not null.
/// Collective: over `over`.
std::vector<SCOTCH_Num> joint_weights(mpi::comm_view over, std::span<std::int64_t const> weights) {
  auto numbers = scaled(weights, mpi::allreduce(over, sum_of(weights), MPI_SUM));
  if (mpi::allreduce(over, std::ssize(weights), MPI_MAX) > 0)
    numbers.reserve(1);
  return numbers;
}

} // namespace

std::vector<int> parts_by_pt_scotch(mpi::comm_view over, graph_rows const& rows,
                                    std::span<int const> sizes) {
  auto const num_vertices = std::ssize(rows.vertices2edges) - 1;
  auto const num_edges = std::ssize(rows.edges2vertices);
  auto const total = mpi::allreduce(over, num_edges, MPI_SUM);
  collectively(over, [&] {
    if (total > std::numeric_limits<SCOTCH_Num>::max())
      refuse(fmt::format("mapping: a graph with {} ends of edges for PT-Scotch (expected at most "
                         "{}, or a Scotch with larger numbers)",
                         total, std::numeric_limits<SCOTCH_Num>::max()));
  });
  auto firsts = numbers_of(rows.vertices2edges), others = numbers_of(rows.edges2vertices);
  auto vertex_weights = joint_weights(over, rows.vertex_weights);
  auto edge_weights = joint_weights(over, rows.edge_weights);
  std::vector<SCOTCH_Num> parts(num_vertices);
  for (auto* numbers : {&others, &parts})
    numbers->reserve(1); // a null pointer would mean that others have no such array either
  mpi::comm const own = mpi::dup(over);
  scotch_context context;
  scotch_dgraph plain(own.native()), bound(own.native());
  collectively(over, [&] {
    auto const edges = static_cast<SCOTCH_Num>(num_edges);
    auto const vertices = static_cast<SCOTCH_Num>(num_vertices);
    check_scotch(SCOTCH_dgraphBuild(plain.get(), 0, vertices, vertices, firsts.data(),
                                    firsts.data() + 1, vertex_weights.data(), nullptr, edges, edges,
                                    others.data(), nullptr, edge_weights.data()),
                 "SCOTCH_dgraphBuild");
    check_scotch(SCOTCH_dgraphCheck(plain.get()), "SCOTCH_dgraphCheck");
  });
  scotch_architecture onto;
  build_flat(onto, sizes);
  scotch_strategy strategy;
  collectively(over, [&] {
    check_scotch(SCOTCH_contextBindDgraph(context.get(), plain.get(), bound.get()),
                 "SCOTCH_contextBindDgraph");
    check_scotch(SCOTCH_stratDgraphMapBuild(strategy.get(),
                                            SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE, over.size(),
                                            SCOTCH_archSize(onto.get()), imbalance),
                 "SCOTCH_stratDgraphMapBuild");
    check_scotch(SCOTCH_dgraphMap(bound.get(), onto.get(), strategy.get(), parts.data()),
                 "SCOTCH_dgraphMap");
  });
  return {parts.begin(), parts.end()};
}

} // namespace seam::detail

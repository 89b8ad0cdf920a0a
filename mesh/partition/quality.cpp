#include <seam/mesh/partition/quality.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/order.hpp>
#include <seam/mesh/partition/migrate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace seam {
using namespace detail;

namespace {

using detail::keep_distinct;

void check_parts(point_cloud const& points, std::span<int const> points2parts, int num_parts) {
  if (points2parts.size() != points.ids.size())
    refuse(fmt::format("partition: {} parts given (expected one for each of {} points)",
                       points2parts.size(), points.ids.size()));
  for (int const part : points2parts)
    if (part < 0 || part >= num_parts)
      refuse(fmt::format("partition: part {} (expected 0 to {})", part, num_parts - 1));
}

void check_graph(point_cloud const& points, point_graph const& graph) {
  auto const& rows = graph.points2edges;
  if (rows.size() != points.ids.size() + 1 || rows.front() != 0 || !std::ranges::is_sorted(rows) ||
      rows.back() != std::ssize(graph.edges2ids))
    refuse(fmt::format("graph: rows of {} points over {} edges (expected {} ascending from 0)",
                       std::ssize(rows) - 1, graph.edges2ids.size(), points.ids.size() + 1));
}

struct id_and_part {
  global_id id;
  int part;

  auto operator<=>(id_and_part const&) const = default;
};

struct question {
  global_id id;
  int asker;
};

using directory = std::vector<id_and_part>; ///< sorted by id

/// The part of `id`, -1 if it is not listed.
int part_in(directory const& known, global_id id) {
  auto const found = std::ranges::lower_bound(known, id, {}, &id_and_part::id);
  return found != known.end() && found->id == id ? found->part : -1;
}

/// Sends each record to the home rank of its id.
template <class T>
std::vector<T> send_to_homes(Communicator const& over, std::vector<T> const& records) {
  std::vector<int> ranks;
  for (T const& record : records)
    ranks.push_back(static_cast<int>(record.id % over.size()));
  return migrate<T>(over, std::span<T const>(records), ranks);
}

/// The part of each of `wanted`, distinct ids of any rank; -1 for ids that no rank has.
/// Collective: over `over` (three migrations).
directory look_up(Communicator const& over, directory const& own,
                  std::vector<global_id> const& wanted) {
  directory met = send_to_homes(over, own);
  std::ranges::sort(met);
  std::vector<question> questions;
  for (global_id const id : wanted)
    questions.push_back({id, over.rank()});
  directory answers;
  std::vector<int> askers;
  for (question const& asked : send_to_homes(over, questions)) {
    answers.push_back({asked.id, part_in(met, asked.id)});
    askers.push_back(asked.asker);
  }
  directory known = migrate<id_and_part>(over, std::span<id_and_part const>(answers), askers);
  std::ranges::sort(known);
  return known;
}

/// A part that has an edge to another.
struct pair_of_parts {
  std::int64_t id; ///< the part
  int other;

  auto operator<=>(pair_of_parts const&) const = default;
};

/// Number of other parts of each part. [num_parts]
std::vector<int> count_neighbors(Communicator const& over, std::vector<pair_of_parts> pairs,
                                 int num_parts) {
  keep_distinct(pairs);
  auto met = send_to_homes(over, pairs);
  keep_distinct(met);
  std::vector<int> counts(num_parts);
  for (pair_of_parts const& pair : met)
    ++counts[pair.id];
  mpi::allreduce(over.context(), std::span(counts), MPI_SUM);
  return counts;
}

/// The part at the other end of every edge. [edges]
/// Collective: over `over`.
std::vector<int> parts_across(Communicator const& over, point_cloud const& points,
                              point_graph const& graph, std::span<int const> points2parts) {
  directory own;
  for (local_id i = 0; i < points.num_points(); ++i)
    own.push_back({points.ids[i], points2parts[i]});
  std::vector<global_id> wanted(graph.edges2ids.begin(), graph.edges2ids.end());
  keep_distinct(wanted);
  directory const known = look_up(over, own, wanted);
  std::vector<int> parts;
  for (global_id const id : graph.edges2ids)
    parts.push_back(part_in(known, id));
  collectively(over.context(), [&] {
    auto const missing = std::ranges::find(parts, -1);
    if (missing != parts.end())
      refuse(fmt::format("graph: an edge to id {} (expected one that a rank has)",
                         graph.edges2ids[missing - parts.begin()]));
  });
  return parts;
}

/// The edges between parts at this rank's points, and the points that other parts need.
struct counted_edges {
  std::int64_t cut = 0, volume = 0;
  std::vector<pair_of_parts> pairs;
};

/// Counts this rank's edges between parts.
/// @param across  [edges] the part at the other end of each
counted_edges count_edges(point_graph const& graph, std::span<int const> points2parts,
                          std::span<int const> across) {
  counted_edges sums;
  std::vector<int> others;
  for (local_id i = 0; i < std::ssize(points2parts); ++i) {
    others.clear();
    for (auto e = graph.points2edges[i]; e < graph.points2edges[i + 1]; ++e)
      if (int const other = across[e]; other != points2parts[i])
        others.push_back(other);
    sums.cut += std::ssize(others);
    keep_distinct(others);
    sums.volume += std::ssize(others);
    for (int const other : others)
      sums.pairs.push_back({points2parts[i], other});
  }
  return sums;
}

/// Surface of a box around points, 0 if there are none. [-lo, hi, -lo, hi, ...]
double surface_of(std::span<double const> bounds) {
  auto const num_axes = std::ssize(bounds) / 2;
  auto const extent = [&](int axis) { return bounds[2 * axis] + bounds[2 * axis + 1]; };
  if (!(extent(0) >= 0))
    return 0;
  double surface = 0;
  for (int face = 0; face < num_axes; ++face) {
    double area = 2;
    for (int axis = 0; axis < num_axes; ++axis)
      area *= axis != face ? extent(axis) : 1;
    surface += area;
  }
  return surface;
}

} // namespace

balance balance_of(Communicator const& over, point_cloud const& points,
                   std::span<int const> points2parts, int num_parts) {
  mpi::comm_view const all = over.context();
  collectively(all, [&] { check_parts(points, points2parts, num_parts); });
  balance found;
  found.num_points.resize(num_parts);
  found.weights.resize(num_parts);
  for (local_id i = 0; i < points.num_points(); ++i) {
    int const part = points2parts[i];
    ++found.num_points[part];
    found.weights[part] += points.weights.empty() ? 1 : points.weights[i];
  }
  mpi::allreduce(all, std::span(found.num_points), MPI_SUM);
  mpi::allreduce(all, std::span(found.weights), MPI_SUM);
  double total = 0;
  for (double const weight : found.weights)
    total += weight;
  if (total > 0)
    found.imbalance = std::ranges::max(found.weights) * num_parts / total;
  return found;
}

connection connection_of(Communicator const& over, point_cloud const& points,
                         point_graph const& graph, std::span<int const> points2parts,
                         int num_parts) {
  collectively(over.context(), [&] {
    check_parts(points, points2parts, num_parts);
    check_graph(points, graph);
    for (std::span const ids : {points.ids, graph.edges2ids})
      for (global_id const id : ids)
        if (id < 0)
          refuse(fmt::format("graph: id {} (expected at least 0)", id));
  });
  auto const across = parts_across(over, points, graph, points2parts);
  auto own = count_edges(graph, points2parts, across);
  std::array cut_and_volume{own.cut, own.volume};
  mpi::allreduce(over.context(), std::span<std::int64_t>(cut_and_volume), MPI_SUM);
  return {.edge_cut = cut_and_volume[0] / 2,
          .volume = cut_and_volume[1],
          .num_neighbors = count_neighbors(over, std::move(own.pairs), num_parts)};
}

double box_surface_of(Communicator const& over, point_cloud const& points,
                      std::span<int const> points2parts, int num_parts) {
  collectively(over.context(), [&] { check_parts(points, points2parts, num_parts); });
  std::int64_t const num_axes = points.num_dimensions;
  std::vector<double> bounds(2 * num_axes * num_parts, -std::numeric_limits<double>::infinity());
  for (local_id i = 0; i < points.num_points(); ++i)
    for (int axis = 0; axis < num_axes; ++axis) {
      double* const own = &bounds[2 * (num_axes * points2parts[i] + axis)];
      own[0] = std::max(own[0], -points.coordinates[axis][i]);
      own[1] = std::max(own[1], points.coordinates[axis][i]);
    }
  mpi::allreduce(over.context(), std::span(bounds), MPI_MAX);
  double surface = 0;
  for (int part = 0; part < num_parts; ++part)
    surface +=
        surface_of(std::span<double const>(bounds).subspan(2 * num_axes * part, 2 * num_axes));
  return surface;
}

} // namespace seam

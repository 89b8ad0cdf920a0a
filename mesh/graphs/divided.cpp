#include <seam/mesh/graphs/divided.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mesh/entities/file_numbers.hpp>
#include <seam/mesh/entities/joined_vertices.hpp>
#include <seam/mesh/entities/vertex_places.hpp>
#include <seam/mesh/graphs/distributed_graph.hpp>
#include <seam/mesh/graphs/partition_mesh.hpp>
#include <seam/mesh/input/elements.hpp>
#include <seam/mesh/input/id_homes.hpp>
#include <seam/mesh/input/input_check.hpp>
#include <seam/mesh/partition/partition.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>

namespace seam {
using namespace detail;

namespace {

void add_point(point_set& to, vector3 const& place, global_id id) {
  for (int axis = 0; axis < 3; ++axis)
    to.coordinates[axis].push_back(place[axis]);
  to.ids.push_back(id);
}

/// Leaves out trailing axes on which all points are 0.
/// Collective: over `over`.
void drop_unused_axes(Communicator const& over, point_set& of) {
  std::array<int, 3> is_used{1, 0, 0};
  for (int axis = 1; axis < 3; ++axis)
    is_used[axis] =
        std::ranges::any_of(of.coordinates[axis], [](double x) { return x != 0; }) ? 1 : 0;
  largest_of_all(over.context(), is_used);
  while (is_used[of.num_dimensions - 1] == 0)
    of.coordinates[--of.num_dimensions].clear();
}

point_set points_at_vertices(Communicator const& over, mesh_input const& input) {
  point_set points;
  for (std::size_t v = 0; v < input.vertex_ids.size(); ++v) {
    double const* const at = &input.coordinates[3 * v];
    add_point(points, {at[0], at[1], at[2]}, input.vertex_ids[v]);
  }
  drop_unused_axes(over, points);
  return points;
}

/// The centers of cells.
/// Collective: over `over`.
point_set points_in_cells(Communicator const& over, mesh_input const& input) {
  std::vector<global_id> ids = input.cells.vertices;
  keep_distinct(ids);
  global_id const largest = mpi::allreduce(over.context(), ids.empty() ? 0 : ids.back(), MPI_MAX);
  auto const places = find_places(over, ids, input, largest);
  point_set points;
  for (local_id c = 0; c < input.cells.num_elements(); ++c) {
    vector3 sum{};
    auto const vertices = vertices_of(input.cells, c);
    for (global_id const vertex : vertices) {
      auto const at = 3 * (std::ranges::lower_bound(ids, vertex) - ids.begin());
      sum += vector3{places[at], places[at + 1], places[at + 2]};
    }
    for (vertex_image const& image : images_of(input.cells, c))
      sum += translation_of(image, input.periods);
    for (double& coordinate : sum) // rounded as in Mesh::center()
      coordinate /= static_cast<double>(vertices.size());
    add_point(points, sum, input.cells.ids[c]);
  }
  drop_unused_axes(over, points);
  return points;
}

/// A point's place on the curve.
struct curve_place {
  double position;
  global_id id;
};

/// Numbers points along Hilbert's curve, from 0; those in the same place by id. [num_points()]
/// Collective: over `over`.
std::vector<global_id> numbers_along_curve(Communicator const& over, point_cloud const& points) {
  auto const positions = positions_on_curve(over, points, examine(over, points));
  auto const parts = partition_by_hilbert(over, points, over.size());
  std::vector<curve_place> own;
  for (std::size_t k = 0; k < positions.size(); ++k)
    own.push_back({positions[k], points.ids[k]});
  return ask<global_id, curve_place>(over, own, parts, [&](received<curve_place> const& met) {
    auto const count = std::ssize(met.records);
    global_id next = mpi::sum_before(over.context(), count);
    std::vector<global_id> numbers(count);
    for (std::int64_t const k : order_by(count, [&](std::int64_t r) {
           return std::pair(met.records[r].position, met.records[r].id);
         }))
      numbers[k] = next++;
    return numbers;
  });
}

/// New ids of vertices, each known at the home of the old one.
class renumbering {
public:
  renumbering(Communicator const& over, std::span<global_id const> old,
              std::span<global_id const> ids)
      : over_(over) {
    std::vector<pair> own;
    for (std::size_t k = 0; k < old.size(); ++k)
      own.push_back({old[k], ids[k]});
    here_ = send_records<pair>(over, own, homes(old)).records;
    std::ranges::sort(here_, {}, &pair::old);
  }

  /// Replaces old ids, which all have a new one.
  /// Collective: over the same ranks.
  void operator()(std::vector<global_id>& ids) const {
    std::vector<global_id> distinct = ids;
    keep_distinct(distinct);
    auto const found = ask<global_id, global_id>(
        over_, distinct, homes(distinct), [&](received<global_id> const& asked) {
          std::vector<global_id> answers;
          for (global_id const id : asked.records) {
            auto const at = std::ranges::lower_bound(here_, id, {}, &pair::old);
            answers.push_back(at != here_.end() && at->old == id ? at->id : no_id);
          }
          return answers;
        });
    collectively(over_.context(), [&] { require_all(distinct, found); });
    for (global_id& id : ids)
      id = found[std::ranges::lower_bound(distinct, id) - distinct.begin()];
  }

private:
  struct pair {
    global_id old, id;
  };

  static void require_all(std::span<global_id const> ids, std::span<global_id const> found) {
    auto const missing = std::ranges::find(found, no_id) - found.begin();
    if (missing < std::ssize(found))
      refuse(fmt::format("mesh: a boundary element with vertex {} (expected one that is given with "
                         "its coordinates)",
                         ids[missing]));
  }

  std::vector<int> homes(std::span<global_id const> ids) const {
    std::vector<int> ranks;
    for (global_id const id : ids)
      ranks.push_back(home_of_id(id, over_.size()));
    return ranks;
  }

  Communicator const& over_;
  std::vector<pair> here_;
};

/// Numbers cells and vertices along the curve.
/// @param centers  of the cells, which get the new ids
/// Collective: over `over`.
void number_along_curve(Communicator const& over, mesh_input& input, point_set& centers) {
  auto const vertices = numbers_along_curve(over, points_at_vertices(over, input));
  centers.ids = numbers_along_curve(over, centers);
  renumbering const renumber(over, input.vertex_ids, vertices);
  renumber(input.cells.vertices);
  renumber(input.boundary.vertices);
  input.file_numbers = std::make_shared<file_numbers const>(file_numbers{
      old_ids(over, vertices, input.vertex_ids), old_ids(over, centers.ids, input.cells.ids)});
  input.vertex_ids = vertices;
  input.cells.ids = centers.ids;
}

/// The rank of each cell, by the graph of cells, for which a mesh without ghosts is made.
/// Collective: over `over`.
std::vector<int> ranks_by_scotch(Communicator const& over, mesh_input const& input,
                                 std::span<double const> weights) {
  Mesh const mesh(over, input, {.depth = 0});
  auto const by_id =
      order_by(std::ssize(input.cells.ids), [&](std::int64_t c) { return input.cells.ids[c]; });
  std::vector<double> sorted;
  for (std::int64_t const c : by_id)
    if (!weights.empty())
      sorted.push_back(weights[c]);
  auto const found = partition_by_scotch(mesh.base(), dual_graph(mesh), over.size(), sorted);
  std::vector<int> ranks(found.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    ranks[by_id[k]] = found[k];
  return ranks;
}

} // namespace

Mesh divided(Communicator const& over, mesh_input const& input, divide_options const& options) {
  call_scope const here("divided");
  check_input(over, input);
  collectively(over.context(), [&] {
    if (!options.weights.empty() && std::ssize(options.weights) != input.cells.num_elements())
      refuse(fmt::format("divided: {} weights (expected one for each of {} cells, or none)",
                         options.weights.size(), input.cells.num_elements()));
  });
  mesh_input made = join_vertices(over, input).value_or(input);
  auto centers = points_in_cells(over, made);
  number_along_curve(over, made, centers);
  centers.weights = options.weights;
  made.cells = migrate_elements(over, made.cells,
                                options.method == partition_method::scotch
                                    ? ranks_by_scotch(over, made, options.weights)
                                    : partition(over, centers, over.size(), options.method));
  return Mesh(over, made, options.ghosts);
}

} // namespace seam

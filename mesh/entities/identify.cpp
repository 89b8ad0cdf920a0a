#include <seam/mesh/entities/identify.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mesh/entities/vertex_places.hpp>
#include <seam/mesh/input/elements.hpp>
#include <seam/mesh/input/id_homes.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace seam {
using namespace detail;

namespace {

/// A vertex of one of the two borders.
struct border_vertex {
  vector3 place;
  global_id id;
};

struct border {
  std::vector<border_vertex> vertices; ///< of this rank, each once
  vector3 mean{};                      ///< of the corners of all ranks' elements
};

/// The vertices of a border.
/// Collective: over `over`.
border find_border(Communicator const& over, mesh_input const& input, std::int32_t tag) {
  std::vector<global_id> corners;
  element_list const& elements = input.boundary;
  for (local_id e = 0; e < elements.num_elements(); ++e)
    if (elements.tags[e] == tag && dimensions_of(elements.shapes[e]) == input.num_dimensions - 1) {
      auto const own = vertices_of(elements, e);
      corners.insert(corners.end(), own.begin(), own.end());
    }
  auto ids = corners;
  keep_distinct(ids);
  global_id largest = 0;
  for (global_id const id : input.vertex_ids)
    largest = std::max(largest, id);
  largest = mpi::allreduce(over.context(), largest, MPI_MAX);
  auto const places = find_places(over, ids, input, largest, "a boundary element");
  border found;
  for (std::size_t k = 0; k < ids.size(); ++k)
    found.vertices.push_back({{places[3 * k], places[3 * k + 1], places[3 * k + 2]}, ids[k]});
  std::array<double, 4> sums{0, 0, 0, static_cast<double>(corners.size())};
  for (global_id const id : corners)
    for (int axis = 0; axis < 3; ++axis)
      sums[axis] += places[3 * (std::ranges::lower_bound(ids, id) - ids.begin()) + axis];
  mpi::allreduce(over.context(), std::span<double>(sums), MPI_SUM);
  if (sums[3] == 0)
    throw usage_error(fmt::format("identify: tag {} (expected that of boundary elements of "
                                  "dimension {})",
                                  tag, input.num_dimensions - 1),
                      true);
  for (int axis = 0; axis < 3; ++axis)
    found.mean[axis] = sums[axis] / sums[3];
  return found;
}

/// Places are matched in small cubes, each of which has a home.
class small_cubes {
public:
  small_cubes(double tolerance, int num_ranks) : edge_(4 * tolerance), num_ranks_(num_ranks) {}

  int home_of(vector3 const& place) const {
    std::uint64_t hash = 0;
    for (double const x : place)
      hash = hash * 0x9e3779b97f4a7c15U +
             static_cast<std::uint64_t>(static_cast<std::int64_t>(std::floor(x / edge_)));
    return home_of_id(static_cast<global_id>(hash >> 2U), num_ranks_);
  }

  /// The homes of the cubes that have places less than the tolerance away. At most 8.
  std::vector<int> homes_around(vector3 const& place) const {
    std::vector<int> homes;
    for (int corner = 0; corner < 8; ++corner) {
      vector3 at = place;
      for (int axis = 0; axis < 3; ++axis)
        at[axis] += ((corner >> axis) & 1) != 0 ? edge_ / 4 : -edge_ / 4;
      homes.push_back(home_of(at));
    }
    keep_distinct(homes);
    return homes;
  }

private:
  double edge_;
  int num_ranks_;
};

/// The vertices of the second border whose home this rank is, along one axis.
class known_vertices {
public:
  known_vertices(Communicator const& over, border const& of, small_cubes const& cubes,
                 double tolerance)
      : tolerance_(tolerance) {
    std::vector<int> homes;
    for (border_vertex const& each : of.vertices)
      homes.push_back(cubes.home_of(each.place));
    all_ = send_records<border_vertex>(over, of.vertices, homes).records;
    std::ranges::sort(all_, {}, [](border_vertex const& at) { return at.place[0]; });
    is_met_.assign(all_.size(), 0);
  }

  /// The vertex at a place, no_id if there is none.
  global_id at(vector3 const& place) {
    auto next = std::ranges::lower_bound(all_, place[0] - tolerance_, {},
                                         [](border_vertex const& v) { return v.place[0]; });
    global_id found = no_id;
    for (; next != all_.end() && next->place[0] <= place[0] + tolerance_; ++next)
      if (length(next->place - place) <= tolerance_) {
        is_met_[next - all_.begin()] = 1;
        found = std::min(found, next->id);
      }
    return found;
  }

  void require_met(std::int32_t from, std::int32_t to) const {
    for (std::size_t k = 0; k < all_.size(); ++k)
      if (is_met_[k] == 0)
        refuse(
            fmt::format("identify: vertex {} of the border with tag {} at ({:.6g}) (expected one "
                        "of tag {} a translation before)",
                        all_[k].id, to, fmt::join(all_[k].place, ", "), from));
  }

private:
  double tolerance_;
  std::vector<border_vertex> all_;
  std::vector<char> is_met_;
};

} // namespace

void identify(Communicator const& over, mesh_input& input, std::int32_t from, std::int32_t to,
              std::optional<std::array<double, 3>> by) {
  constexpr double tolerance = 1e-6;
  call_scope const here("identify");
  border const first = find_border(over, input, from), second = find_border(over, input, to);
  vector3 const step = by.value_or(second.mean - first.mean);
  double const error = tolerance * length(step);
  if (!(error > 0) || !std::isfinite(error))
    throw usage_error(
        fmt::format("identify: a translation by ({:.6g}) from tag {} to tag {} (expected "
                    "one to another place)",
                    fmt::join(step, ", "), from, to),
        true);
  small_cubes const cubes(error, over.size());
  known_vertices known(over, second, cubes, error);
  std::vector<vector3> wanted;
  std::vector<std::size_t> owners;
  std::vector<int> homes;
  for (std::size_t k = 0; k < first.vertices.size(); ++k) {
    vector3 place = first.vertices[k].place;
    place += step;
    for (int const home : cubes.homes_around(place)) {
      wanted.push_back(place);
      owners.push_back(k);
      homes.push_back(home);
    }
  }
  auto const answers =
      ask<global_id, vector3>(over, wanted, homes, [&](received<vector3> const& asked) {
        std::vector<global_id> found;
        for (vector3 const& place : asked.records)
          found.push_back(known.at(place));
        return found;
      });
  std::vector<global_id> partners(first.vertices.size(), no_id);
  for (std::size_t k = 0; k < answers.size(); ++k)
    partners[owners[k]] = std::min(partners[owners[k]], answers[k]);
  collectively(over.context(), [&] {
    for (std::size_t k = 0; k < partners.size(); ++k)
      if (partners[k] == no_id)
        refuse(
            fmt::format("identify: vertex {} of the border with tag {} at ({:.6g}) (expected one "
                        "of tag {} ({:.6g}) further)",
                        first.vertices[k].id, from, fmt::join(first.vertices[k].place, ", "), to,
                        fmt::join(step, ", ")));
    known.require_met(from, to);
  });
  for (std::size_t k = 0; k < partners.size(); ++k)
    input.joined.push_back({partners[k], first.vertices[k].id});
}

} // namespace seam

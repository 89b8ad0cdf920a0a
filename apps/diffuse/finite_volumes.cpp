#include "finite_volumes.hpp"

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/collective.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace diffuse {
namespace {

using seam::local_id;
using vec3 = std::array<double, 3>;

vec3 operator-(vec3 const& a, vec3 const& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

vec3 cross(vec3 const& a, vec3 const& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(vec3 const& a, vec3 const& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

double length(vec3 const& a) { return std::sqrt(dot(a, a)); }

/// The places of a side's vertices, around it from the one with the least id toward the lesser of
/// those beside it: the same in whatever order a rank has them.
std::vector<vec3> corners_of(seam::Mesh const& mesh, local_id side) {
  auto const row = mesh.sides().vertices[side];
  std::vector<local_id> around(row.begin(), row.end());
  auto const id_of = [&](local_id v) { return mesh.vertices().ids[std::size_t(v)]; };
  std::ranges::rotate(around, std::ranges::min_element(around, {}, id_of));
  if (around.size() > 2 && id_of(around.back()) < id_of(around[1]))
    std::reverse(around.begin() + 1, around.end());
  std::vector<vec3> places;
  for (local_id const v : around) {
    auto const at = mesh.coordinates().subspan(3 * std::size_t(v), 3);
    places.push_back({at[0], at[1], at[2]});
  }
  return places;
}

/// The side's area times its normal, of either sign.
vec3 normal_of(std::vector<vec3> const& corners) {
  vec3 const n = corners.size() == 3 ? cross(corners[1] - corners[0], corners[2] - corners[0])
                                     : cross(corners[2] - corners[0], corners[3] - corners[1]);
  return {n[0] / 2, n[1] / 2, n[2] / 2};
}

/// A point's size is 1.
double size_of(std::vector<vec3> const& corners) {
  if (corners.size() == 1)
    return 1;
  return corners.size() == 2 ? length(corners[1] - corners[0]) : length(normal_of(corners));
}

/// The size of the cone from `tip` to a side.
double cone(vec3 const& tip, std::vector<vec3> const& corners) {
  vec3 const to = corners[0] - tip;
  if (corners.size() == 1)
    return length(to);
  if (corners.size() == 2)
    return length(cross(to, corners[1] - tip)) / 2;
  return std::abs(dot(to, normal_of(corners))) / 3;
}

[[noreturn]] void refuse_cell(seam::Mesh const& mesh, local_id cell, std::string const& why) {
  throw seam::usage_error(fmt::format("diffuse: cell {} {}", mesh.cells().ids[std::size_t(cell)],
                                      why));
}

/// Adds the next cell. Returns the longest step that it allows.
double add_cell(seam::Mesh const& mesh, local_id cell, finite_volumes& to) {
  int const d = mesh.num_dimensions();
  vec3 const center = mesh.center(d, cell);
  double volume = 0, sum = 0;
  for (local_id const side : mesh.adjacent(d, d - 1)[cell]) {
    auto const corners = corners_of(mesh, side);
    volume += cone(center, corners);
    for (local_id const other : mesh.adjacent(d - 1, d)[side]) {
      if (other == cell)
        continue;
      double const distance = length(mesh.center(d, other) - center);
      if (!(distance > 0))
        refuse_cell(mesh, cell, "and one beside it have the same center (expected two)");
      to.cells2neighbors.ab2b.push_back(other);
      to.conductances.push_back(size_of(corners) / distance);
      sum += to.conductances.back();
    }
  }
  if (!(volume > 0))
    refuse_cell(mesh, cell, fmt::format("has the size {} (expected more)", volume));
  to.cells2neighbors.end_row();
  to.volumes.push_back(volume);
  return sum > 0 ? volume / sum : std::numeric_limits<double>::infinity();
}

} // namespace

finite_volumes make_finite_volumes(seam::Mesh const& mesh) {
  seam::mpi::comm_view const over = mesh.base().context();
  finite_volumes made;
  made.longest_step = std::numeric_limits<double>::infinity();
  seam::collectively(over, [&] {
    for (local_id c = 0; c < mesh.cells().num_owned; ++c)
      made.longest_step = std::min(made.longest_step, add_cell(mesh, c, made));
  });
  made.longest_step = seam::mpi::allreduce(over, made.longest_step, MPI_MIN);
  return made;
}

} // namespace diffuse

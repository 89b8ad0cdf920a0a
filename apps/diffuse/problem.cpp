#include "problem.hpp"

#include <seam/exchange.hpp>
#include <seam/mesh.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace diffuse {
namespace {

/// Refuses a tag that no cell has.
/// Collective: over the mesh.
void check_tags(seam::Mesh const& mesh, std::vector<tagged_number> const& conductivities) {
  for (tagged_number const& given : conductivities) {
    bool const is_here = std::ranges::count(mesh.cells().tags, given.tag) > 0;
    if (seam::largest_of_all(mesh.base(), is_here ? 1 : 0) == 0)
      throw seam::usage_error(fmt::format("diffuse: --conductivity: no cell has the tag {} "
                                          "(expected a tag of the mesh)",
                                          given.tag),
                              true);
  }
}

/// Makes the conductivity of cells from their tags; 1 for tags without a number.
seam::conductivity conductivity_of(seam::Mesh const& mesh, options const& wanted) {
  if (wanted.conductivities.empty())
    return {};
  return [mesh, wanted](seam::local_id cell, std::array<double, 3> const&) {
    auto const found =
        std::ranges::find(wanted.conductivities, mesh.cells().tags[cell], &tagged_number::tag);
    return found == wanted.conductivities.end() ? 1 : found->number;
  };
}

std::vector<seam::side_condition> conditions_of(options const& wanted) {
  std::vector<seam::side_condition> conditions;
  for (tagged_number const& value : wanted.values)
    conditions.push_back(seam::given_value(value.tag, value.number));
  for (tagged_number const& inflow : wanted.inflows)
    conditions.push_back(seam::given_inflow(inflow.tag, inflow.number));
  return conditions;
}

} // namespace

problem pose_problem(seam::Mesh const& mesh, options const& wanted) {
  check_tags(mesh, wanted.conductivities);
  auto const conductivity = conductivity_of(mesh, wanted);
  return {seam::find_vertex_fluxes(mesh, conductivity),
          seam::find_vertex_borders(mesh, conditions_of(wanted), conductivity)};
}

void fill_hot_spot(seam::MeshField<double>& u, seam::MeshField<double> const& given) {
  seam::Mesh const& mesh = u.mesh();
  auto const places = mesh.coordinates();
  std::array<double, 3> middle;
  double width = 0;
  for (int a = 0; a < 3; ++a) {
    auto const place = [=](seam::local_id v) { return places[3 * std::int64_t{v} + a]; };
    double const low = seam::minimum(mesh, 0, place), high = seam::maximum(mesh, 0, place);
    middle[a] = (low + high) / 2;
    width = std::max(width, (high - low) / 10);
  }
  for (seam::local_id v = 0; v < mesh.vertices().num_owned; ++v) {
    double squared = 0;
    for (int a = 0; a < 3; ++a)
      squared += std::pow(places[3 * std::int64_t{v} + a] - middle[a], 2);
    u(v) = std::isnan(given(v)) ? std::exp(-squared / (width * width)) : given(v);
  }
}

} // namespace diffuse

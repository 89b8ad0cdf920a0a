#include "problem.hpp"

#include <seam/exchange.hpp>
#include <seam/mesh.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace diffuse {
namespace {

/// Refuses a tag that no cell has.
/// Collective: over the mesh.
void require_cells(seam::Mesh const& mesh, std::int32_t tag) {
  bool const is_here = std::ranges::count(mesh.cells().tags, tag) > 0;
  if (seam::largest_of_all(mesh.base(), is_here ? 1 : 0) == 0)
    throw seam::usage_error(fmt::format("diffuse: --conductivity: no cell has the tag {} "
                                        "(expected a tag of the mesh)",
                                        tag),
                            true);
}

/// Makes the conductivity of cells from their tags; 1 for tags without a number.
/// Collective: over the mesh.
seam::conductivity conductivity_of(seam::Mesh const& mesh, options const& wanted) {
  std::map<std::int32_t, double> numbers;
  for (auto const& [group, number] : wanted.conductivities) {
    std::int32_t const tag = mesh.tag(group, seam::cells);
    require_cells(mesh, tag);
    if (!numbers.try_emplace(tag, number).second)
      throw seam::usage_error(fmt::format("diffuse: --conductivity: two numbers for the tag {} "
                                          "(expected one)",
                                          tag),
                              true);
  }
  if (numbers.empty())
    return {};
  return [mesh, numbers](seam::local_id cell, std::array<double, 3> const&) {
    auto const found = numbers.find(mesh.cells().tags[cell]);
    return found == numbers.end() ? 1 : found->second;
  };
}

std::vector<seam::side_condition> conditions_of(seam::Mesh const& mesh, options const& wanted) {
  std::vector<seam::side_condition> conditions;
  for (auto const& [group, value] : wanted.values)
    conditions.push_back(seam::given_value(mesh.tag(group, seam::sides), value));
  for (auto const& [group, inflow] : wanted.inflows)
    conditions.push_back(seam::given_inflow(mesh.tag(group, seam::sides), inflow));
  return conditions;
}

} // namespace

problem pose_problem(seam::Mesh const& mesh, options const& wanted) {
  auto const conductivity = conductivity_of(mesh, wanted);
  return {seam::find_vertex_fluxes(mesh, conductivity),
          seam::find_vertex_borders(mesh, conditions_of(mesh, wanted), conductivity)};
}

void fill_hot_spot(seam::MeshField<double>& u, seam::MeshField<double> const& given) {
  seam::Mesh const& mesh = u.mesh();
  seam::bounding_box const box = seam::bounds(mesh);
  double const width = std::max({box.extent(0), box.extent(1), box.extent(2)}) / 10;
  seam::for_each(mesh, seam::vertices, [&](seam::local_id v) {
    double squared = 0;
    for (int a = 0; a < 3; ++a)
      squared += std::pow(mesh.center(0, v)[a] - (box.lo[a] + box.hi[a]) / 2, 2);
    u(v) = std::isnan(given(v)) ? std::exp(-squared / (width * width)) : given(v);
  });
}

} // namespace diffuse

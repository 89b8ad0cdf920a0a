#include <seam/framework/mesh_diffusion.hpp>

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/collective.hpp>
#include <seam/mesh/mesh_halo.hpp>
#include <seam/mesh/two_point_flux.hpp>

#include <fmt/format.h>

#include <map>

namespace seam {
namespace {

using conditions_by_tag = std::map<std::int32_t, side_condition const*>;

conditions_by_tag sort_by_tag(std::vector<side_condition> const& conditions) {
  conditions_by_tag sorted;
  for (side_condition const& one : conditions)
    if (!sorted.try_emplace(one.tag, &one).second)
      refuse(fmt::format("diffusion: two conditions on the sides with tag {} (expected one)",
                         one.tag));
  return sorted;
}

/// Adds what the border contributes to diagonals and sources.
void add_border(diffusion_system& system, std::vector<double>& diagonal, Mesh const& mesh,
                std::vector<border_flux> const& border, conditions_by_tag const& conditions) {
  for (border_flux const& one : border) {
    auto const found = conditions.find(mesh.sides().tags[static_cast<std::size_t>(one.side)]);
    if (found == conditions.end())
      continue;
    double const given = found->second->given(mesh.center(mesh.sides().dimension, one.side));
    auto const row = static_cast<std::size_t>(one.cell);
    bool const is_value = found->second->what == side_condition::kind::value;
    diagonal[row] += is_value ? one.conductance : 0;
    system.sources[row] += (is_value ? one.conductance : one.area) * given;
  }
}

/// What all neighbors of each cell draw from it together.
std::vector<double> sum_rows(two_point_fluxes const& fluxes) {
  std::vector<double> sums;
  for (local_id c = 0; c < fluxes.cells2cells.num_rows(); ++c) {
    double sum = 0;
    for (auto k = fluxes.cells2cells.a2ab[std::size_t(c)];
         k < fluxes.cells2cells.a2ab[std::size_t(c) + 1]; ++k)
      sum += fluxes.conductances[static_cast<std::size_t>(k)];
    sums.push_back(sum);
  }
  return sums;
}

} // namespace

MeshField<std::int64_t> number_cells(Mesh const& mesh) {
  MeshField<std::int64_t> rows(mesh, "rows", mesh.num_dimensions());
  std::int64_t const count = mesh.cells().num_owned;
  std::int64_t first = 0;
  mpi::comm_view const all = mesh.base().context();
  mpi::check(MPI_Exscan(&count, &first, 1, MPI_INT64_T, MPI_SUM, all.native()), "MPI_Exscan");
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    rows(c) = (all.rank() == 0 ? 0 : first) + c;
  make_halo(rows).run();
  return rows;
}

diffusion_system assemble_diffusion(Mesh const& mesh,
                                    std::vector<side_condition> const& conditions) {
  auto const by_tag = collectively(mesh.base().context(), [&] { return sort_by_tag(conditions); });
  auto fluxes = find_two_point_fluxes(mesh);
  auto const rows = number_cells(mesh);
  std::size_t const count = fluxes.volumes.size();
  diffusion_system system{{}, std::move(fluxes.volumes), std::vector<double>(count)};
  auto diagonal = sum_rows(fluxes);
  collectively(mesh.base().context(),
               [&] { add_border(system, diagonal, mesh, fluxes.border, by_tag); });
  std::size_t entry = 0;
  for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
    system.matrix.add(rows(c), diagonal[static_cast<std::size_t>(c)]);
    for (local_id const other : fluxes.cells2cells[c])
      system.matrix.add(rows(other), -fluxes.conductances[entry++]);
    system.matrix.end_row();
  }
  return system;
}

} // namespace seam

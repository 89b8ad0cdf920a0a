#include <seam/framework/solve/grid_diffusion.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/ghosts/halo.hpp>

#include <fmt/format.h>

namespace seam {
using namespace detail;

namespace {

constexpr std::int64_t beyond_domain = -1;

template <int D>
void check(Field<double, D> const& u) {
  auto const& ghosts = u.grid().ghosts();
  if (u.on() != on_cells || u.num_components() != 1)
    refuse(
        fmt::format("diffusion: field '{}' has components, or lies on faces or corners (expected "
                    "one value for each cell)",
                    u.name()));
  for (int a = 0; a < std::ssize(ghosts.below); ++a)
    if (ghosts.below[a] < 1 || ghosts.above[a] < 1)
      refuse(fmt::format("diffusion: field '{}' has no ghosts on axis {} (expected a neighborhood "
                         "with the faces of cells, as von_neumann(1))",
                         u.name(), a));
  u.shared()->check_borders();
  for (filled_border const& filled : u.shared()->borders)
    if (!filled.conditions.empty() &&
        (filled.conditions.front().source.is_used() || filled.conditions.front().num_seen > 0))
      refuse(fmt::format(
          "diffusion: field '{}' has a boundary condition that reads {} (expected "
          "conditions of the mirror image's value)",
          u.name(), filled.conditions.front().num_seen > 0 ? "further inside" : "another field"));
}

/// Numbers the rows of cells, ghosts included; beyond_domain for ghosts outside the domain.
/// Collective: over the grid.
template <int D>
Field<std::int64_t, D> number_cells(Grid<D> const& grid) {
  auto rows = grid.template field<std::int64_t>("rows");
  std::int64_t row = mpi::sum_before(grid.base().context(), grid.owned().num_cells());
  Kokkos::deep_copy(rows.storage(), beyond_domain);
  for_each_cell(rows.owned(),
                [&, cells = rows.view()](cell_index<D> const& at) { cells[at] = row++; });
  make_halo(rows).run();
  return rows;
}

/// Returns a field that is `inside` in the domain, with ghosts beyond it by the conditions of `u`.
template <int D>
Field<double, D> beyond_borders(Field<double, D> const& u, double inside) {
  auto values = u.grid().template field<double>("border");
  values.fill(inside);
  auto const memory = values.shared()->component(values.shared()->buffers.front(), 0);
  for (filled_border const& filled : u.shared()->borders)
    if (!filled.where.ghosts.is_empty()) {
      filled.fills.front()(memory, filled.where.ghosts, {}, by_threads::all);
      note_filled(*values.shared(), filled, 0, filled.where.ghosts);
    }
  return values;
}

/// The rows of cells, and the ghosts beyond borders whose cells inside are 0 and 1.
template <int D>
struct bordered_grid {
  explicit bordered_grid(Field<double, D> const& u)
      : grid(u.grid()),
        rows(number_cells(grid)),
        of_zero(beyond_borders(u, 0.0)),
        of_one(beyond_borders(u, 1.0)) {
    for (double const step : grid.spacing())
      volume *= step;
  }

  Grid<D> grid;
  Field<std::int64_t, D> rows;
  Field<double, D> of_zero, of_one;
  double volume = 1; ///< of a cell
};

/// Adds the row of the cell `at`.
template <int D>
void add_row(diffusion_system& system, bordered_grid<D> const& on, cell_index<D> const& at) {
  auto const rows = on.rows.view();
  auto const of_zero = on.of_zero.view(), of_one = on.of_one.view();
  auto const diagonal = system.matrix.values.size();
  system.matrix.add(rows[at], 0.0);
  double source = 0;
  for (int a = 0; a < D; ++a)
    for (int const step : {-1, 1}) {
      double const conductance = on.volume / (on.grid.spacing()[a] * on.grid.spacing()[a]);
      cell_index<D> next = at;
      next[a] += step;
      system.matrix.values[diagonal] += conductance;
      if (rows[next] != beyond_domain) {
        system.matrix.add(rows[next], -conductance);
      } else {
        system.matrix.values[diagonal] -= conductance * (of_one[next] - of_zero[next]);
        source += conductance * of_zero[next];
      }
    }
  system.matrix.end_row();
  system.volumes.push_back(on.volume);
  system.sources.push_back(source);
}

} // namespace

template <int D>
diffusion_system assemble_diffusion(Field<double, D> const& u) {
  collectively(u.grid().base().context(), [&] { check(u); });
  bordered_grid<D> const on(u);
  diffusion_system system;
  for_each_cell(u.owned(), [&](cell_index<D> const& at) { add_row(system, on, at); });
  return system;
}

template diffusion_system assemble_diffusion<1>(Field<double, 1> const&);
template diffusion_system assemble_diffusion<2>(Field<double, 2> const&);
template diffusion_system assemble_diffusion<3>(Field<double, 3> const&);

} // namespace seam

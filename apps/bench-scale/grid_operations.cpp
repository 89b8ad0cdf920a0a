// Grids, their halos, steps on them, and checkpoints.
#include "survey.hpp"

#include <seam/checkpoint.hpp>
#include <seam/exchange.hpp>
#include <seam/framework/checkpoint/checkpoint_numbers.hpp>
#include <seam/mapping.hpp>
#include <seam/steps.hpp>

#include <cmath>
#include <limits>

namespace scale_bench {
namespace {

/// The edge of a block of D dimensions with at most `cells` cells, at least 2.
template <int D>
std::int64_t edge_of(std::int64_t cells) {
  double const root = std::pow(static_cast<double>(cells), 1.0 / D);
  return std::max<std::int64_t>(2, static_cast<std::int64_t>(root + 1e-9));
}

template <int D>
seam::grid_options<D> grid_for(survey const& all, seam::neighborhood const& around) {
  std::array<int, D> free{};
  auto const processes = seam::dims_create(all.world().size(), free);
  seam::grid_options<D> made{.neighborhood = around};
  for (int a = 0; a < D; ++a) {
    made.processes[a] = processes[a];
    made.cells[a] = processes[a] * edge_of<D>(all.wanted().cells);
  }
  return made;
}

void measure_life(survey& all, seam::Grid<2> const& grid) {
  auto cells = grid.field<std::uint8_t>("cells"), next = grid.field<std::uint8_t>("next");
  cells.boundary(seam::dirichlet(0));
  cells.fill([](auto const& x) { return std::sin(1000 * x[0] + 700 * x[1]) > 0 ? 1 : 0; });
  seam::Iterate loop(grid, cells, next);
  auto const rule = SEAM_KERNEL(auto u, int i, int j)->std::uint8_t {
    int const alive = u(i - 1, j - 1) + u(i - 1, j) + u(i - 1, j + 1) + u(i, j - 1) + u(i, j + 1) +
                      u(i + 1, j - 1) + u(i + 1, j) + u(i + 1, j + 1);
    return alive == 3 || (alive == 2 && u(i, j) == 1) ? 1 : 0;
  };
  auto const step = [&] {
    loop.sweep(rule);
    return nullptr;
  };
  for (int first = 0; first < 2; ++first) // makes what all later steps use
    step();
  all.measure("step of Life", step);
}

void measure_jacobi(survey& all, seam::Grid<3> const& grid) {
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  u.boundary(seam::dirichlet([](auto const& x) { return x[1]; }));
  seam::Iterate loop(grid, u, next);
  auto const relax = SEAM_KERNEL(auto old, int i, int j, int k) {
    return (old(i - 1, j, k) + old(i + 1, j, k) + old(i, j - 1, k) + old(i, j + 1, k) +
            old(i, j, k - 1) + old(i, j, k + 1)) /
           6;
  };
  auto const step = [&] {
    loop.sweep(relax);
    static_cast<void>(loop.converged(1e-300));
    return nullptr;
  };
  for (int first = 0; first < 2; ++first) // makes what all later steps use
    step();
  all.measure("step of Jacobi", step);
}

void measure_halo(survey& all, seam::Grid<3> const& grid) {
  all.measure("field",
              [&] { return std::make_shared<seam::Field<double, 3>>(grid.field<double>("u")); });
  auto u = grid.field<double>("u");
  all.measure("halo", [&] { return std::make_shared<seam::Halo>(seam::make_halo(u)); });
  seam::Halo halo = seam::make_halo(u);
  all.measure("run of a halo", [&] {
    halo.run();
    return nullptr;
  });
}

constexpr char const* checkpoint_path = "bench-scale.h5";

/// Removes the checkpoints of this run.
void remove_files(survey const& all) {
  seam::mpi::barrier(all.world().context());
  if (all.world().rank() == 0)
    seam::detail::remove_checkpoints(checkpoint_path, std::numeric_limits<std::int64_t>::max());
}

void measure_checkpoint(survey& all, seam::Grid<3> const& grid) {
  auto u = grid.field<double>("u");
  seam::checkpoint_place const place(checkpoint_path, 1);
  all.measure("save", [&] {
    seam::save(grid.base(), place, u);
    return nullptr;
  });
  all.measure("load", [&] {
    seam::load(grid.base(), place, u);
    return nullptr;
  });
  remove_files(all);
}

} // namespace

void measure_grids(survey& all) {
  auto const plane = grid_for<2>(all, seam::moore(1));
  all.measure("Grid<2>", [&] { return std::make_shared<seam::Grid<2>>(all.world(), plane); });
  auto const box = grid_for<3>(all, seam::von_neumann(1));
  all.measure("Grid<3>", [&] { return std::make_shared<seam::Grid<3>>(all.world(), box); });
  measure_life(all, seam::Grid<2>(all.world(), plane));
  seam::Grid<3> const grid(all.world(), box);
  measure_halo(all, grid);
  measure_jacobi(all, grid);
  measure_checkpoint(all, grid);
}

} // namespace scale_bench

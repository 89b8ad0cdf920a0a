// seam-diffuse solves the heat equation on an unstructured mesh: explicit sweeps in which messages
// travel while cells are computed, or implicit steps by PETSc on the same memory.
//
// Sample runs:
//   mpiexec -n 4 seam-diffuse channel.msh --steps 10000 --output u.vtkhdf --picture u.png
//   mpiexec -n 4 seam-diffuse channel.msh --implicit --step 1000 --steps 20
//   mpiexec -n 4 seam-diffuse --box tetrahedra:20x20x20 --method scotch
//
// Expected: heat changes by less than 1e-12 of itself; explicit results are the same, bit by bit,
// on any number of ranks.
#include "explicit_steps.hpp"
#include "implicit_steps.hpp"
#include "options.hpp"

#include <seam/exchange/exact_sum.hpp>
#include <seam/seam.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace diffuse {
namespace {

/// What is known of all cells. The same on all ranks.
struct state {
  double heat, least, largest;
};

/// Heat is summed up as integers, and so is the same in whatever order.
state state_of(seam::two_point_fluxes const& fluxes, seam::MeshField<double> const& u) {
  state all{0, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  std::vector<double> heat;
  for (seam::local_id c = 0; c < u.entities().num_owned; ++c) {
    heat.push_back(fluxes.volumes[std::size_t(c)] * u(c));
    all.least = std::min(all.least, u(c));
    all.largest = std::max(all.largest, u(c));
  }
  seam::Communicator const& over = u.mesh().base();
  return {seam::exact_sum(over, heat), seam::mpi::allreduce(over, all.least, MPI_MIN),
          seam::mpi::allreduce(over, all.largest, MPI_MAX)};
}

/// A hot spot in the middle of the box around the mesh, a tenth of it wide.
void fill(seam::MeshField<double>& u) {
  seam::Mesh const& mesh = u.mesh();
  std::array<double, 6> most;
  most.fill(-std::numeric_limits<double>::infinity());
  auto const places = mesh.coordinates();
  for (std::size_t k = 0; k < 3 * std::size_t(mesh.vertices().num_owned); ++k) {
    most[k % 3] = std::max(most[k % 3], places[k]);
    most[3 + k % 3] = std::max(most[3 + k % 3], -places[k]);
  }
  seam::mpi::allreduce(mesh.base(), std::span<double>(most), MPI_MAX);
  double width = 0;
  for (std::size_t a = 0; a < 3; ++a)
    width = std::max(width, (most[a] + most[a + 3]) / 10);
  for (seam::local_id c = 0; c < mesh.cells().num_owned; ++c) {
    auto const center = mesh.center(mesh.num_dimensions(), c);
    double squared = 0;
    for (std::size_t a = 0; a < 3; ++a)
      squared += std::pow(center[a] - (most[a] - most[a + 3]) / 2, 2);
    u(c) = std::exp(-squared / (width * width));
  }
}

/// Goes through all steps. Returns the iterations of a solver, 0 without one.
std::int64_t compute(seam::two_point_fluxes const& fluxes, seam::MeshField<double>& u,
                     double length, options const& wanted) {
  constexpr std::int64_t at_once = 100;
  seam::progress bar(u.mesh().base(), "steps", wanted.steps);
  auto const in_parts = [&](auto&& go) {
    for (std::int64_t left = wanted.steps; left > 0; left -= at_once) {
      go(std::min(left, at_once));
      bar.advance(std::min(left, at_once));
    }
  };
  std::int64_t iterations = 0;
  if (wanted.is_implicit) {
    implicit_steps steps(u, length);
    in_parts([&](std::int64_t count) { iterations += steps.go(count); });
  } else {
    explicit_steps steps(fluxes, u, length);
    in_parts([&](std::int64_t count) { steps.go(count); });
    u = steps.values();
  }
  return iterations;
}

void run(seam::Runtime& runtime, options const& wanted) {
  check(wanted);
  seam::require_outputs(runtime, wanted.input,
                        {{"--output", wanted.output, ".vtkhdf"},
                         {"--picture", wanted.picture, ".png"}});

  // 1. Read or make the mesh and divide it among the ranks.
  seam::Mesh mesh(runtime, wanted.input.empty()
                               ? seam::box_mesh(runtime, wanted.box.of, wanted.box.bricks)
                               : seam::read_mesh(runtime, wanted.input));
  mesh = mesh.migrated(seam::partition(mesh, runtime.size(), wanted.method));

  // 2. Find what flows from cell to cell, and say what is hot at first.
  auto const fluxes = seam::find_two_point_fluxes(mesh);
  seam::MeshField<double> u(mesh, "u", mesh.num_dimensions());
  fill(u);
  double const longest = longest_step(runtime, fluxes);
  double const length = wanted.step_or_default() * longest;
  if (!std::isfinite(longest))
    throw seam::usage_error("diffuse: no cell has a neighbor (expected cells that share sides)",
                            true);
  seam::print(runtime, "{}\ncells       {}\nsteps       {} of {:.6e}\n", runtime.describe(),
              mesh.cells().num_global, wanted.steps, length);

  // 3. Compute.
  state const before = state_of(fluxes, u);
  auto const begin = std::chrono::steady_clock::now();
  std::int64_t const iterations = compute(fluxes, u, length, wanted);
  double const seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  // 4. Say how well it went, and how fast.
  state const after = state_of(fluxes, u);
  if (!std::isfinite(after.heat))
    throw seam::usage_error(fmt::format("diffuse: {} of heat after {} steps of {} (expected a "
                                        "number)",
                                        after.heat, wanted.steps, length),
                            true);
  seam::print(runtime, "heat        {:.9e}\nchanged by  {:.1e}\nleast       {:.9e}\n", after.heat,
              std::abs(after.heat / before.heat - 1), after.least);
  seam::print(runtime, "largest     {:.9e}\n", after.largest);
  if (wanted.is_implicit)
    seam::print(runtime, "iterations  {}\n", iterations);
  seam::print(runtime, "seconds     {:.3f}\nupdates/s   {:.3e}\n", seconds,
              double(mesh.cells().num_global) * double(wanted.steps) / seconds);

  // 5. Write what was asked for.
  if (!wanted.output.empty())
    seam::write(mesh, u, wanted.output);
  if (!wanted.picture.empty())
    seam::write_png(u, wanted.picture);
}

} // namespace
} // namespace diffuse

int main(int argc, char** argv) {
  diffuse::options wanted;
  return seam::run_program(
      argc, argv, [&](CLI::App& cli) { diffuse::add_options(cli, wanted); },
      [&](seam::Runtime& runtime) { diffuse::run(runtime, wanted); });
}

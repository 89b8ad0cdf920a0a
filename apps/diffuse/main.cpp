// seam-diffuse solves the heat equation on an unstructured mesh by finite elements of first order:
// explicit steps, whose messages overlap with computing, or implicit steps by PETSc on the same
// memory.
//
// Sample runs:
//   mpiexec -n 4 seam-diffuse channel.msh --steps 10000 --output u.vtkhdf --picture u.png
//   mpiexec -n 4 seam-diffuse channel.msh --steps 10000 --every 200 --animation u.webp
//   mpiexec -n 4 seam-diffuse channel.msh --implicit --step 1000 --steps 20
//   mpiexec -n 4 seam-diffuse --box tetrahedra:20x20x20 --method scotch
//   mpiexec -n 4 seam-diffuse channel.msh --value inlet=1 --value outlet=0 --conductivity fluid=2
//
// Expected: without --value and --inflow heat changes by less than 1e-12 of itself; explicit
// results are the same, bit by bit, on any number of ranks.
#include "implicit_steps.hpp"
#include "options.hpp"
#include "problem.hpp"

#include <seam/seam.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace diffuse {
namespace {

/// Heat, least and largest value of all vertices, the same on all ranks.
struct state {
  double heat, least, largest;
};

state state_of(seam::mesh_fluxes const& fluxes, seam::MeshField<double> const& u) {
  auto const heat = [&](seam::local_id v) { return fluxes.volumes[v] * u(v); };
  return {seam::sum(u.mesh(), u.dimension(), heat), seam::minimum(u), seam::maximum(u)};
}

/// Explicit steps: each new value from the old ones around it. Given values stay.
/// @param length  at most longest_step(), else values grow without bound
/// Collective: over the mesh.
seam::Steps<seam::on_mesh> explicit_steps(problem const& of, seam::MeshField<double>& u,
                                          double length) {
  std::vector<double> rates;
  for (seam::local_id v = 0; v < u.entities().num_owned; ++v)
    rates.push_back(std::isnan(of.borders.values(v)) ? length / of.fluxes.volumes[v] : 0);
  seam::Steps step(u.mesh());
  step.each(
      "heat", updates(u, of.fluxes.neighbors), seam::reads(of.fluxes.conductances),
      seam::reads(of.borders.sources), seam::reads(rates),
      SEAM_KERNEL(auto u, auto k, auto source, auto rate) {
        double inflow = source();
        for (int n = 0; n < u.count(); ++n)
          inflow += k(n) * (u(n) - u());
        u = u() + rate() * inflow;
      });
  return step;
}

/// Computes all steps. Returns the number of the solver's iterations, 0 without one.
std::int64_t compute(problem const& of, seam::MeshField<double>& u, double length,
                     options const& wanted) {
  constexpr std::int64_t at_once = 100;
  seam::checkpoints kept(u.mesh().base(), wanted.restart, u);
  kept.require_end(wanted.steps, "--steps");
  seam::progress bar(u.mesh().base(), "steps", wanted.steps - kept.first_step());
  seam::run_outputs seen(wanted.outputs, u, wanted.steps);
  auto halo = seam::make_halo(u);
  auto const in_parts = [&](auto&& go) {
    std::int64_t done = kept.first_step();
    halo.run();
    for (seen.begin(done); done < wanted.steps; seen.look(done)) {
      auto const most = seen.until_look(done, std::min(wanted.steps - done, at_once));
      std::int64_t const count = kept.until_look(done, most);
      go(count);
      bar.advance(count);
      kept.look(done += count);
    }
    seen.finish(done);
  };
  std::int64_t iterations = 0;
  if (wanted.is_implicit) {
    implicit_steps steps(seam::assemble_diffusion(of.fluxes, of.borders), u, length);
    in_parts([&](std::int64_t count) {
      iterations += steps.go(count);
      halo.run();
    });
  } else {
    auto step = explicit_steps(of, u, length);
    in_parts([&](std::int64_t count) {
      step.run(count);
      halo.run();
    });
  }
  return iterations;
}

/// The length of a step in time.
/// Collective: over the runtime's ranks.
double length_of_step(problem const& of, options const& wanted, seam::Runtime& runtime) {
  double const length = wanted.step_or_default() * seam::longest_step(runtime, of.fluxes);
  if (!std::isfinite(length) || length <= 0)
    throw seam::usage_error(fmt::format("diffuse: steps of {} (expected a length that numbers can "
                                        "hold: other units, or another --conductivity)",
                                        length),
                            true);
  return length;
}

void run(seam::Runtime& runtime, options const& wanted) {
  wanted.outputs.check(runtime, wanted.steps, wanted.input);

  // 1. Read or make the mesh and divide it among the ranks.
  auto const mesh =
      seam::divided(runtime,
                    wanted.input.empty() ? seam::box_mesh(runtime, wanted.box.of, wanted.box.bricks)
                                         : seam::read_mesh(runtime, wanted.input),
                    {.method = wanted.method});

  // 2. Find the fluxes between vertices, and set the initial values.
  problem const heat = pose_problem(mesh, wanted);
  auto u = mesh.field<double>("u", seam::vertices);
  fill_hot_spot(u, heat.borders.values);
  double const length = length_of_step(heat, wanted, runtime);
  seam::print(runtime, "{}\ncells       {}\nvertices    {}\nsteps       {} of {:.6e}\n",
              runtime.describe(), mesh.cells().num_global, mesh.vertices().num_global, wanted.steps,
              length);

  if (!wanted.outputs.is_numbered)
    seam::require_room(mesh, std::tie(u), wanted.outputs.output);

  // 3. Compute.
  state const before = state_of(heat.fluxes, u);
  auto const begin = std::chrono::steady_clock::now();
  std::int64_t const iterations = compute(heat, u, length, wanted);
  double const seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  // 4. Print results and times.
  state const after = state_of(heat.fluxes, u);
  if (!std::isfinite(after.heat))
    throw seam::usage_error(fmt::format("diffuse: {} of heat after {} steps of {} (expected a "
                                        "number)",
                                        after.heat, wanted.steps, length),
                            true);
  seam::print(runtime, "heat        {:.9e}\n", after.heat);
  if (wanted.is_closed())
    seam::print(runtime, "changed by  {:.1e}\n", std::abs(after.heat / before.heat - 1));
  seam::print(runtime, "least       {:.9e}\nlargest     {:.9e}\n", after.least, after.largest);
  if (wanted.is_implicit)
    seam::print(runtime, "iterations  {}\n", iterations);
  seam::print(runtime, "seconds     {:.3f}\nupdates/s   {:.3e}\n", seconds,
              double(mesh.vertices().num_global) * double(wanted.steps) / seconds);

  // 5. Draw the picture; other outputs are written.
  if (!wanted.outputs.picture.empty())
    seam::write_png(u, wanted.outputs.picture, {.with_scale = true});
  wanted.outputs.print_names(runtime);
}

} // namespace
} // namespace diffuse

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, diffuse::add_options, diffuse::run);
}

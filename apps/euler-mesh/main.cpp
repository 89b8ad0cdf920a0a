// seam-euler-mesh computes the flow of a gas over a mesh in the plane by finite volumes: gradients by
// least squares, limited slopes, HLLC's fluxes, and two stages of Runge and Kutta (of second order).
//
// Sample runs:
//   mpiexec -n 2 seam-euler-mesh channel --mach 2 --wall walls,cylinder,wing --inflow inlet --outflow outlet
//   make-euler-mesh.py wedge 40 wedge.msh
//   mpiexec -n 2 seam-euler-mesh wedge.msh --mach 2 --wall wall,ramp --time 3 --picture density.png
//   make-euler-mesh.py step 40 step.msh
//   mpiexec -n 2 seam-euler-mesh step.msh --mach 3 --wall wall,floor --time 4 --picture step.png
//   make-euler-mesh.py vortex 32 vortex.msh
//   mpiexec -n 4 seam-euler-mesh vortex.msh --vortex --time 10
//   make-airfoil-mesh.py 40 wing.msh
//   mpiexec -n 4 seam-euler-mesh wing.msh --mach 0.8 --angle 1.25 --inflow "far field" --time 10
//
// Prints the mass of the gas, the mean density at each wall and the force on it, and of the vortex the
// mean error, which falls to about a quarter when cells are halved. The same on any number of ranks.
#include "gas.hpp"

#include <seam/seam.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace euler_mesh {
namespace {

using seam::cells, seam::sides;

struct options {
  seam::simulation run{.cells = 0, .time = 1};
  std::string mesh;
  double mach = 1, angle = 0;
  bool vortex = false;
  std::vector<std::string> walls, inflows, outflows;
};

/// A group of the mesh's border.
struct border {
  std::string name;
  seam::mesh_set sides;
};

/// Some groups; if none are named, that with the usual name if there is one.
std::vector<border> borders(seam::Mesh const& mesh, std::vector<std::string> names,
                            std::string const& usual) {
  if (names.empty() && std::ranges::count(mesh.groups(), usual, &seam::mesh_group::name) > 0)
    names = {usual};
  std::vector<border> found;
  for (std::string const& name : names)
    found.push_back({name, mesh.border(name)});
  return found;
}

struct all_borders {
  all_borders(seam::Mesh const& mesh, options const& wanted)
      : walls(borders(mesh, wanted.walls, "wall")),
        inflows(borders(mesh, wanted.inflows, "inflow")),
        outflows(borders(mesh, wanted.outflows, "outflow")) {
    std::int64_t found = 0;
    for (auto const* const kind : {&walls, &inflows, &outflows})
      for (border const& group : *kind)
        found += group.sides.num_global;
    if (auto const all = mesh.border().num_global; found != all)
      throw seam::usage_error(fmt::format("euler-mesh: walls, inflows and outflows have {} sides "
                                          "(expected all {} of the border, each once)",
                                          found, all),
                              true);
  }
  std::vector<border> walls, inflows, outflows;
};

/// The gas, the gas after the first stage, and the geometry of its cells.
struct fields {
  explicit fields(seam::Mesh const& mesh)
      : q(mesh.field<gas>("q", cells)),
        middle(mesh.field<gas>("middle", cells)),
        slope(mesh.field<slopes>("slope", cells)),
        gain(mesh.field<state>("gain", cells)),
        volume(seam::volumes(mesh)),
        n(seam::normals<2>(mesh)),
        to_side(seam::vectors_to_sides<2>(mesh)),
        around(seam::find_gradients<2>(mesh)) {}

  seam::MeshField<gas> q, middle;
  seam::MeshField<slopes> slope;
  seam::MeshField<state> gain;
  seam::MeshField<double> volume;
  seam::MeshField<normal> n;
  seam::MeshField<std::array<normal, 2>> to_side;
  seam::mesh_gradients<2> around;
};

/// Adds what cells gain by what passes their sides.
void add_fluxes(seam::Steps<seam::on_mesh>& step, fields& all, all_borders const& at,
                seam::MeshField<gas> const& q, gas const& stream) {
  step.each(
      "slope", writes(all.slope), reads(q, all.around.neighbors), reads(all.around.weights),
      reads(all.to_side, sides), reads(all.volume),
      SEAM_KERNEL(auto slope, auto q, auto weights, auto to_side, auto volume) {
        double const smooth = volume() * std::sqrt(volume());
        slope = limited(gradient(weights, q), q, to_side, smooth);
      });
  step.each(
      "flux", q.mesh().inner(sides), reads(q, cells), reads(all.slope, cells), reads(all.to_side),
      reads(all.n), collects(all.gain, cells),
      SEAM_KERNEL(auto q, auto slope, auto to_side, auto n, auto gain) {
        auto const [from_first, from_second] = to_side();
        state const passed =
            flux(gas_at(q(0), slope(0), from_first), gas_at(q(1), slope(1), from_second), n());
        gain(0) -= passed;
        gain(1) += passed;
      });
  auto const add = [&](std::vector<border> const& groups, auto const& passed) {
    for (border const& group : groups)
      step.each(
          group.name, group.sides, reads(q, cells), reads(all.slope, cells), reads(all.to_side),
          reads(all.n), adds(all.gain, cells),
          SEAM_KERNEL(auto q, auto slope, auto to_side, auto n, auto gain) {
            gain(0) -= passed(gas_at(q(0), slope(0), to_side()[0]), n());
          });
  };
  add(at.walls,
      [](gas const& inside, normal const& n) { return push(pressure_on_wall(inside, n), n); });
  add(at.inflows, [=](gas const& inside, normal const& n) { return flux(inside, stream, n); });
  add(at.outflows, [](gas const& inside, normal const& n) { return flux(inside, inside, n); });
}

/// Prints the mean density at each wall, and the force on it.
/// Collective: over the mesh.
void print_walls(seam::Runtime& runtime, fields const& all, std::vector<border> const& walls) {
  seam::Mesh const& mesh = all.q.mesh();
  for (border const& wall : walls) {
    auto const sum = [&](auto const& of) {
      return seam::sum(mesh, 1, [&](seam::local_id side) {
        if (!wall.sides.contains(side))
          return 0.0;
        return of(all.q(mesh.adjacent(1, 2)[side].front()), all.n(side));
      });
    };
    double const area = sum([](gas const&, normal const& n) { return length(n); });
    double const mass = sum([](gas const& q, normal const& n) { return q[0] * length(n); });
    seam::print(runtime, "{}: density {:.4f}, force {:.6f} {:.6f}\n", wall.name, mass / area,
                sum([](gas const& q, normal const& n) { return q[3] * n[0]; }),
                sum([](gas const& q, normal const& n) { return q[3] * n[1]; }));
  }
}

void run(seam::Runtime& runtime, options const& wanted) {
  wanted.run.begin(runtime, wanted.mesh);

  // 1. Read the mesh, and declare the gas in a stream of density and speed of sound 1.
  auto const mesh = seam::divided(runtime, seam::read_mesh(runtime, wanted.mesh));
  if (mesh.num_dimensions() != 2)
    throw seam::usage_error(fmt::format("euler-mesh: '{}' has {} dimensions (expected 2)",
                                        wanted.mesh, mesh.num_dimensions()),
                            true);
  all_borders const at(mesh, wanted);
  fields all(mesh);
  double const angle = wanted.angle * std::numbers::pi / 180;
  gas const stream{{{1, wanted.mach * std::cos(angle), wanted.mach * std::sin(angle), 1 / gamma}}};
  auto const first = [&](std::array<double, 3> const& x) {
    return wanted.vortex ? vortex({{x[0], x[1]}}, stream) : stream;
  };
  all.q.fill(first);

  // 2. Declare a step, as long as waves allow: two stages, of which the second averages (Heun's).
  seam::Value<double> longest("longest"), dt("dt"), time("time", 0.0), looked("looked", 0.0);
  seam::Steps step(mesh);
  step.each(
      "limit", minimum(longest), reads(all.q), reads(all.volume), reads(all.n, sides),
      SEAM_KERNEL(auto least, auto q, auto volume, auto n) {
        double waves = 0;
        for (int k = 0; k < n.count(); ++k)
          waves += std::abs(q().through(n(k))) + q().sound() * length(n(k));
        least(2 * volume() / waves);
      });
  step.once(sets(dt), sets(time), with(longest),
            [end = wanted.run.time](double& h, double& t, double most) {
              h = std::min(0.8 * most, end - t);
              t += h;
            });
  add_fluxes(step, all, at, all.q, stream);
  step.each(
      "first stage", writes(all.middle), reads(all.q), reads(all.gain), reads(all.volume), with(dt),
      SEAM_KERNEL(auto middle, auto q, auto gain, auto volume, double h) {
        middle = gas_of(amounts(q()) + h / volume() * gain());
      });
  add_fluxes(step, all, at, all.middle, stream);
  step.each(
      "second stage", updates(all.q), reads(all.middle), reads(all.gain), reads(all.volume),
      with(dt), SEAM_KERNEL(auto q, auto middle, auto gain, auto volume, double h) {
        q = gas_of(0.5 * (amounts(q()) + amounts(middle()) + h / volume() * gain()));
      });

  // 3. Compute.
  seam::checkpoints kept(mesh.base(), wanted.run.restart, all.q, time, looked);
  auto seen = wanted.run.outputs_of(all.q);
  wanted.run.run_until(step, seen, time, looked, kept);
  seen.finish(step.num_steps());

  // 4. Print and write the outputs.
  auto const mass_of = [&](seam::local_id cell) { return all.volume(cell) * all.q(cell)[0]; };
  seam::print(runtime, "steps {}\ntime  {:.6f}\nmass  {:.9f}\n", step.num_steps(), time.get(),
              seam::sum(mesh, 2, mass_of));
  print_walls(runtime, all, at.walls);
  if (wanted.vortex) {
    double const error = seam::sum(mesh, 2, [&](seam::local_id cell) {
      return all.volume(cell) * std::abs(all.q(cell)[0] - first(mesh.center(2, cell))[0]);
    });
    seam::print(runtime, "mean error of the density {:.3e}\n", error / seam::sum(all.volume));
  }
  wanted.run.finish(all.q);
}

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Computes the flow of a gas over a mesh in the plane.");
  cli.add("mesh", wanted.mesh, "the mesh: .msh or .vtkhdf, or the name of one")
      .required()
      .changed_by(seam::input_by_name("meshes", {".msh"}))
      .named("FILE");
  cli.add("--mach", wanted.mach, "speed of the stream").between(0.0, 100.0);
  cli.add("--angle", wanted.angle, "of the stream and the x axis [degrees]").between(-360.0, 360.0);
  cli.add("--wall", wanted.walls, "groups of sides that are walls").named("GROUP,...");
  cli.add("--inflow", wanted.inflows, "groups beyond which the stream is").named("GROUP,...");
  cli.add("--outflow", wanted.outflows, "groups that the gas leaves at supersonic speed")
      .named("GROUP,...");
  cli.add_flag("--vortex", wanted.vortex,
               "begin with a vortex around the origin, and print how far the end differs from it");
  wanted.run.add_options(cli, "the gas");
  cli.end_help(R"(Examples:
  mpiexec -n 2 seam-euler-mesh channel --mach 2 --wall walls,cylinder,wing --inflow inlet --outflow outlet
  mpiexec -n 2 seam-euler-mesh wedge.msh --mach 2 --wall wall,ramp --time 3 --picture density.png
  mpiexec -n 4 seam-euler-mesh wing.msh --mach 0.8 --angle 1.25 --inflow "far field" --time 10

Density and speed of sound of the stream are 1. Without --wall, --inflow or --outflow it is the group
named wall, inflow or outflow, if the mesh has one. Each side of the border has to be in one of all
groups. Programs in apps/euler-mesh and apps/airfoil of the sources make meshes.)");
}

} // namespace
} // namespace euler_mesh

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, euler_mesh::add_options, euler_mesh::run);
}

// seam-mesh-heat evens out the temperature of a mesh by finite elements of first order: the
// shortest whole program on a mesh, which docs/meshes.md explains. Writes u.vtkhdf.
//
// Sample runs:
//   mpiexec -n 2 seam-mesh-heat
//   mpiexec -n 4 seam-mesh-heat channel
#include <seam/seam.hpp>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv,
                        {.does = "Evens out the temperature of a mesh.", .takes = "MESH"});
  auto const path_of = seam::input_by_name("meshes", {".msh"});
  auto const mesh = seam::divided(runtime, argc > 1 ? seam::read_mesh(runtime, path_of(argv[1]))
                                                    : seam::box_mesh(runtime, seam::shape::triangle,
                                                                     {32, 32, 1}));
  auto u = mesh.field<double>("u", seam::vertices);
  u.fill([](auto x) { return x[0]; });
  seam::require_room(mesh, std::tie(u), "u.vtkhdf");

  auto const heat = seam::find_vertex_fluxes(mesh);
  double const dt = 0.9 * seam::longest_step(runtime, heat);
  seam::Steps step(mesh);
  step.each(
      "heat", updates(u, heat.neighbors), seam::reads(heat.conductances), seam::reads(heat.volumes),
      SEAM_KERNEL(auto u, auto k, auto volume) { u = u() + dt / volume() * seam::inflow(k, u); });
  step.run(100);
  seam::make_halo(u).run(); // files have the copies, too

  seam::write(mesh, u, "u.vtkhdf");
  seam::print_written(runtime, {"u.vtkhdf"});
}

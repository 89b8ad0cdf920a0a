// seam-mesh-heat evens out the temperature of a mesh by finite elements of first order: the
// shortest whole program on a mesh, which docs/meshes.md explains. Writes u.vtkhdf.
//
// Sample runs:
//   mpiexec -n 2 seam-mesh-heat
//   mpiexec -n 4 seam-mesh-heat channel
#include <seam/seam.hpp>

#include <algorithm>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv,
                        {.does = "Evens out the temperature of a mesh.", .takes = "MESH"});

  auto const path_of = seam::input_by_name("meshes", {".msh"});
  auto const mesh = seam::divided(runtime, argc > 1 ? seam::read_mesh(runtime, path_of(argv[1]))
                                                    : seam::box_mesh(runtime, seam::shape::triangle,
                                                                     {32, 32, 1}));
  seam::local_id const num_owned = mesh.vertices().num_owned;

  auto u = mesh.field<double>("u", seam::vertices),
       next = mesh.field<double>("next", seam::vertices);
  u.fill([](auto x) { return x[0]; });
  seam::require_room(mesh, std::tie(u), "u.vtkhdf");

  seam::mesh_fluxes const fluxes = seam::find_vertex_fluxes(mesh);
  double const dt = 0.9 * seam::longest_step(runtime, fluxes);
  auto const sweep = [&](std::vector<seam::local_id> const& vertices) {
    seam::for_each(vertices, [&](seam::local_id v) {
      next(v) = u(v) + dt / fluxes.volumes[v] * fluxes.inflow(v, u);
    });
  };

  seam::MeshHalo halo = seam::make_halo(u);
  auto const [inner, rim] = seam::split_by_reach(fluxes.neighbors, num_owned, num_owned);
  for (int step = 0; step < 100; ++step) {
    seam::in_flight flying = halo.start();
    sweep(inner);
    flying.wait();
    sweep(rim);
    std::ranges::copy(next.values().first(num_owned), u.values().begin());
  }
  halo.run();

  seam::write(mesh, u, "u.vtkhdf");
  seam::print_written(runtime, {"u.vtkhdf"});
}

// seam-mesh-heat lets the temperature of a mesh even out: the shortest whole program on a mesh, and
// the one that docs/meshes.md explains. Writes u.vtkhdf.
//
// Sample runs:
//   mpiexec -n 2 seam-mesh-heat
//   mpiexec -n 4 seam-mesh-heat channel.msh
#include <seam/seam.hpp>

#include <algorithm>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);

  seam::Mesh mesh(runtime, argc > 1 ? seam::read_mesh(runtime, argv[1])
                                    : seam::box_mesh(runtime, seam::shape::triangle, {32, 32, 1}));
  int const d = mesh.num_dimensions();
  mesh = mesh.migrated(seam::partition(mesh, runtime.size(), seam::partition_method::rib));
  mesh = mesh.with_ghosts({.depth = 1, .through = d - 1});
  seam::local_id const num_owned = mesh.cells().num_owned;

  seam::MeshField<double> u(mesh, "u", d), next(mesh, "next", d);
  for (seam::local_id c = 0; c < num_owned; ++c)
    u(c) = mesh.center(d, c)[0];

  seam::adjacency const& cells2cells = mesh.adjacent(d, d);
  auto const sweep = [&](std::vector<seam::local_id> const& cells) {
    for (seam::local_id const c : cells) {
      double sum = u(c);
      for (seam::local_id const neighbor : cells2cells[c])
        sum += u(neighbor);
      next(c) = sum / double(1 + cells2cells[c].size());
    }
  };

  seam::MeshHalo halo = seam::make_halo(u);
  auto const [inner, rim] = seam::split_by_reach(cells2cells, num_owned, num_owned);
  for (int step = 0; step < 100; ++step) {
    seam::in_flight flying = halo.start();
    sweep(inner);
    flying.wait();
    sweep(rim);
    std::ranges::copy(next.values().first(std::size_t(num_owned)), u.values().begin());
  }

  seam::write(mesh, u, "u.vtkhdf");
}

// Diffusion on meshes that Gmsh makes, each level by itself: errors fall with the square of the
// cells' size.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/framework/meshes/read_mesh.hpp>
#include <seam/framework/program/print.hpp>

#include <framework/meshes/known_diffusion.hpp>
#include <support/catch.hpp>

namespace seam::testing {

TEST_CASE("errors on Gmsh's meshes fall with the square of the size of cells") {
  Communicator const all = world();
  for (std::string const name : {"triangles", "quadrilaterals", "tetrahedra"}) {
    double last_error = 0, last_size = 0;
    for (int level = 1; level <= 3; ++level) {
      Mesh const mesh(all,
                      read_mesh(all, fmt::format("{}/unit-{}-{}.msh", SEAM_MESHES, name, level)));
      int const d = mesh.num_dimensions();
      double const size = std::pow(double(mesh.cells().num_global), -1.0 / d);
      double const error = error_of(mesh, waves_on_a_ramp(d));
      double const order =
          level > 1 ? std::log(last_error / error) / std::log(last_size / size) : 2;
      INFO(name << ", level " << level << ", " << mesh.cells().num_global << " cells: " << error
                << ", order " << order);
      print(all, "{:15} {:7} cells {:.3e} {:.2f}\n", name, mesh.cells().num_global, error, order);
      CHECK(error < 6 * size * size);
      if (level > 1)
        CHECK(order > 1.8);
      last_error = error;
      last_size = size;
    }
  }
}

} // namespace seam::testing

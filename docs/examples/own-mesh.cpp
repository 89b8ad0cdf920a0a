// The program that docs/read-mesh.md shows: a mesh of triangles from a program's own arrays.
//
//     mpiexec -n 3 own-mesh
//     81 vertices, 128 triangles, area 1.000000
#include <seam/seam.hpp>

constexpr int n = 8; // squares on each axis, each of two triangles

seam::global_id vertex(int i, int j) { return i * (n + 1) + j; }

// Rank 0 has the whole mesh here. Each rank may give any part of it: every vertex and every
// element once, by ids that are different in the whole mesh.
seam::mesh_input square(int rank) {
  seam::mesh_input mesh;
  mesh.num_dimensions = 2;
  if (rank > 0)
    return mesh;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      mesh.vertex_ids.push_back(vertex(i, j));
      mesh.coordinates.insert(mesh.coordinates.end(), {double(i) / n, double(j) / n, 0});
    }
  auto const add = [](seam::element_list& to, seam::shape shape, auto vertices, int tag) {
    if (to.elements2vertices.empty())
      to.elements2vertices.push_back(0);
    to.shapes.push_back(shape);
    to.vertices.insert(to.vertices.end(), vertices);
    to.elements2vertices.push_back(std::ssize(to.vertices));
    to.ids.push_back(std::ssize(to.ids));
    to.tags.push_back(tag);
  };
  using corners = std::initializer_list<seam::global_id>;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      auto const a = vertex(i, j), b = vertex(i + 1, j), c = vertex(i, j + 1);
      add(mesh.cells, seam::shape::triangle, corners{a, b, c}, 0);
      add(mesh.cells, seam::shape::triangle, corners{b, vertex(i + 1, j + 1), c}, 0);
    }
    for (int const edge : {0, n}) { // tag 1 on two borders, tag 2 on the others
      add(mesh.boundary, seam::shape::line, corners{vertex(edge, i), vertex(edge, i + 1)}, 1);
      add(mesh.boundary, seam::shape::line, corners{vertex(i, edge), vertex(i + 1, edge)}, 2);
    }
  }
  return mesh;
}

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  auto const mesh = seam::divided(runtime, square(runtime.rank()));

  auto const fluxes = seam::find_vertex_fluxes(mesh);
  auto const [vertices, triangles] =
      seam::sum(runtime, mesh.vertices().num_owned, mesh.cells().num_owned);
  double const area = seam::sum(mesh, 0, [&](seam::local_id v) { return fluxes.volumes[v]; });
  seam::print(runtime, "{} vertices, {} triangles, area {:.6f}\n", vertices, triangles, area);
}

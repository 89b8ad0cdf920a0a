// Fields of structures do not take part in what computes with numbers.
#include <seam/framework/files/mesh_picture.hpp>
#include <seam/framework/files/picture.hpp>
#include <seam/framework/files/vtkhdf.hpp>
#include <seam/framework/files/vtkhdf_mesh.hpp>
#include <seam/mesh/fields/sum.hpp>
#include <seam/stencil/iterate.hpp>
#include <seam/stencil/sum.hpp>

#include <string>

struct color_of_cell {
  unsigned char red, green, blue;
};

void on_a_grid(seam::Grid<2> const& grid) {
  auto u = grid.field<color_of_cell>("u"), next = grid.field<color_of_cell>("next");
  u.boundary(seam::dirichlet(1.0)); // refused: the condition makes no value of this field
  seam::Iterate loop(grid, u, next);
  loop.converged(0.5); // refused: fields of other types are swept without it
  seam::sum(u);        // refused: a field's values are reduced if they are integers
  seam::sum(u, [](color_of_cell value) { return value; }); // refused: the function of a cell has to
  seam::dot(u, next);               // refused: dot() takes fields of integers
  seam::write_png(u, "u.png");      // refused: pictures show fields of numbers
  seam::write(grid, u, "u.vtkhdf"); // refused: VTKHDF files hold integers, float and double
}

void on_a_mesh(seam::Mesh const& mesh) {
  seam::MeshField<color_of_cell> const u(mesh, "u", 0);
  seam::norm(u);
  seam::sum(u,
            [](color_of_cell value) { return value; }); // refused: the function of a value has to
  seam::sum(mesh, 0, [](int, int) { return 1; }); // refused: a function of an entity's local_id
  seam::write_png(u, "u.png");
  seam::write(mesh, u, "u.vtkhdf");
}

void not_plain(seam::Grid<1> const& grid) {
  grid.field<std::string>("u"); // refused: a field's values travel as plain bytes and begin as T{}
}

// Fields of structures do not take part in what computes with numbers.
#include <seam/framework/checkpoint/checkpoint.hpp>
#include <seam/framework/files/picture.hpp>
#include <seam/framework/files/vtkhdf.hpp>
#include <seam/framework/meshes/mesh_picture.hpp>
#include <seam/framework/meshes/vtkhdf_mesh.hpp>
#include <seam/mesh/fields/sum.hpp>
#include <seam/stencil/fields/sum.hpp>
#include <seam/stencil/roles/iterate.hpp>
#include <seam/stencil/roles/steps.hpp>

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
  seam::sum(u,
            [](color_of_cell value) { return value; }); // refused: the function of a value has to
  seam::dot(u, next);                                   // refused: dot() takes fields of integers
  seam::write_png(u, "u.png");                          // refused: pictures show fields of numbers
  seam::write(grid, u, "u.vtkhdf"); // refused: VTKHDF files hold integers, float and double
}

void in_steps(seam::Grid<2> const& grid) {
  auto u = grid.field<double>("u"), v = grid.field<double>("v");
  seam::Steps step(grid);
  // refused: a kernel gives a value to what it only reads(): declare the argument by writes()
  step.each("reader", reads(u), reads(v), [](auto to, auto from) { to = from(); });
  // refused: a kernel reads what it only writes(): declare the argument by updates() or modifies()
  step.each("writer", writes(u), [](auto to) { to = to(1, 0) + 1; });
  // refused: the kernel of Steps::each() has to take one parameter for each role, in their order
  step.each("fewer", writes(u), reads(v), [](auto to) { to = 1; });
  // refused: an argument of Steps::each() before the kernel is no role: write reads(u),
  step.each("bare", writes(u), v, [](auto to, auto from) { to = from(); });
  auto deep = seam::Field<double, 3>(*static_cast<seam::Field<double, 3>*>(nullptr));
  // refused: a role is of a field that has another number of dimensions than the grid of the
  step.each("deep", writes(u), reads(deep), [](auto to, auto from) { to = from(); });
  // refused: a kernel changes its captures, which all threads share: leave out
  step.each("counting", writes(u), [n = 0](auto to) mutable { to = ++n; });
  std::vector<double> const table{1, 2};
  // refused: a kernel captures something whose bytes are no copy of it, as a std::vector, a Field
  step.each(
      "table", writes(u), SEAM_KERNEL(auto to) { to = table[1]; });
  // refused: a kernel computes with a field where it means its value: write u()
  step.each("bare value", writes(v), reads(u), [](auto to, auto from) { to = from + 1; });
  // refused: a kernel has a parameter more than roles, which is its place and no field
  step.each("more", writes(u), [](auto to, auto from) { to = from(); });
}

void with_values(seam::Grid<2> const& grid) {
  auto u = grid.field<double>("u");
  seam::Value<double> dt("dt", 0.04);
  seam::Steps step(grid);
  // refused: a kernel takes the number of with(value) as a narrower type, in which it loses its
  step.each("whole", updates(u), with(dt), [](auto u, int h) { u = u() + h; });
  step.each("right", updates(u), with(dt), [](auto u, double h) { u = u() + h; });
  step.each("auto", updates(u), with(dt), [](auto u, auto h) { u = u() + h; });
}

void sweeping(seam::Grid<2> const& grid) {
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  seam::Iterate loop(grid, u, next);
  // refused: the kernel of an Iterate has to take the old values and an int for each axis, and
  loop.sweep([](auto u, int i) { return u(i, 0); });
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

void without_mesh_files(seam::Mesh const& mesh) {
  // refused: Mesh and MeshField if <seam/mesh_files.hpp> is included
  seam::save(mesh.base(), "u.h5", seam::MeshField<double>(mesh, "u", 0));
}

void not_plain(seam::Grid<1> const& grid) {
  grid.field<std::string>("u"); // refused: a field's values travel as plain bytes and begin as T{}
}

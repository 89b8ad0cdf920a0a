// Diffusion between cells of meshes and grids as systems of equations, and their solutions by
// PETSc.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/meshes/mesh_diffusion.hpp>
#include <seam/framework/petsc/petsc.hpp>
#include <seam/framework/petsc/solver.hpp>
#include <seam/framework/solve/grid_diffusion.hpp>
#include <seam/mesh/input/box_mesh.hpp>

#include <mesh/meshes.hpp>
#include <support/catch.hpp>
#include <support/world.hpp>

#include <cmath>
#include <numbers>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

using std::numbers::pi;
using place = std::array<double, 3>;

solver_options tight() { return {.tolerance = 1e-13}; }

/// cos cos cos has slope 0 on the ends of the unit box; in two dimensions z is 0.
double waves(place const& x) {
  return std::cos(pi * x[0]) * std::cos(pi * x[1]) * std::cos(pi * x[2]);
}

/// Right-hand side of -laplace(u) = f: volumes times f, and what borders give.
template <class Source>
petsc_vector right_hand_side(Mesh const& mesh, diffusion_system const& system, Source f) {
  petsc_vector b(mesh.base(), mesh.cells().num_owned);
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    b.values()[std::size_t(c)] =
        system.volumes[std::size_t(c)] * f(mesh.center(mesh.num_dimensions(), c)) +
        system.sources[std::size_t(c)];
  return b;
}

/// Solves for `exact` on some sides given by value, on others by slope 0, and tells the largest
/// error.
template <class Exact>
double error_of(Mesh const& mesh, std::vector<side_condition> const& conditions, Exact exact,
                double eigenvalue) {
  auto const system = assemble_two_point_diffusion(mesh, conditions);
  MeshField<double> u(mesh, "u", mesh.num_dimensions());
  petsc_vector x = share(u);
  auto const b =
      right_hand_side(mesh, system, [&](place const& at) { return eigenvalue * exact(at); });
  linear_solver const solve(mesh.base(), system.matrix, tight());
  solve(b, x);
  double worst = 0;
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    worst = std::max(worst, std::abs(u(c) - exact(mesh.center(mesh.num_dimensions(), c))));
  return mpi::allreduce(mesh.base(), worst, MPI_MAX);
}

/// The unit square in bricks, or equilateral triangles on a leaning parallelogram.
Mesh plane_mesh(Communicator const& all, shape of, std::int64_t n) {
  auto input = box_mesh(all, of, {n, n, 1});
  if (of == shape::triangle)
    for (std::size_t v = 0; v < input.vertex_ids.size(); ++v) {
      input.coordinates[3 * v] -= 0.5 * input.coordinates[3 * v + 1];
      input.coordinates[3 * v + 1] *= std::sqrt(0.75);
    }
  return Mesh(all, input);
}

/// The solution on rank 0's memory alone: what all ranks together have to find.
std::vector<double> gathered(MeshField<double> const& u) {
  std::vector<double> all(std::size_t(u.mesh().cells().num_global));
  for (local_id c = 0; c < u.mesh().cells().num_owned; ++c)
    all[std::size_t(u.mesh().cells().ids[std::size_t(c)])] = u(c);
  mpi::allreduce(u.mesh().base(), std::span<double>(all), MPI_SUM);
  return all;
}

std::vector<double> solution_on(Communicator const& over, bool scatter) {
  Mesh mesh(over, box_mesh(over, shape::hexahedron, {4, 3, 5}));
  if (scatter)
    mesh = scattered(mesh, 5);
  auto const system = assemble_two_point_diffusion(
      mesh, {given_value(1, [](place const& at) { return at[1]; }), given_slope(6, 2.0)});
  MeshField<double> u(mesh, "u", 3);
  petsc_vector x = share(u);
  linear_solver const solve(mesh.base(), system.matrix, tight());
  solve(right_hand_side(mesh, system, [](place const& at) { return at[0]; }), x);
  return gathered(u);
}

template <int D>
double grid_error(Communicator const& all, std::int64_t n) {
  grid_options<D> options;
  options.cells.fill(n);
  options.periodic[0] = true;
  Grid<D> const grid(all, options), bare = grid.without_ghosts();
  REQUIRE(bare.owned() == grid.owned());
  auto const exact = [](position<D> const& x) {
    double product = std::sin(2 * pi * x[0]);
    for (std::size_t a = 1; a < x.size(); ++a)
      product *= std::sin(pi * x[a] + 0.3);
    return product;
  };
  auto u = grid.template field<double>("u"), f = bare.template field<double>("f"),
       solution = bare.template field<double>("solution"),
       known = bare.template field<double>("known");
  u.boundary(dirichlet(exact));
  if constexpr (D > 1)
    u.boundary(1, side::low, neumann([&](position<D> x) {
                 double product = -pi * std::cos(0.3) * std::sin(2 * pi * x[0]);
                 for (std::size_t a = 2; a < x.size(); ++a)
                   product *= std::sin(pi * x[a] + 0.3);
                 return product;
               }));
  known.fill(exact);
  f.fill([&](position<D> const& x) { return (D + 3) * pi * pi * exact(x); });
  auto const system = assemble_diffusion(u);
  petsc_vector x = share(solution), b = share(f);
  for (std::size_t c = 0; c < system.volumes.size(); ++c)
    b.values()[c] = b.values()[c] * system.volumes[c] + system.sources[c];
  linear_solver const solve(grid.base(), system.matrix, tight());
  solve(b, x);
  double worst = 0;
  for_each_cell(known.owned(), [&](cell_index<D> const& at) {
    worst = std::max(worst, std::abs(solution.view()[at] - known.view()[at]));
  });
  return mpi::allreduce(all, worst, MPI_MAX);
}

} // namespace

TEST_CASE("solutions that are linear are found to rounding errors on boxes") {
  Communicator const all = world();
  auto const linear = [](place const& x) { return 1 + 2 * x[0]; };
  for (shape const of : {shape::line, shape::quadrilateral, shape::hexahedron}) {
    Mesh const mesh = scattered(Mesh(all, box_mesh(all, of, {6, 4, 3})), 2);
    CHECK(error_of(mesh, {given_value(1, 1.0), given_slope(2, 2.0)}, linear, 0) < 1e-11);
    CHECK(error_of(mesh, {given_value(2, 3.0), given_value(1, linear)}, linear, 0) < 1e-11);
  }
}

TEST_CASE("errors on meshes fall by four when cells are halved") {
  Communicator const all = world();
  auto const sines = [](place const& x) {
    return std::sin(pi * x[0] + 0.2) * std::sin(pi * x[1] + 0.5);
  };
  std::vector<side_condition> around;
  for (std::int32_t tag = 1; tag <= 4; ++tag)
    around.push_back(given_value(tag, sines));
  for (shape const of : {shape::quadrilateral, shape::triangle}) {
    double const coarse = error_of(plane_mesh(all, of, 8), around, sines, 2 * pi * pi);
    double const fine = error_of(plane_mesh(all, of, 16), around, sines, 2 * pi * pi);
    INFO(coarse << " " << fine);
    CHECK(coarse < 0.05);
    CHECK(coarse / fine > 3.2);
  }
}

TEST_CASE("errors on grids fall by four when cells are halved") {
  Communicator const all = world();
  CHECK(grid_error<1>(all, 24) / grid_error<1>(all, 48) > 3.5);
  CHECK(grid_error<2>(all, 16) / grid_error<2>(all, 32) > 3.5);
  CHECK(grid_error<3>(all, 8) / grid_error<3>(all, 16) > 3.0);
}

TEST_CASE("the solution does not depend on the ranks nor on which cells they have") {
  Communicator const all = world(), single = alone();
  start_petsc(all);
  auto const together = solution_on(all, true), here = solution_on(single, false);
  REQUIRE(together.size() == here.size());
  double largest = 0, worst = 0;
  for (std::size_t c = 0; c < here.size(); ++c) {
    largest = std::max(largest, std::abs(here[c]));
    worst = std::max(worst, std::abs(here[c] - together[c]));
  }
  CHECK(worst <= 1e-11 * largest);
}

TEST_CASE("without a given value the solution is found up to a constant") {
  Communicator const all = world();
  Mesh const mesh = scattered(Mesh(all, box_mesh(all, shape::hexahedron, {8, 8, 8})), 4);
  auto const system = assemble_two_point_diffusion(mesh);
  linear_solver const solve(all, system.matrix, tight());
  CHECK(solve.is_singular());
  MeshField<double> u(mesh, "u", 3);
  petsc_vector x = share(u);
  auto const b =
      right_hand_side(mesh, system, [](place const& at) { return 3 * pi * pi * waves(at); });
  solve(b, x);
  double sum = 0, worst = 0;
  for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
    sum += u(c);
    worst = std::max(worst, std::abs(u(c) - waves(mesh.center(3, c))));
  }
  CHECK(std::abs(mpi::allreduce(all, sum, MPI_SUM)) < 1e-9);
  CHECK(mpi::allreduce(all, worst, MPI_MAX) < 0.05);
  auto const uneven = right_hand_side(mesh, system, [](place const&) { return 1.0; });
  CHECK_THROWS_AS(solve(uneven, x), usage_error);
}

TEST_CASE("a system with volumes on its diagonal is not singular, and keeps the whole") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::hexahedron, {4, 4, 4}));
  auto const system = assemble_two_point_diffusion(mesh);
  linear_solver const solve(all, with_volumes(system, 100.0), tight());
  CHECK(!solve.is_singular());
  MeshField<double> u(mesh, "u", 3);
  petsc_vector x = share(u);
  auto const b = right_hand_side(mesh, system, [](place const& at) { return 100 * at[0]; });
  solve(b, x);
  double heat = 0;
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    heat += u(c) * system.volumes[std::size_t(c)];
  CHECK(mpi::allreduce(all, heat, MPI_SUM) == Approx(0.5).epsilon(1e-11));
}

TEST_CASE("what cannot be solved is refused by all ranks") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::quadrilateral, {4, 4, 1}));
  CHECK_THROWS_AS(assemble_two_point_diffusion(mesh, {given_value(1, 0.0), given_slope(1, 0.0)}),
                  usage_error);
  CHECK_THROWS_AS(assemble_two_point_diffusion(mesh.with_ghosts({.depth = 0})), usage_error);
  auto const system = assemble_two_point_diffusion(mesh, {given_value(1, 0.0)});
  CHECK_THROWS_AS(linear_solver(all, system.matrix, {.tolerance = -1}), usage_error);
  CHECK_THROWS_AS(linear_solver(all, system.matrix, {.method = "guess"}), petsc_error);
  CHECK_THROWS_AS(linear_solver(all, {}), usage_error);
  linear_solver const hasty(all, system.matrix,
                            {.preconditioner = "none", .tolerance = 1e-13, .max_iterations = 1});
  petsc_vector x(all, mesh.cells().num_owned),
      b = right_hand_side(mesh, system, [](place const& at) { return at[0]; });
  CHECK_THROWS_AS(hasty(b, x), usage_error);
  petsc_vector too_long(all, mesh.cells().num_owned + 1);
  CHECK_THROWS_AS(hasty(b, too_long), usage_error);
  Grid<2> const grid(all, {.cells = {8, 8}});
  CHECK_THROWS_AS(assemble_diffusion(grid.field<double>("u")), usage_error);
}

// PETSc beside seam: its start, its errors, and vectors that are fields.
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/petsc/petsc.hpp>
#include <seam/framework/petsc/vector.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>
#include <seam/mesh/fields/migrate_mesh.hpp>
#include <seam/mesh/input/box_mesh.hpp>

#include <petscvec.h>

#include <mesh/meshes.hpp>
#include <support/catch.hpp>
#include <support/stderr_of.hpp>
#include <support/world.hpp>

#include <numeric>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

double sum_of(petsc_vector const& of) {
  double sum = 0;
  check_petsc(VecSum(of.native(), &sum), "VecSum");
  return sum;
}

double largest_of(petsc_vector const& of) {
  double norm = 0;
  check_petsc(VecNorm(of.native(), NORM_INFINITY, &norm), "VecNorm");
  return norm;
}

Grid<2> grid_of(Communicator const& all, neighborhood around) {
  return Grid<2>(all, {.cells = {9, 8}, .neighborhood = std::move(around)});
}

} // namespace

TEST_CASE("PETSc starts once, whoever asks") {
  Communicator const all = world();
  CHECK(has_petsc());
  start_petsc(all);
  start_petsc(MPI_COMM_WORLD);
  PetscBool runs = PETSC_FALSE;
  check_petsc(PetscInitialized(&runs), "PetscInitialized");
  CHECK(runs == PETSC_TRUE);
  int size = 0;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  CHECK(size == all.size());
}

TEST_CASE("an error of PETSc is one line of an exception, and nothing on stderr") {
  Communicator const all = world();
  start_petsc(all);
  Vec vector = nullptr;
  check_petsc(VecCreateSeq(MPI_COMM_SELF, 3, &vector), "VecCreateSeq");
  std::string line;
  auto const printed = stderr_of([&] {
    try {
      check_petsc(VecSetType(vector, "no such type"), "VecSetType");
    } catch (petsc_error const& problem) {
      line = problem.what();
    }
  });
  CHECK(printed.empty());
  CHECK(line.find("petsc: VecSetType failed with error 86: ") == 0);
  CHECK(line.find("no such type") != line.npos);
  CHECK(line.find('\n') == line.npos);
  check_petsc(VecDestroy(&vector), "VecDestroy");
}

TEST_CASE("a field on a mesh and its vector are the same memory") {
  Communicator const all = world();
  Mesh const mesh = scattered(Mesh(all, mesh_of_kind(all, 3)), 1);
  for (int d = 0; d <= 3; ++d) {
    MeshField<double> u(mesh, "u", d, 2);
    MeshHalo halo = make_halo(u);
    petsc_vector const x = share(u);
    double const count = 2.0 * double(u.entities().num_global);
    check_petsc(VecSet(x.native(), 3.0), "VecSet");
    CHECK(sum_of(x) == 3 * count);
    for (local_id e = 0; e < u.entities().num_owned; ++e)
      REQUIRE(u(e, 1) == 3.0);
    for (local_id e = u.entities().num_owned; e < u.entities().num_local(); ++e)
      REQUIRE(u(e, 1) == 0.0);
    halo.run();
    for (local_id e = 0; e < u.entities().num_local(); ++e)
      REQUIRE(u(e, 1) == 3.0);
    for (local_id e = 0; e < u.entities().num_owned; ++e)
      u(e, 0) = 5.0;
    CHECK(sum_of(x) == 4 * count);
    CHECK(largest_of(x) == 5.0);
    PetscInt block = 0;
    check_petsc(VecGetBlockSize(x.native(), &block), "VecGetBlockSize");
    CHECK(block == 2);
  }
}

TEST_CASE("a vector keeps memory, and knows when its field has other") {
  Communicator const all = world();
  Mesh const mesh(all, mesh_of_kind(all, 1));
  MeshField<double> u(mesh, "u", 2);
  petsc_vector const old = share(u);
  check_petsc(VecSet(old.native(), 2.0), "VecSet");
  Mesh const moved = migrate(mesh, random_ranks(mesh, all.size(), 3), u);
  CHECK_THROWS_AS(old.native(), usage_error);
  CHECK(sum_of(share(u)) == 2.0 * double(moved.cells().num_global));
}

TEST_CASE("a field on a grid without ghosts and its vector are the same memory") {
  Communicator const all = world();
  Grid<2> const grid = grid_of(all, metric_neighborhood(metric::manhattan, 0, 0));
  auto u = grid.field<double>("u");
  petsc_vector const x = share(u);
  check_petsc(VecSet(x.native(), 3.0), "VecSet");
  for_each_cell(u.owned(), [&](cell_index<2> const& at) { REQUIRE(u.view()[at] == 3.0); });
  u.fill([](auto place) { return place[0] < 0.5 ? -8.0 : 1.0; });
  CHECK(largest_of(x) == 8.0);
}

TEST_CASE("fields with ghosts are copied, not shared") {
  Communicator const all = world();
  Grid<2> const grid = grid_of(all, von_neumann(1));
  auto u = grid.field<double>("u"), v = grid.field<double>("v");
  CHECK_THROWS_AS(share(u), usage_error);
  u.fill([](auto place) { return place[0] + 10 * place[1]; });
  petsc_vector x(all, u.owned().num_cells());
  copy(u, x);
  CHECK(sum_of(x) == Approx(72 * 5.5));
  check_petsc(VecScale(x.native(), 2.0), "VecScale");
  copy(x, v);
  for_each_cell(u.owned(),
                [&](cell_index<2> const& at) { REQUIRE(v.view()[at] == 2 * u.view()[at]); });
  CHECK_THROWS_AS(petsc_vector(all, -1), usage_error);
}

// The programs that docs/coming-from.md compares: heat by a DMDA of PETSc and by seam.
//
//     mpiexec -n 3 from-dmda
//     by PETSc 215.833997393, by seam 215.833997393
#include <seam/petsc.hpp>
#include <seam/program.hpp>
#include <seam/steps.hpp>

#include <petscdmda.h>

using seam::check_petsc;

constexpr int edge = 48, num_steps = 100;

double first_heat(int i, int j) { return (i * 7 + j * 13) % 10; }

// By a DMDA.
double by_petsc(MPI_Comm world) {
  seam::start_petsc(world);
  DM grid = nullptr;
  check_petsc(DMDACreate2d(world, DM_BOUNDARY_PERIODIC, DM_BOUNDARY_PERIODIC, DMDA_STENCIL_STAR,
                           edge, edge, PETSC_DECIDE, PETSC_DECIDE, 1, 1, nullptr, nullptr, &grid),
              "DMDACreate2d");
  check_petsc(DMSetUp(grid), "DMSetUp");
  Vec global = nullptr, local = nullptr;
  check_petsc(DMCreateGlobalVector(grid, &global), "DMCreateGlobalVector");
  check_petsc(DMCreateLocalVector(grid, &local), "DMCreateLocalVector");
  PetscInt i0 = 0, j0 = 0, ni = 0, nj = 0;
  check_petsc(DMDAGetCorners(grid, &j0, &i0, nullptr, &nj, &ni, nullptr), "DMDAGetCorners");

  double **u = nullptr, **next = nullptr;
  check_petsc(DMDAVecGetArray(grid, global, &next), "DMDAVecGetArray");
  for (PetscInt i = i0; i < i0 + ni; ++i)
    for (PetscInt j = j0; j < j0 + nj; ++j)
      next[i][j] = first_heat(i, j);
  check_petsc(DMDAVecRestoreArray(grid, global, &next), "DMDAVecRestoreArray");

  for (int step = 0; step < num_steps; ++step) {
    check_petsc(DMGlobalToLocal(grid, global, INSERT_VALUES, local), "DMGlobalToLocal");
    check_petsc(DMDAVecGetArray(grid, local, &u), "DMDAVecGetArray");
    check_petsc(DMDAVecGetArray(grid, global, &next), "DMDAVecGetArray");
    for (PetscInt i = i0; i < i0 + ni; ++i)
      for (PetscInt j = j0; j < j0 + nj; ++j)
        next[i][j] =
            u[i][j] + 0.1 * (u[i + 1][j] + u[i - 1][j] + u[i][j + 1] + u[i][j - 1] - 4 * u[i][j]);
    check_petsc(DMDAVecRestoreArray(grid, global, &next), "DMDAVecRestoreArray");
    check_petsc(DMDAVecRestoreArray(grid, local, &u), "DMDAVecRestoreArray");
  }

  double norm = 0;
  check_petsc(VecNorm(global, NORM_2, &norm), "VecNorm");
  check_petsc(VecDestroy(&local), "VecDestroy");
  check_petsc(VecDestroy(&global), "VecDestroy");
  check_petsc(DMDestroy(&grid), "DMDestroy");
  return norm;
}

// By seam.
double by_seam(seam::Communicator const& world) {
  seam::Grid<2> grid(world, {.cells = {edge, edge}, .periodic = {true, true}});
  auto u = grid.field<double>("u");
  u.fill([](auto x) { return first_heat(int(x[0] * edge), int(x[1] * edge)); });

  seam::Steps step(grid);
  step.each(
      "spread", updates(u, seam::star(1)),
      SEAM_KERNEL(auto u) { u = u() + 0.1 * (u(1, 0) + u(-1, 0) + u(0, 1) + u(0, -1) - 4 * u()); });
  step.run(num_steps);
  return seam::norm(u);
}

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  seam::print(runtime, "by PETSc {:.9f}, by seam {:.9f}\n", by_petsc(MPI_COMM_WORLD),
              by_seam(runtime));
}

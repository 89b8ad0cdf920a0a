// The program that docs/petsc.md shows: a system of equations on a grid.
//
//     mpiexec -n 3 petsc
//     largest 0.999129, error 0.000435, solved
#include <seam/petsc.hpp>
#include <seam/program.hpp>

#include <petscvec.h>

#include <cmath>
#include <numbers>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  constexpr double pi = std::numbers::pi;
  auto const exact = [](auto x) { return std::sin(pi * x[0]) * std::sin(pi * x[1]); };

  // 1. -div(grad u) = f on the unit square, u = 0 on its border.
  seam::Grid<2> grid(runtime, {.cells = {48, 40}});
  auto u = grid.field<double>("u");
  u.boundary(seam::dirichlet(0.0));
  auto const system = seam::assemble_diffusion(u);

  // 2. Fields without ghosts are vectors of PETSc, in the same memory.
  auto const dense = grid.without_ghosts();
  auto f = dense.field<double>("f"), solution = dense.field<double>("solution");
  f.fill([&](auto x) { return 2 * pi * pi * exact(x); });
  seam::petsc_vector b = seam::share(f), x = seam::share(solution);
  for (std::size_t i = 0; i < system.volumes.size(); ++i)
    b.values()[i] = system.volumes[i] * b.values()[i] + system.sources[i];

  // 3. Conjugate gradients with algebraic multigrid; PETSC_OPTIONS asks for others.
  seam::linear_solver const solve(grid.base(), system.matrix);
  seam::solve_report const done = solve(b, x);

  // 4. Any function of PETSc takes native(); a copy gives the values ghosts again.
  double largest = 0;
  seam::check_petsc(VecMax(x.native(), nullptr, &largest), "VecMax");
  seam::copy(x, u);
  auto wanted = grid.field<double>("wanted");
  wanted.fill(exact);
  double const error = seam::maximum_norm(grid, [u = u.view(), w = wanted.view()](int i, int j) {
    return u(i, j) - w(i, j);
  });
  seam::print(runtime, "largest {:.6f}, error {:.6f}, {}\n", largest, error,
              done.residual < 1e-8 ? "solved" : "not solved");
}

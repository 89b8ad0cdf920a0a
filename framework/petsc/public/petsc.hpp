/// PETSc on the memory of seam's fields: vectors, and solvers of linear systems.
///
///     seam::Runtime runtime(argc, argv);
///     seam::Grid<2> grid(runtime, {.cells = {48, 40}});
///     auto u = grid.field<double>("u");
///     u.boundary(seam::dirichlet(0.0));
///     auto const system = seam::assemble_diffusion(u);
///     auto b = grid.without_ghosts().field<double>("b"), x = b.grid().field<double>("x");
///     seam::petsc_vector right = seam::share(b), solution = seam::share(x);
///     seam::linear_solver(grid.base(), system.matrix)(right, solution);
///
/// Brings petsc_vector, linear_solver, start_petsc() and check_petsc(), and all of
/// <seam/diffusion.hpp>. Programs link seam::petsc; without PETSc its functions throw an error.
///
/// Threads: one at a time, for all of PETSc.
#pragma once

#include <seam/diffusion.hpp>
#include <seam/framework/petsc/petsc.hpp>
#include <seam/framework/petsc/solver.hpp>
#include <seam/framework/petsc/vector.hpp>

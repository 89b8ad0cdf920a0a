/// Diffusion as a system of equations, on grids and meshes, with rows for any solver.
///
///     seam::Runtime runtime(argc, argv);
///     seam::Grid<2> grid(runtime, {.cells = {48, 40}});
///     auto u = grid.field<double>("u");
///     u.boundary(seam::dirichlet(0.0));
///     auto const system = seam::assemble_diffusion(u);
///     std::printf("%zu own rows\n", system.volumes.size());
///
/// Brings assemble_diffusion() for grids and meshes, conditions on the sides of meshes, and
/// matrix_rows. <seam/petsc.hpp> solves such systems.
///
/// Threads: one thread of a rank at a time.
#pragma once

#include <seam/framework/meshes/mesh_diffusion.hpp>
#include <seam/framework/solve/grid_diffusion.hpp>
#include <seam/framework/solve/matrix_rows.hpp>
#include <seam/grid.hpp>
#include <seam/mesh.hpp>
#include <seam/runtime.hpp>

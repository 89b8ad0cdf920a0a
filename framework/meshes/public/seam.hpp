/// All of seam but <seam/petsc.hpp>. Programs that include only what they use compile faster.
///
///     seam::Runtime runtime(argc, argv); // starts MPI and Kokkos
///     seam::Grid<2> grid(runtime, {.cells = {64, 64}, .neighborhood = seam::von_neumann(1)});
///     auto u = grid.field<double>("u"), next = grid.field<double>("next");
///     u.boundary(seam::dirichlet(0.0));
///     seam::Iterate loop(grid, u, next);
///     loop.sweep(SEAM_KERNEL(auto u, int i, int j) { // exchanges ghosts, too
///       return 0.25 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1));
///     });
///
/// Brings what the headers below bring; each says it in ten lines.
///
/// Threads: as each of them says.
#pragma once

#include <seam/checkpoint.hpp>
#include <seam/diffusion.hpp>
#include <seam/endpoints.hpp>
#include <seam/exchange.hpp>
#include <seam/files.hpp>
#include <seam/grid.hpp>
#include <seam/halo.hpp>
#include <seam/mapping.hpp>
#include <seam/mesh.hpp>
#include <seam/mesh_files.hpp>
#include <seam/messages.hpp>
#include <seam/partition.hpp>
#include <seam/partitioned.hpp>
#include <seam/program.hpp>
#include <seam/runtime.hpp>
#include <seam/simulation.hpp>
#include <seam/sparse.hpp>
#include <seam/steps.hpp>
#include <seam/sum.hpp>
#include <seam/windows.hpp>

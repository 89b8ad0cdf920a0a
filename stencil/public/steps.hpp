/// Steps: kernels that declare what they read and write. Ghosts, messages and their overlap with
/// computing follow from the declarations.
///
///     auto const world = seam::Communicator::dup(MPI_COMM_WORLD);
///     seam::Grid<2> grid(world, {.cells = {64, 64}, .periodic = {true, true}});
///     auto u = grid.field<double>("u");
///     seam::Steps step(grid);
///     step.each("spread", updates(u, seam::star(1)), SEAM_KERNEL(auto c) {
///       c = c() + 0.2 * (c(1, 0) + c(-1, 0) + c(0, 1) + c(0, -1) - 4 * c());
///     });
///     step.run(1000);
///
/// Brings Steps with its roles and offsets, Value, step_profile(), by_place(), Iterate for loops over
/// two fields, and all of <seam/grid.hpp>.
///
/// Threads: one thread calls the members; kernels run on Kokkos' host threads.
#pragma once

#include <seam/exchange/steps/roles/step_runs.hpp>
#include <seam/exchange/steps/roles/value_roles.hpp>
#include <seam/exchange/steps/run/step_profile.hpp>
#include <seam/exchange/steps/values/value.hpp>
#include <seam/grid.hpp>
#include <seam/stencil/roles/iterate.hpp>
#include <seam/stencil/roles/kernel_by_place.hpp>
#include <seam/stencil/roles/step_offsets.hpp>
#include <seam/stencil/roles/step_roles.hpp>
#include <seam/stencil/roles/step_views.hpp>
#include <seam/stencil/roles/steps.hpp>

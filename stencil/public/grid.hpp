/// Grids: the cells of a box, divided over ranks, with fields, boundary conditions and ghosts.
///
///     auto const world = seam::Communicator::dup(MPI_COMM_WORLD);
///     seam::Grid<2> grid(world, {.cells = {64, 64}, .periodic = {true, false},
///                                .neighborhood = seam::von_neumann(1)});
///     auto u = grid.field<double>("u");
///     u.fill([](auto x) { return x[0] * x[1]; });
///     u.boundary(seam::dirichlet(0.0));
///     seam::make_halo(u).run(); // every ghost has the value of the cell that owns it
///     double const heat = seam::sum(u);
///
/// Brings Grid, Field and its views, centerings, boundary conditions, halos, also partitioned ones,
/// gather(), and sums and norms of fields. <seam/steps.hpp> computes on them.
///
/// Threads: distinct cells from any thread; collective calls by one thread of a rank at a time.
#pragma once

#include <seam/exchange/steps/regions/box.hpp>
#include <seam/stencil/fields/boundary.hpp>
#include <seam/stencil/fields/field.hpp>
#include <seam/stencil/fields/field_view.hpp>
#include <seam/stencil/fields/for_each_tile.hpp>
#include <seam/stencil/fields/gather.hpp>
#include <seam/stencil/fields/ghost_cell.hpp>
#include <seam/stencil/fields/grid.hpp>
#include <seam/stencil/fields/sum.hpp>
#include <seam/stencil/ghosts/halo.hpp>
#include <seam/stencil/ghosts/partitioned_halo.hpp>
#include <seam/stencil/space/border.hpp>
#include <seam/stencil/space/centering.hpp>

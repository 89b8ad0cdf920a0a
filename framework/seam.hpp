/// All of seam. Programs that include only the headers that they use compile faster.
///
///     #include <seam/seam.hpp>
///
///     seam::Runtime runtime(argc, argv);                                  // starts MPI and Kokkos
///     seam::Grid<2> grid(runtime, {.cells = {64, 64}, .neighborhood = seam::von_neumann(1)});
///     auto u = grid.field<double>("u"), next = grid.field<double>("next");
///     u.boundary(seam::dirichlet(0.0));
///     seam::Iterate loop(grid, u, next);
///     loop.sweep(KOKKOS_LAMBDA(auto u, int i, int j) {                    // exchanges ghosts, too
///       return 0.25 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1));
///     });
#pragma once

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/barrier.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/collectives/gather.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/collectives/reduce_scatter.hpp>
#include <seam/exchange/collectives/scan.hpp>
#include <seam/exchange/collectives/scatter.hpp>
#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/communicator/endpoints.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/engine/operation.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/ground/version.hpp>
#include <seam/exchange/halo/exchange.hpp>
#include <seam/exchange/halo/partitioned_exchange.hpp>
#include <seam/exchange/partitioned/collectives.hpp>
#include <seam/exchange/partitioned/point_to_point.hpp>
#include <seam/exchange/partitioned/reductions.hpp>
#include <seam/exchange/point_to_point/point_to_point.hpp>
#include <seam/exchange/point_to_point/window.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>
#include <seam/exchange/sums/sum.hpp>
#include <seam/exchange/waiting/stall.hpp>
#include <seam/framework/checkpoint/checkpoint.hpp>
#include <seam/framework/checkpoint/checkpoints.hpp>
#include <seam/framework/checkpoint/mesh_checkpoint.hpp>
#include <seam/framework/files/animation.hpp>
#include <seam/framework/files/color_map.hpp>
#include <seam/framework/files/file_series.hpp>
#include <seam/framework/files/input_file.hpp>
#include <seam/framework/files/mesh_picture.hpp>
#include <seam/framework/files/output_file.hpp>
#include <seam/framework/files/picture.hpp>
#include <seam/framework/files/read_mesh.hpp>
#include <seam/framework/files/vtkhdf.hpp>
#include <seam/framework/files/vtkhdf_mesh.hpp>
#include <seam/framework/files/vtkhdf_mesh_input.hpp>
#include <seam/framework/files/vtkhdf_series.hpp>
#include <seam/framework/measure/benchmark.hpp>
#include <seam/framework/program/print.hpp>
#include <seam/framework/program/program.hpp>
#include <seam/framework/program/progress.hpp>
#include <seam/framework/program/runtime.hpp>
#include <seam/framework/solve/mesh_diffusion.hpp>
#include <seam/mapping/cartesian_naming.hpp>
#include <seam/mapping/cartesianity.hpp>
#include <seam/mapping/dims.hpp>
#include <seam/mapping/named_communicator.hpp>
#include <seam/mapping/neighborhood.hpp>
#include <seam/mapping/neighbors.hpp>
#include <seam/mapping/network.hpp>
#include <seam/mesh/entities/mesh.hpp>
#include <seam/mesh/fields/mesh_field.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>
#include <seam/mesh/fields/migrate_mesh.hpp>
#include <seam/mesh/fields/partitioned_mesh_halo.hpp>
#include <seam/mesh/fields/sum.hpp>
#include <seam/mesh/fluxes/mesh_fluxes.hpp>
#include <seam/mesh/fluxes/quadrature.hpp>
#include <seam/mesh/fluxes/two_point_flux.hpp>
#include <seam/mesh/fluxes/vertex_flux.hpp>
#include <seam/mesh/graphs/coloring.hpp>
#include <seam/mesh/graphs/distributed_graph.hpp>
#include <seam/mesh/graphs/independent_set.hpp>
#include <seam/mesh/graphs/partition_mesh.hpp>
#include <seam/mesh/graphs/scotch.hpp>
#include <seam/mesh/input/box_mesh.hpp>
#include <seam/mesh/input/gmsh.hpp>
#include <seam/mesh/partition/bisect.hpp>
#include <seam/mesh/partition/hilbert.hpp>
#include <seam/mesh/partition/migrate.hpp>
#include <seam/mesh/partition/partition.hpp>
#include <seam/mesh/partition/quality.hpp>
#include <seam/mesh/partition/rcb.hpp>
#include <seam/mesh/partition/rib.hpp>
#include <seam/mesh/shapes/shape_parts.hpp>
#include <seam/stencil/boundary.hpp>
#include <seam/stencil/field.hpp>
#include <seam/stencil/gather.hpp>
#include <seam/stencil/grid.hpp>
#include <seam/stencil/halo.hpp>
#include <seam/stencil/iterate.hpp>
#include <seam/stencil/kernel_by_place.hpp>
#include <seam/stencil/partitioned_halo.hpp>
#include <seam/stencil/steps.hpp>
#include <seam/stencil/sum.hpp>

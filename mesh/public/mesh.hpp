/// Meshes: vertices, edges, faces and cells of any shapes, divided over ranks, with fields and
/// their copies.
///
///     auto const world = seam::Communicator::dup(MPI_COMM_WORLD);
///     seam::Mesh const mesh(world, seam::box_mesh(world, seam::shape::triangle, {32, 32, 1}));
///     auto u = mesh.field<double>("u", seam::vertices);
///     u.fill([](auto x) { return x[0]; });
///     seam::make_halo(u).run(); // every copy has its owner's value
///
/// Brings Mesh and its entities, box_mesh(), Gmsh's format and means to read others, MeshField, halos,
/// also partitioned ones, sums and norms of fields, finite elements and fluxes, colorings, and Steps on
/// meshes: kernels that declare what they read and write.
/// <seam/partition.hpp> divides meshes anew, <seam/mesh_files.hpp> reads and writes them.
///
/// Threads: distinct entities from any thread; collective calls by one thread of a rank at a time.
#pragma once

#include <seam/exchange/numbering/ids.hpp>
#include <seam/mesh/entities/adjacency.hpp>
#include <seam/mesh/entities/identify.hpp>
#include <seam/mesh/entities/mesh.hpp>
#include <seam/mesh/entities/mesh_entities.hpp>
#include <seam/mesh/fields/for_each.hpp>
#include <seam/mesh/fields/mesh_field.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>
#include <seam/mesh/fields/partitioned_mesh_halo.hpp>
#include <seam/mesh/fields/sum.hpp>
#include <seam/mesh/fluxes/geometry.hpp>
#include <seam/mesh/fluxes/gradients.hpp>
#include <seam/mesh/fluxes/mesh_fluxes.hpp>
#include <seam/mesh/fluxes/quadrature.hpp>
#include <seam/mesh/fluxes/two_point_flux.hpp>
#include <seam/mesh/fluxes/vertex_flux.hpp>
#include <seam/mesh/graphs/coloring.hpp>
#include <seam/mesh/graphs/distributed_graph.hpp>
#include <seam/mesh/input/box_mesh.hpp>
#include <seam/mesh/input/gmsh.hpp>
#include <seam/mesh/input/mesh_input.hpp>
#include <seam/mesh/input/shared_reading.hpp>
#include <seam/mesh/roles/entity_views.hpp>
#include <seam/mesh/roles/mesh_roles.hpp>
#include <seam/mesh/roles/mesh_steps.hpp>
#include <seam/mesh/shapes/bounding_box.hpp>
#include <seam/mesh/shapes/shape.hpp>
#include <seam/mesh/shapes/vec.hpp>
#include <seam/mesh/shapes/vertex_image.hpp>
#include <seam/mesh/space/mesh_set.hpp>

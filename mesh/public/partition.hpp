/// Partitions of meshes and of clouds of points, their quality, and migration to the new owners.
///
///     auto const world = seam::Communicator::dup(MPI_COMM_WORLD);
///     seam::Mesh mesh(world, seam::box_mesh(world, seam::shape::triangle, {32, 32, 1}));
///     seam::MeshField<double> u(mesh, "u", 0);
///     auto const cells2ranks = seam::partition(mesh, world.size(), seam::partition_method::rib);
///     mesh = seam::migrate(mesh, cells2ranks, u); // cells, and u with them
///
/// Or all in one, for a mesh that is read: seam::divided(world, input), sorted in memory as well.
///
/// Brings divided(), partition() by RIB, RCB, Hilbert's curve, bisection and Scotch, balance and
/// connection of parts, migrate() of points and meshes, and all of <seam/mesh.hpp>.
///
/// Threads: collective calls, by one thread of a rank at a time.
#pragma once

#include <seam/mesh.hpp>
#include <seam/mesh/fields/migrate_mesh.hpp>
#include <seam/mesh/graphs/divided.hpp>
#include <seam/mesh/graphs/partition_mesh.hpp>
#include <seam/mesh/partition/bisect.hpp>
#include <seam/mesh/partition/migrate.hpp>
#include <seam/mesh/partition/partition.hpp>
#include <seam/mesh/partition/point_cloud.hpp>
#include <seam/mesh/partition/quality.hpp>

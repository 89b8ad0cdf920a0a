/// Files of meshes: meshes from Gmsh and VTKHDF, fields for ParaView and as pictures, checkpoints.
///
///     seam::Runtime runtime(argc, argv);
///     auto const mesh = seam::divided(runtime, seam::read_mesh(runtime, "channel.msh"));
///     auto u = mesh.field<double>("u", seam::vertices);
///     seam::write(mesh, u, "u.vtkhdf");
///     seam::write_png(u, "u.png");
///
/// Brings read_mesh() and read_vtkhdf(), write() and write_png() of fields on meshes, what
/// vtkhdf_series, animations, run_outputs and checkpoints take of them, load_mesh(), and all of
/// <seam/partition.hpp> and <seam/runtime.hpp>.
///
/// Threads: one thread of a rank at a time.
#pragma once

#include <seam/framework/meshes/mesh_checkpoint.hpp>
#include <seam/framework/meshes/mesh_outputs.hpp>
#include <seam/framework/meshes/mesh_picture.hpp>
#include <seam/framework/meshes/mesh_series.hpp>
#include <seam/framework/meshes/read_mesh.hpp>
#include <seam/framework/meshes/vtkhdf_mesh.hpp>
#include <seam/framework/meshes/vtkhdf_mesh_input.hpp>
#include <seam/partition.hpp>
#include <seam/runtime.hpp>

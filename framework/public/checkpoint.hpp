/// Checkpoints: the state of a computation in one file, from which any number of ranks go on.
///
///     seam::Runtime runtime(argc, argv);
///     seam::Grid<2> grid(runtime, {.cells = {64, 64}});
///     auto u = grid.field<double>("u");
///     std::int64_t step = 100;
///     seam::save(runtime, "run.h5", u, seam::value("step", step)); // run-0001.h5
///     seam::load(runtime, "run.h5", u, seam::value("step", step)); // the newest that is whole
///
/// Brings save() and load(), checkpoints for programs with --resume, stored_array for state of a
/// program's own, and all of <seam/grid.hpp> and <seam/runtime.hpp>. <seam/mesh_files.hpp> has meshes
/// in checkpoints.
///
/// Threads: one thread of a rank at a time.
#pragma once

#include <seam/framework/checkpoint/checkpoint.hpp>
#include <seam/framework/checkpoint/checkpoints.hpp>
#include <seam/framework/checkpoint/stored_state.hpp>
#include <seam/grid.hpp>
#include <seam/runtime.hpp>

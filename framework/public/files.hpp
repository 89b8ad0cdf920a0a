/// Files: fields for ParaView and as pictures, series in time, animations and plots, and files of a
/// program's own.
///
///     seam::Runtime runtime(argc, argv);
///     seam::Grid<2> grid(runtime, {.cells = {64, 64}});
///     auto u = grid.field<double>("u");
///     seam::require_writable(runtime, "u.vtkhdf"); // before the long computation
///     u.fill([](auto x) { return x[0] * x[1]; });
///     seam::write(grid, u, "u.vtkhdf");
///     seam::write_png(u, "u.png");
///
/// Brings write() and vtkhdf_series, write_png() and color maps, animation, file_series, line_plot,
/// input and output files, and all of <seam/grid.hpp> and <seam/runtime.hpp>.
/// <seam/mesh_files.hpp> has those of meshes.
///
/// Threads: one thread of a rank at a time.
#pragma once

#include <seam/framework/files/animation.hpp>
#include <seam/framework/files/color_map.hpp>
#include <seam/framework/files/file_series.hpp>
#include <seam/framework/files/input_file.hpp>
#include <seam/framework/files/line_plot.hpp>
#include <seam/framework/files/output_file.hpp>
#include <seam/framework/files/picture.hpp>
#include <seam/framework/files/vtkhdf.hpp>
#include <seam/framework/files/vtkhdf_series.hpp>
#include <seam/grid.hpp>
#include <seam/runtime.hpp>

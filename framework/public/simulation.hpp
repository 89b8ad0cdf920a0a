/// Simulations: options, outputs, plots and checkpoints that programs of many steps share.
///
///     seam::simulation wanted{.cells = 256, .steps = 2000};
///     seam::run_program(
///         argc, argv, [&](seam::option_list cli) { wanted.add_options(cli, "the pressure"); },
///         [&](seam::Runtime& runtime) {
///           wanted.begin(runtime); // before the long computation
///           seam::Grid<2> grid(runtime, {.cells = {wanted.cells, wanted.cells}});
///           auto p = grid.field<double>("p");
///           wanted.finish(p);
///         });
///
/// Brings simulation, output_options and run_outputs, run_plot, pictures of a run in the terminal,
/// and all of <seam/program.hpp>, <seam/files.hpp>, <seam/checkpoint.hpp> and <seam/steps.hpp>.
///
/// Threads: the one that starts the program makes these calls.
#pragma once

#include <seam/checkpoint.hpp>
#include <seam/files.hpp>
#include <seam/framework/solve/live_picture.hpp>
#include <seam/framework/solve/outputs.hpp>
#include <seam/framework/solve/run_plot.hpp>
#include <seam/framework/solve/simulation.hpp>
#include <seam/program.hpp>
#include <seam/steps.hpp>

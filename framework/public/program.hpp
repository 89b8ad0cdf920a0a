/// Programs: command lines, printing, progress and benchmarks.
///
///     double time = 1;
///     seam::run_program(
///         argc, argv, [&](seam::option_list cli) { cli.add("--time", time, "when to end"); },
///         [&](seam::Runtime& runtime) {
///           seam::print(runtime, "until {} on {} ranks\n", time, runtime.size());
///         });
///
/// Brings run_program() and option_list, print() and progress, decimal numbers and checks of options,
/// diagnose(), benchmark_table and its output, and all of <seam/runtime.hpp>. <seam/simulation.hpp> has
/// the options and outputs that programs of many steps share.
///
/// Threads: the one that starts the program makes these calls.
#pragma once

#include <seam/framework/files/benchmark_output.hpp>
#include <seam/framework/measure/benchmark.hpp>
#include <seam/framework/program/diagnosis.hpp>
#include <seam/framework/program/option_list.hpp>
#include <seam/framework/program/print.hpp>
#include <seam/framework/program/program.hpp>
#include <seam/framework/program/progress_bar.hpp>
#include <seam/framework/program/value_checks.hpp>
#include <seam/runtime.hpp>

/// Runtime: starts MPI, Kokkos and seam, and stops them again.
///
///     seam::Runtime runtime(argc, argv, {.does = "Relaxes a ring's temperature."});
///     if (runtime.rank() == 0)
///       std::printf("%d ranks\n", runtime.size());
///
/// Brings Runtime, which is a communicator of all ranks besides, and program_usage. It is the first
/// object of main. MPI or Kokkos that other code has started keep running when it ends.
/// <seam/program.hpp> has programs with options of their own.
///
/// Threads: the one that starts the program makes and destroys it.
#pragma once

#include <seam/framework/program/runtime.hpp>

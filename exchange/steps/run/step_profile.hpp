/// Step profiles: where the time of steps goes, by the names of their kernels.
///
///     seam::profile_steps(true);                 // or --profile, or SEAM_PROFILE=on
///     step.run(1000);
///     seam::print(runtime, seam::step_profile(runtime));
///
///     rank  kernel      calls  seconds  cells/s  GB/s  of a copy
///     all   'spread'     1000    1.234  8.1e+08   9.7       0.95
///     all   ghosts              0.0021
///     all   messages     4000    0.012            0.4
///     all   waits                0.051
///
/// Programs of run_program() print the table at their end if --profile is given. Kokkos' profiling
/// tools get a region with the name of each kernel, "seam::ghosts", "seam::messages" and
/// "seam::waits", of what the thread that calls run() does; without a tool and without a profile steps
/// look at one pointer for each tile.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <string>

namespace seam {

/// True if runs of steps are profiled: the environment variable SEAM_PROFILE, or profile_steps(). Local.
/// @throws usage_error  SEAM_PROFILE is neither on nor off
bool steps_are_profiled();

/// Profiles the runs that begin from now on, or no more. Local.
void profile_steps(bool on) noexcept;

/// A table of what this thread's steps have done while they were profiled: for all ranks together, and
/// for each. Seconds are means of a rank's threads, and in the lines of all ranks means of ranks.
/// Bytes are those of the values that kernels declare to read and write, once each; a copy is measured
/// now, by all threads of all ranks at once, for a second at most.
/// @return  the table on rank 0; nothing on other ranks, or if nothing has been profiled
/// Collective: over `over`.
/// Threads: the one that calls run(), between runs.
std::string step_profile(mpi::comm_view over);

} // namespace seam

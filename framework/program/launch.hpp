/// launch: what the launcher of this process, mpiexec or srun, says in the environment before MPI
/// starts.
#pragma once

#include <optional>

namespace seam::detail {

/// The rank that this process will have, if all processes of its job are known to have main's
/// arguments as this one has them; nothing if some may have others.
///
/// Of several processes that is known with Open MPI, whose environment has the job's command line,
/// unless the job has several or a script between has changed it. A process that no launcher has
/// started has rank 0.
/// Local.
std::optional<int> rank_in_uniform_job(int argc, char const* const* argv);

} // namespace seam::detail

/// What MPI libraries do where the standard leaves them free, and seam has to know.
#pragma once

#include <mpi.h>

#include <string>

namespace seam::mpi {

/// True if a process that waits in a call of the library gives its core to others, at least where
/// there are more processes than cores. Open MPI does; MPICH 4.0 polls without a pause, so that the
/// process that it waits for runs some milliseconds later. Seam's own waits always yield.
#if defined(OPEN_MPI)
inline constexpr bool yields_in_calls = true;
#else
inline constexpr bool yields_in_calls = false;
#endif

/// True if a function that MPI_Cancel() calls for a generalized request may complete the request. It may
/// not in MPICH 4.0, which holds a lock meanwhile that MPI_Grequest_complete() takes.
#if defined(MPICH_NUMVERSION)
inline constexpr bool may_complete_in_cancel = false;
#else
inline constexpr bool may_complete_in_cancel = true;
#endif

/// Keeps the library from using a part that loses messages, unless the environment chooses it: the fast
/// boxes of Open MPI from version 5 on, through which small messages go between processes of a node. After
/// many messages in flight one can be lost there, and a wait for it never ends
/// (https://github.com/open-mpi/ompi/issues/12979). Local, before MPI_Init_thread().
void leave_out_lossy_parts();

/// The library and its version, for example "Open MPI v4.1.4" or "MPICH 4.0.2". Local.
std::string library_in_words();

} // namespace seam::mpi

/// What MPI libraries do where the standard leaves them free, and seam has to know.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/mpi/detail/handle.hpp>

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
/// boxes of Open MPI from version 5 on, through which small messages go between processes of a node.
/// After many messages in flight one can be lost there, and a wait for it never ends
/// (https://github.com/open-mpi/ompi/issues/12979). Local, before MPI_Init_thread().
void leave_out_lossy_parts();

/// The library and its version, for example "Open MPI v4.1.4" or "MPICH 4.0.2". Local.
std::string library_in_words();

/// MPI_Finalize calls `act` before it does anything else; of several functions it calls the one that
/// was given last first. Threads: any. Local.
void before_end(void (*act)());

/// The largest tag of the MPI library, MPI_TAG_UB: 32767 or more. Local.
int largest_tag();

/// Lets the MPI library work on messages in flight; some libraries do so only within calls. It
/// looks for a message that does not exist: Open MPI makes no progress if it finds one, and MPICH
/// none if it looks on a communicator of one process. Local.
/// @param over  a communicator on which seam alone sends
inline void make_progress([[maybe_unused]] comm_view over) {
  constexpr int unused_tag = 32749;
  int found = 0;
#if defined(OPEN_MPI)
  auto const look_on = MPI_COMM_SELF;
#else
  int num_processes = 0; // of which an endpoint's communicator has fewer than ranks
  check(MPI_Comm_size(over.native(), &num_processes), "MPI_Comm_size");
  auto const look_on = num_processes > 1 ? over.native() : MPI_COMM_WORLD;
#endif
  check(MPI_Iprobe(0, unused_tag, look_on, &found, MPI_STATUS_IGNORE), "MPI_Iprobe");
}

/// Lets each process's part begin where its processor likes it, instead of right behind the part
/// before. MPICH 4.0 needs it for parts of a few bytes, too: without it accesses to other processes
/// reach the own part. Local.
hints parts_apart();

/// Lets ROMIO, the files of MPICH, write collectively always: an error of one process then is one of
/// all. HDF5 waits for ever where some processes write alone and fail. Local.
hints written_together();

} // namespace seam::mpi

/// Barrier: waits until other processes have called it, too.
#pragma once

#include <seam/exchange/calls/collective.hpp>

namespace seam {

/// On complete and bipartite communicators as MPI_Barrier. On a graph a process continues when all
/// its in-neighbors have called; nothing follows about other processes.
///
/// Source: [Traeff2021] sec. 2.
collective barrier();

} // namespace seam

/// Barrier: to know that others have come as far.
#pragma once

#include <seam/exchange/calls/collective.hpp>

namespace seam {

/// On complete and bipartite communicators as MPI_Barrier. On a graph a process goes on when all
/// its in-neighbors have called; nothing follows about others. Source: [Traeff2021] sec. 2.
collective barrier();

} // namespace seam

/// Reduce-scatter: everybody's values combined, a part of them for each. Without meaning on graphs.
#pragma once

#include <seam/exchange/collectives/edges.hpp>
#include <seam/exchange/mpi/op.hpp>

#include <vector>

namespace seam {

/// Combines the values of everybody and leaves block r of the result at rank r.
///
/// @param send     the blocks, one behind the other; MPI_IN_PLACE takes those in `receive`
/// @param receive  one block
/// Complete and bipartite communicators only: [Traeff2021] sec. 2 leaves it undefined on graphs.
collective reduce_scatter_block(elements const& send, elements const& receive, MPI_Op op);

/// The same with blocks of counts[r] elements.
/// @param counts  [size], the same on all ranks
collective reduce_scatter(elements const& send, elements const& receive, std::vector<int> counts,
                          MPI_Op op);

} // namespace seam

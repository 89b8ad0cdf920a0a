/// Partitioned messages between two processes ([MPI4] sec. 4.2).
///
///     auto out = psend_init(world, in_partitions(values, 33), next, tag);
///     auto in = precv_init(world, in_partitions(room, 17), before, tag);   // as many bytes
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/partitioned/buffer.hpp>
#include <seam/exchange/partitioned/partitioned_operation.hpp>
#include <seam/exchange/partitioned/settings.hpp>

namespace seam {

/// Sends `values` to `destination`, on a graph one of the destinations of this process, or
/// MPI_PROC_NULL. The k-th of these from here with
/// one tag matches the k-th precv_init() there from here with that tag. Partitions may differ in
/// number and size; the bytes of all may not, and that is told by both ends' test(), wait() and
/// arrived().
/// @throws usage_error  destination or tag are out of range, or the destination is no neighbor
/// Inside a node partitions travel through its memory if both processes share some by then, which
/// has room: once a Runtime has started, or, over any communicator of both, a collective has been
/// prepared, a blocking one run on a graph, or memory of the node been asked for.
/// Local. Threads: those that use one tag to one destination are to agree on their order.
partitioned_operation psend_init(Communicator const& over, partitioned_buffer const& values,
                                 int destination, int tag,
                                 partitioned_settings const& settings = {});

/// Receives into `room` from `source`. As above; wildcards are refused.
partitioned_operation precv_init(Communicator const& over, partitioned_buffer const& room,
                                 int source, int tag);

} // namespace seam

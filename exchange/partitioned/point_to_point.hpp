/// Partitioned messages between two processes ([MPI4] sec. 4.2).
///
///     auto out = psend_init(world, in_partitions(values, 33), next, tag);
///     auto in = precv_init(world, in_partitions(room, 17), before, tag);   // as many bytes
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/partitioned/detail/buffer.hpp>
#include <seam/exchange/partitioned/partitioned_operation.hpp>
#include <seam/exchange/partitioned/settings.hpp>

namespace seam {

/// Sends `values` to `destination`, on a graph one of the destinations of this process, or
/// MPI_PROC_NULL.
///
/// The k-th psend_init() from here to a rank with one tag matches the k-th precv_init() from here
/// on that rank with this tag. The two ends may differ in the number and size of their partitions.
/// They may not differ in total bytes; test(), wait() and arrived() of both ends report it.
///
/// Inside a node partitions travel through shared memory if both processes have some with free
/// space at this time: once a Runtime has started, or once, over any communicator of both, a
/// collective has been prepared, a blocking one has run on a graph, or memory of the node has been
/// asked for.
///
/// @throws usage_error  destination or tag are out of range, or the destination is no neighbor
/// Local.
/// Threads: several that use one tag to one destination must agree on their order.
partitioned_operation psend_init(Communicator const& over, partitioned_buffer const& values,
                                 int destination, int tag,
                                 partitioned_settings const& settings = {});

/// Receives into `room` from `source`, matched as psend_init() says.
///
/// @throws usage_error  source or tag are out of range or wildcards, or the source is no neighbor
/// Local.
/// Threads: as psend_init().
partitioned_operation precv_init(Communicator const& over, partitioned_buffer const& room,
                                 int source, int tag);

} // namespace seam

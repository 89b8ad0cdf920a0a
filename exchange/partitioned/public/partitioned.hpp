/// Partitioned operations: persistent messages, collectives and halos whose data leaves and arrives
/// in partitions, each as soon as a thread has marked it.
///
///     auto const world = seam::Communicator::dup(MPI_COMM_WORLD);
///     std::vector<int> in(8 * 100, 1), out(8 * 100);
///     auto sum = seam::pallreduce_init(world, seam::in_partitions(in, 8),
///                                      seam::in_partitions(out, 8), MPI_SUM);
///     sum.start();
///     for (int p = 0; p < 8; ++p)
///       sum.ready(p); // partition p of `in` is written; several threads may share this loop
///     sum.wait();
///
/// Brings psend_init() and precv_init(), the partitioned form of every collective,
/// partitioned_operation, and partitioned_exchange for halos of a program's own arrays.
///
/// Threads: ready(), arrived() and test() from any thread, the rest by one thread at a time.
#pragma once

#include <seam/exchange/halo/partitioned_exchange.hpp>
#include <seam/exchange/partitioned/collectives.hpp>
#include <seam/exchange/partitioned/partitioned_operation.hpp>
#include <seam/exchange/partitioned/point_to_point.hpp>
#include <seam/exchange/partitioned/reductions.hpp>
#include <seam/exchange/partitioned/settings.hpp>

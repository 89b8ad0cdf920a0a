/// Sparse exchange: each rank sends to any ranks, and no rank knows beforehand which send to it.
///
///     auto const world = seam::Communicator::dup(MPI_COMM_WORLD);
///     seam::SparseExchange exchange(world);
///     exchange.pack((world.rank() + 3) % world.size(), 1.5, 7);
///     exchange.exchange();
///     while (exchange.receive()) { // once for each pack(), by sender
///       auto const place = exchange.unpack<double>();
///       auto const id = exchange.unpack<int>();
///       std::printf("%d has sent %g, %d\n", exchange.from(), place, id);
///     }
///
/// Brings SparseExchange, its algorithms and the types that can be packed, and topology_from(),
/// which makes a graph of edges that any ranks list.
///
/// Threads: one thread for each exchange at a time.
#pragma once

#include <seam/exchange/sparse/edge_list.hpp>
#include <seam/exchange/sparse/message.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>

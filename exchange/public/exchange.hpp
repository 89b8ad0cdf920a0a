/// Communicators, collectives on any topology, and errors that all ranks agree on.
///
///     auto const world = seam::Communicator::dup(MPI_COMM_WORLD);
///     int const next = (world.rank() + 1) % world.size();
///     int const previous = (world.rank() + world.size() - 1) % world.size();
///     auto const ring = seam::make_graph(world, seam::Topology::graph({{previous}}, {{next}}));
///     std::vector<int> const out{world.rank()};
///     std::vector<int> in(1);
///     seam::run(ring, seam::alltoall(out, in)); // along the edges of the ring: in[0] == previous
///
/// Brings Communicator, Topology, all collectives with run(), start() and prepare(), operation and
/// in_flight, shared memory of a node, collectively() and agree(), errors, and reports of stalls.
/// <seam/messages.hpp> has messages from one rank to another.
///
/// Threads: queries from any thread; collective calls by one thread of a rank at a time.
#pragma once

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/barrier.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/collectives/gather.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/collectives/reduce_scatter.hpp>
#include <seam/exchange/collectives/scan.hpp>
#include <seam/exchange/collectives/scatter.hpp>
#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/communicator/topology.hpp>
#include <seam/exchange/engine/operation.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/ground/version.hpp>
#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/schedule/memory_kind.hpp>
#include <seam/exchange/schedule/reduction.hpp>
#include <seam/exchange/waiting/stall.hpp>

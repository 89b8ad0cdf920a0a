/// Endpoints: several ranks in one process, each a thread.
///
///     auto const world = seam::Communicator::dup(MPI_COMM_WORLD); // MPI_THREAD_MULTIPLE
///     std::vector<seam::Communicator> const own = seam::create_endpoints(world, 2);
///     auto const work = [](seam::Communicator const& over) { return over.rank(); };
///     std::jthread other([&] { work(own[1]); });
///     work(own[0]); // knows nothing of threads
///
/// Brings create_endpoints(), and Endpoints, which binds endpoints to threads. All else of seam
/// takes their communicators like any other.
///
/// Threads: the communicators of an endpoint belong to one thread at a time.
#pragma once

#include <seam/exchange/communicator/endpoints.hpp>

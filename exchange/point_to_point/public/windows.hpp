/// Windows: memory that neighbors read and write by themselves.
///
///     auto const world = seam::Communicator::dup(MPI_COMM_WORLD);
///     seam::window<double> slots(world, 1); // one element on each rank
///     slots.fence();
///     slots.put((world.rank() + 1) % world.size(), 0, std::array{0.5 * world.rank()});
///     slots.fence();
///     double const from_previous = slots.local()[0];
///
/// Brings window, its epochs and locks, and its operations put, get and accumulate. On a graph
/// only neighbors have access, and a fence waits only for them.
///
/// Threads: one thread of a rank at a time.
#pragma once

#include <seam/exchange/point_to_point/window.hpp>

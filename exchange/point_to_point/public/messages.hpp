/// Messages from one rank to another, along the edges of a communicator's topology.
///
///     auto const world = seam::Communicator::dup(MPI_COMM_WORLD);
///     int const next = (world.rank() + 1) % world.size();
///     std::vector<double> const values(100, 1.5);
///     std::vector<double> arrived(100);
///     seam::in_flight sending = seam::start_send(world, values, next);
///     seam::receive(world, arrived, MPI_ANY_SOURCE);
///     sending.wait();
///
/// Brings send() and receive(), and their nonblocking and persistent forms.
///
/// Threads: any, at any thread level of MPI that allows it.
#pragma once

#include <seam/exchange/point_to_point/point_to_point.hpp>

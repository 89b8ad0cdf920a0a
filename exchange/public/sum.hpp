/// Sums, extremes and norms of all ranks' numbers, bitwise reproducible however the numbers are
/// divided among ranks.
///
///     #include <seam/exchange.hpp>
///
///     auto const world = seam::Communicator::dup(MPI_COMM_WORLD);
///     std::vector<double> const own(10, 0.1);
///     double const mass = seam::sum(world, own);
///     double const length = seam::norm(world, own);
///     auto const latest = seam::maximum(world, MPI_Wtime());
///
/// Brings sum(), minimum(), maximum(), norm() and maximum_norm() of numbers and ranges.
/// <seam/grid.hpp> and <seam/mesh.hpp> have those of fields.
///
/// Threads: one thread of a rank at a time.
#pragma once

#include <seam/exchange/sums/sum.hpp>

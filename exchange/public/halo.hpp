/// Halos of arrays that a program lays out itself: a plan says which regions travel along which
/// edge, and serves any number of arrays of one layout.
///
///     auto const world = seam::Communicator::dup(MPI_COMM_WORLD);
///     int const next = (world.rank() + 1) % world.size();
///     int const previous = (world.rank() + world.size() - 1) % world.size();
///     auto const ring = seam::make_graph(world, seam::Topology::graph({{previous}}, {{next}}));
///     std::vector<double> u(101); // u[0] is the ghost of the previous rank's u[100]
///     seam::region const last{.offset = 100}, ghost{.offset = 0};
///     seam::plan const ghosts(ring.topology(), seam::regions_of_edges({last}),
///                             seam::regions_of_edges({ghost}));
///     std::array const arrays{seam::exchanged_array::of(u.data())};
///     seam::make_exchange(ring, ghosts, arrays).run();
///
/// Brings plan, region, exchanged_array, make_exchange() and halo. Grids and meshes derive their
/// plans themselves: <seam/grid.hpp>, <seam/mesh.hpp>.
///
/// Threads: one thread for each exchange at a time.
#pragma once

#include <seam/exchange/halo/array_watch.hpp>
#include <seam/exchange/halo/exchange.hpp>
#include <seam/exchange/halo/halo.hpp>
#include <seam/exchange/halo/plan.hpp>

#include "kernel/calls.hpp"

#include "kernel/native_topology.hpp"

#include <algorithm>
#include <utility>

namespace guidelines {
namespace {

std::vector<arrival> arrivals_in(experiment const& described, seam::mpi::comm_view over) {
  if (described.call->of == family::global)
    return arrivals_from_all(over.size(), over.rank());
  if (described.around == topology::cartesian)
    return arrivals_in_cartesian(lists_of(described, over.size(), over.rank()).destinations);
  return arrivals_in_graph(over, lists_in(over));
}

int num_leaving(experiment const& described, seam::mpi::comm_view over) {
  if (described.call->of == family::global)
    return over.size();
  if (described.around == topology::cartesian)
    return 2 * described.dimensions;
  return static_cast<int>(lists_in(over).destinations.size());
}

/// Open MPI 4.1 reads as many datatypes of a global Ialltoallw as its communicator has neighbors,
/// if these are more than its processes.
void append_types_of_neighbors(buffers& moved, experiment const& described,
                               seam::mpi::comm_view over) {
  auto const lists = lists_of(described, over.size(), over.rank());
  for (auto [types, neighbors] : {std::pair(&moved.out.types, lists.destinations.size()),
                                  std::pair(&moved.in.types, lists.sources.size())})
    types->resize(std::max(types->size(), neighbors), moved.type);
}

std::optional<measured_call> make_native_call(experiment const& described,
                                              seam::Communicator const& world) {
  auto comm = native_topology(described, world).make();
  seam::mpi::comm_view const over = comm;
  auto const scene = make_scene(described, std::move(comm), over.rank(),
                                num_leaving(described, over), arrivals_in(described, over));
  append_types_of_neighbors(scene->moved, described, over);
  auto const run = native_call(*described.call, *scene);
  if (!run)
    return std::nullopt;
  return measured_call{.run = [scene, call = *run](std::uint64_t work) { call(work); },
                       .is_right = [scene] { return scene->moved.hold(scene->arrivals); }};
}

} // namespace

std::optional<measured_call> make_call(experiment const& described,
                                       seam::Communicator const& world) {
  switch (described.call->of) {
  case family::neighbor:
  case family::global: return make_native_call(described, world);
  case family::seam: return make_seam_call(described, world);
  case family::create:
    return creation_of(std::make_shared<native_topology const>(described, world));
  case family::seam_create: return make_seam_creation(described, world);
  case family::work: break;
  }
  return measured_call{.run = count_down};
}

} // namespace guidelines

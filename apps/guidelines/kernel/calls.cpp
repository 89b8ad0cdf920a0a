#include "kernel/calls.hpp"

#include "kernel/native_topology.hpp"
#include "kernel/work.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace guidelines {
namespace {

/// The blocks that arrive if each process sends one to each, in the order of the ranks.
std::vector<arrival> arrivals_from_all(seam::mpi::comm_view over) {
  std::vector<arrival> arrivals;
  for (int peer = 0; peer < over.size(); ++peer)
    arrivals.push_back({peer, over.rank()});
  return arrivals;
}

std::vector<arrival> arrivals_in(experiment const& described, seam::mpi::comm_view over) {
  if (described.call->of == family::global)
    return arrivals_from_all(over);
  if (described.around == topology::cartesian)
    return arrivals_in_cartesian(lists_of(described, over.size(), over.rank()).destinations);
  return arrivals_in_graph(over, lists_in(over));
}

int num_leaving(experiment const& described, seam::mpi::comm_view over) {
  if (described.call->operation.starts_with("allgather"))
    return 1;
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

std::shared_ptr<native_scene> make_scene(experiment const& described,
                                         seam::Communicator const& world) {
  auto comm = native_topology(described, world).make();
  auto arrivals = arrivals_in(described, comm);
  buffers moved(described, num_leaving(described, comm), arrivals.size());
  if (described.call->operation.starts_with("allgather"))
    for (arrival& block : arrivals)
      block.block = 0;
  append_types_of_neighbors(moved, described, comm);
  moved.fill(seam::mpi::comm_view(comm).rank());
  return std::make_shared<native_scene>(native_scene{std::move(comm), std::move(moved),
                                                     std::move(arrivals)});
}

std::optional<measured_call> make_native_call(experiment const& described,
                                              seam::Communicator const& world) {
  auto const scene = make_scene(described, world);
  auto const run = described.call->how == form::persistent
                       ? persistent_call(described, *scene)
                       : std::optional(native_call(described, *scene));
  if (!run)
    return std::nullopt;
  return measured_call{.run = [scene, call = *run](std::uint64_t work) { call(work); },
                       .is_right = [scene] { return scene->moved.hold(scene->arrivals); }};
}

measured_call make_creation(experiment const& described, seam::Communicator const& world) {
  auto const asked = std::make_shared<native_topology>(described, world);
  auto const made = std::make_shared<seam::mpi::comm>();
  auto const is_right = std::make_shared<bool>(true);
  return {.run =
              [=](std::uint64_t work) {
                *made = asked->make();
                count_down(work);
              },
          .after =
              [=] {
                *is_right = *is_right && asked->is_that_of(*made);
                made->close();
              },
          .is_right = [=] { return *is_right; }};
}

} // namespace

std::optional<measured_call> make_call(experiment const& described,
                                       seam::Communicator const& world) {
  switch (described.call->of) {
  case family::neighbor:
  case family::global: return make_native_call(described, world);
  case family::seam: return make_seam_call(described, world);
  case family::create: return make_creation(described, world);
  case family::seam_create: return make_seam_creation(described, world);
  case family::work: break;
  }
  return measured_call{.run = count_down};
}

} // namespace guidelines

#include "kernel/neighbor_lists.hpp"

#include <algorithm>
#include <iterator>
#include <random>
#include <utility>

namespace guidelines {
namespace {

/// Permutes a list as Fisher and Yates do, the same on all machines; std::shuffle does not say how.
template <class List>
void permute(List& list, std::mt19937_64 random) {
  for (auto left = std::ssize(list); left > 1; --left)
    std::swap(list[left - 1], list[random() % left]);
}

using offset = std::vector<int>;

bool has_grid(experiment const& described) { return described.dimensions > 0; }

/// A generator of random numbers for each process and use.
std::mt19937_64 generator(experiment const& described, int rank, std::uint32_t use) {
  std::seed_seq seeds{static_cast<std::uint32_t>(described.seed),
                      static_cast<std::uint32_t>(described.seed >> 32),
                      static_cast<std::uint32_t>(rank), use};
  return std::mt19937_64(seeds);
}

/// (-1, +1) along each dimension, as MPI orders the neighbors in a Cartesian communicator.
std::vector<offset> steps_along_axes(int num_dimensions) {
  std::vector<offset> steps;
  for (int axis = 0; axis < num_dimensions; ++axis)
    for (int step : {-1, 1}) {
      steps.emplace_back(num_dimensions);
      steps.back()[axis] = step;
    }
  return steps;
}

/// The offsets of a ball, the first coordinate changing last.
std::vector<offset> offsets_of_ball(experiment const& described) {
  auto const around = described.around == topology::moore ? seam::moore(described.radius)
                                                          : seam::von_neumann(described.radius);
  auto const all = around.expand(described.dimensions);
  std::vector<offset> offsets;
  for (int k = 0; k < all.size(); ++k)
    offsets.emplace_back(all[k].begin(), all[k].end());
  return offsets;
}

void order_offsets(std::vector<offset>& offsets, experiment const& described, int rank) {
  if (described.order == ordering::last_major)
    std::ranges::sort(offsets, [](offset const& a, offset const& b) {
      return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
    });
  if (described.order == ordering::random)
    permute(offsets, generator(described, rank, 0));
}

/// Destinations along the offsets and sources against them.
neighbor_lists along(std::vector<offset> const& offsets, seam::CartesianNaming const& grid,
                     int rank, bool keep_places) {
  neighbor_lists lists;
  for (offset const& step : offsets) {
    auto const [in, out] = grid.relative_shift(rank, step);
    if (keep_places || in != MPI_PROC_NULL)
      lists.sources.push_back(in);
    if (keep_places || out != MPI_PROC_NULL)
      lists.destinations.push_back(out);
  }
  return lists;
}

/// @param nearest  distance of the first neighbor; 0: the process is its own neighbor
neighbor_lists all_processes(experiment const& described, int num_processes, int rank,
                             int nearest) {
  neighbor_lists lists;
  for (int distance = nearest; distance < num_processes; ++distance) {
    lists.sources.push_back((rank + distance) % num_processes);
    lists.destinations.push_back((rank - distance + num_processes) % num_processes);
  }
  if (described.order == ordering::random) {
    permute(lists.sources, generator(described, rank, 0));
    permute(lists.destinations, generator(described, rank, 1));
  }
  return lists;
}

} // namespace

std::vector<int> sorted(std::vector<int> list) {
  std::ranges::sort(list);
  return list;
}

seam::CartesianNaming grid_of(experiment const& described, int num_processes) {
  if (!has_grid(described))
    return {num_processes, {}, {}};
  std::vector<int> const free(described.dimensions);
  std::vector<bool> periodic(free.size(), true);
  std::fill_n(periodic.begin(), described.finite, false);
  return {num_processes, seam::dims_create(num_processes, free), periodic};
}

neighbor_lists lists_of(experiment const& described, int num_processes, int rank) {
  switch (described.around) {
  case topology::complete: return {};
  case topology::full: return all_processes(described, num_processes, rank, 1);
  case topology::full_self: return all_processes(described, num_processes, rank, 0);
  case topology::cartesian:
    return along(steps_along_axes(described.dimensions), grid_of(described, num_processes), rank,
                 true);
  case topology::von_neumann:
  case topology::moore: break;
  }
  auto offsets = offsets_of_ball(described);
  order_offsets(offsets, described, rank);
  return along(offsets, grid_of(described, num_processes), rank, false);
}

} // namespace guidelines

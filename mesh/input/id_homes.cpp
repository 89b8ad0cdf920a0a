#include <seam/mesh/input/id_homes.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/mesh/partition/migrate.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

/// Sends ids to their homes; returns the ids whose home this rank is, sorted.
std::vector<global_id> send_ids_home(Communicator const& over, std::span<global_id const> ids) {
  std::vector<int> homes(ids.size());
  for (std::int64_t i = 0; i < std::ssize(ids); ++i)
    homes[i] = home_of_id(ids[i], over.size());
  auto here = migrate<global_id>(over, ids, homes);
  std::ranges::sort(here);
  return here;
}

} // namespace

int home_of_id(global_id id, int num_ranks) noexcept {
  auto const mixed = static_cast<std::uint64_t>(id) * 0x9e3779b97f4a7c15U;
  return static_cast<int>((mixed >> 32U) % static_cast<std::uint64_t>(num_ranks));
}

id_homes::id_homes(Communicator const& over, std::span<global_id const> ids)
    : over_(over), here_(send_ids_home(over, ids)) {}

global_id id_homes::least_duplicate() const {
  auto const found = std::ranges::adjacent_find(here_);
  return mpi::allreduce(over_.context(), found == here_.end() ? no_id : *found, MPI_MIN);
}

global_id id_homes::least_missing(std::vector<global_id> ids) const {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  global_id least = no_id;
  for (global_id const id : send_ids_home(over_, ids))
    if (!std::ranges::binary_search(here_, id)) {
      least = id;
      break;
    }
  return mpi::allreduce(over_.context(), least, MPI_MIN);
}

} // namespace seam::detail

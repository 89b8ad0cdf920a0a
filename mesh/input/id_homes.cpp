#include <seam/mesh/input/id_homes.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>

#include <utility>
#include <vector>

namespace seam::detail {
namespace {

/// Sends ids to their homes; returns the ids whose home this rank is.
std::vector<global_id> send_ids_home(Communicator const& over, std::span<global_id const> ids) {
  int const num_ranks = over.size();
  std::vector<std::vector<global_id>> homes2ids(num_ranks);
  for (auto& share : homes2ids)
    share.reserve(ids.size() / num_ranks);
  for (global_id const id : ids)
    homes2ids[home_of_id(id, num_ranks)].push_back(id);
  std::vector<global_id> here = std::exchange(homes2ids[over.rank()], {});
  SparseExchange through(over);
  for (int rank = 0; rank < num_ranks; ++rank)
    if (!homes2ids[rank].empty())
      through.pack_bytes(rank, std::as_bytes(std::span(homes2ids[rank])));
  through.exchange();
  while (through.receive_message()) {
    auto const begin = here.size();
    here.resize(begin + through.bytes_left() / sizeof(global_id));
    for (global_id& id : std::span(here).subspan(begin))
      through.unpack(id);
  }
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
  return mpi::allreduce(over_.context(), here_.least_duplicate(), MPI_MIN);
}

global_id id_homes::least_missing(std::span<global_id const> ids) const {
  global_id least = no_id;
  for (global_id const id : send_ids_home(over_, id_set(ids).list()))
    if (id < least && !here_.contains(id))
      least = id;
  return mpi::allreduce(over_.context(), least, MPI_MIN);
}

} // namespace seam::detail

#include <seam/exchange/waiting/peers.hpp>

#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/waiting/watch.hpp>

#include <algorithm>
#include <atomic>
#include <vector>

namespace seam::detail {
namespace {

mpi::group group_of_peers(mpi::comm_view over) {
  mpi::group all;
  auto* const ask = mpi::is_bipartite(over) ? MPI_Comm_remote_group : MPI_Comm_group;
  mpi::check(ask(over.native(), all.receive()), "MPI_Comm_group");
  return all;
}

/// `peers` as ranks of MPI_COMM_WORLD, or MPI_UNDEFINED.
std::vector<int> world_ranks_of(mpi::comm_view over, std::span<int const> peers) {
  mpi::group const all = group_of_peers(over);
  mpi::group world;
  mpi::check(MPI_Comm_group(MPI_COMM_WORLD, world.receive()), "MPI_Comm_group");
  std::vector<int> ranks(peers.size());
  mpi::check(MPI_Group_translate_ranks(all.native(), static_cast<int>(peers.size()), peers.data(),
                                       world.native(), ranks.data()),
             "MPI_Group_translate_ranks");
  return ranks;
}

/// An id that no other process gives to a record.
std::uint64_t next_id(int self) {
  static std::atomic<std::uint32_t> num_records = 0;
  return mark_of_peers | static_cast<std::uint64_t>(self) << 32 | num_records.fetch_add(1);
}

} // namespace

std::shared_ptr<call_record> record_of_peers(mpi::comm_view over, std::span<int const> peers) {
  if (!is_watched() || mpi::context_of(over) != nullptr)
    return call_record::unknown();
  auto ranks = world_ranks_of(over, peers);
  if (std::ranges::count(ranks, MPI_UNDEFINED) != 0)
    return call_record::unknown();
  int const self = mpi::comm_view(MPI_COMM_WORLD).rank();
  std::erase_if(ranks, [=](int rank) { return rank == MPI_PROC_NULL || rank == self; });
  if (ranks.empty())
    return call_record::unknown();
  ranks.push_back(self);
  std::ranges::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return std::make_shared<call_record>(next_id(self), std::make_shared<rank_set const>(ranks));
}

} // namespace seam::detail

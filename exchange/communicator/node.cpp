#include <seam/exchange/communicator/node.hpp>

#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/mpi/detail/context.hpp>

#include <numeric>

namespace seam::detail {
namespace {

/// The ranks in `to` of all processes of `from`.
std::vector<int> translate(mpi::comm_view from, mpi::comm_view to) {
  mpi::group from_group, to_group;
  mpi::check(MPI_Comm_group(from.native(), from_group.receive()), "MPI_Comm_group");
  mpi::check(MPI_Comm_group(to.native(), to_group.receive()), "MPI_Comm_group");
  std::vector<int> ranks(from.size()), found(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  mpi::check(MPI_Group_translate_ranks(from_group.native(), from.size(), ranks.data(),
                                       to_group.native(), found.data()),
             "MPI_Group_translate_ranks");
  return found;
}

/// The processes of a node in the order of MPI_COMM_WORLD, which is the same for all communicators.
mpi::comm processes_of_node(mpi::comm_view over) {
  mpi::comm const machine = mpi::split_shared(over);
  int const rank = mpi::comm_view(MPI_COMM_WORLD).rank();
  return mpi::split(machine, node_size() == 0 ? 0 : rank / node_size(), rank);
}

} // namespace

node::node(mpi::comm_view over) {
  if (mpi::is_bipartite(over) || mpi::context_of(over) != nullptr)
    return;
  mpi::comm processes = processes_of_node(over);
  if (mpi::comm_view(processes).size() == 1)
    return;
  for (int const rank : translate(processes, over))
    members_.push_back({rank, static_cast<int>(members_.size())});
  std::ranges::sort(members_, {}, &member::rank);
  auto world_ranks = translate(processes, MPI_COMM_WORLD);
  arena_ = shared_arena::of(std::move(processes), std::move(world_ranks));
}

mpi::comm node::processes(mpi::comm_view over, int key) const {
  int const first = is_alone() ? mpi::comm_view(MPI_COMM_WORLD).rank() : arena_->world_rank(0);
  return mpi::split(over, first, key);
}

int known_on_node(mpi::comm_view over, int peer) {
  if (mpi::context_of(over) != nullptr)
    return node::elsewhere;
  mpi::group peers, all;
  if (mpi::is_bipartite(over))
    mpi::check(MPI_Comm_remote_group(over.native(), peers.receive()), "MPI_Comm_remote_group");
  else
    mpi::check(MPI_Comm_group(over.native(), peers.receive()), "MPI_Comm_group");
  mpi::check(MPI_Comm_group(MPI_COMM_WORLD, all.receive()), "MPI_Comm_group");
  int found = MPI_UNDEFINED;
  mpi::check(MPI_Group_translate_ranks(peers.native(), 1, &peer, all.native(), &found),
             "MPI_Group_translate_ranks");
  if (found == MPI_UNDEFINED || !is_shared_with(found))
    return node::elsewhere;
  int const self = mpi::comm_view(MPI_COMM_WORLD).rank(), ranks = node_size();
  return ranks == 0 || self / ranks == found / ranks ? found : node::elsewhere;
}

} // namespace seam::detail

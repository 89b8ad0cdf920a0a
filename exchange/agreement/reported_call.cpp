#include <seam/exchange/agreement/reported_call.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/watch.hpp>

#include <algorithm>
#include <span>

namespace seam::mpi {
namespace {

/// The processes of `some` as ranks of MPI_COMM_WORLD, ascending; none if one is of another world.
std::vector<int> world_ranks_of(MPI_Group some) {
  group world;
  check(MPI_Comm_group(MPI_COMM_WORLD, world.receive()), "MPI_Comm_group");
  int size = 0;
  check(MPI_Group_size(some, &size), "MPI_Group_size");
  std::vector<int> ranks(size), found(ranks.size());
  std::ranges::generate(ranks, [next = 0]() mutable { return next++; });
  check(MPI_Group_translate_ranks(some, size, ranks.data(), world.native(), found.data()),
        "MPI_Group_translate_ranks");
  if (std::ranges::count(found, MPI_UNDEFINED) != 0)
    return {};
  std::ranges::sort(found);
  return found;
}

/// Sends an empty message to `peer`, or receives one, and waits in seam.
void pass_sign(comm_view over, int peer, bool sends) {
  constexpr int tag = 0;
  MPI_Request under_way = MPI_REQUEST_NULL;
  check(sends ? MPI_Isend(nullptr, 0, MPI_BYTE, peer, tag, over.native(), &under_way)
              : MPI_Irecv(nullptr, 0, MPI_BYTE, peer, tag, over.native(), &under_way),
        sends ? "MPI_Isend" : "MPI_Irecv");
  detail::wait_for(under_way, sends ? "MPI_Isend" : "MPI_Irecv");
}

/// Returns when all `ranks` have called: the first one hears of all others, and lets them go.
void meet(comm_view over, std::span<int const> ranks) {
  int const first = ranks.front();
  if (over.rank() != first) {
    pass_sign(over, first, true);
    return pass_sign(over, first, false);
  }
  for (bool const sends : {false, true})
    for (int const other : ranks.subspan(1))
      pass_sign(over, other, sends);
}

} // namespace

bool must_meet(comm_view over) {
  return context_of(over) == nullptr && seam::detail::is_watched() && !detail::may_block() &&
         seam::detail::call_record::of(over)->id() != 0;
}

void meet_if_reported(comm_view over) {
  if (!must_meet(over))
    return;
  MPI_Request met = MPI_REQUEST_NULL;
  check(MPI_Ibarrier(over.native(), &met), "MPI_Ibarrier");
  detail::wait_for(met, "MPI_Ibarrier");
}

reported_call_of_group::reported_call_of_group(MPI_Group some, char const* name)
    : ranks_(seam::detail::is_watched() ? world_ranks_of(some) : std::vector<int>()),
      record_(seam::detail::call_record::of_processes(seam::detail::rank_set(ranks_))),
      here_(name, *record_) {
  auto const is_own = [self = comm_view(MPI_COMM_WORLD).rank()](int rank) { return rank == self; };
  if (!detail::may_block() && std::ranges::any_of(ranks_, is_own))
    meet(seam::detail::comm_of_meetings(), ranks_);
}

} // namespace seam::mpi

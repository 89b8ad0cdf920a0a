#include <seam/mapping/permuted.hpp>

#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/agreement/reported_call.hpp>
#include <seam/mapping/mapping_cost.hpp>

namespace seam {
namespace {

constexpr int tag = 0;

/// Gives `mine` to the process that has this process's rank from now on, and returns what the one
/// gives whose rank this process has. Collective: over `over`.
std::vector<int> hand_over(mpi::comm_view over, std::vector<int> const& mine,
                           std::vector<int> const& new2old) {
  int const to = new2old[over.rank()], from = inverse_permutation(new2old)[over.rank()];
  int const length = static_cast<int>(mine.size());
  int length_there = 0;
  mpi::reported_call const now(over, "MPI_Sendrecv");
  mpi::check(MPI_Sendrecv(&length, 1, MPI_INT, to, tag, &length_there, 1, MPI_INT, from, tag,
                          over.native(), MPI_STATUS_IGNORE),
             "MPI_Sendrecv");
  std::vector<int> theirs(length_there);
  mpi::check(MPI_Sendrecv(mine.data(), length, MPI_INT, to, tag, theirs.data(), length_there,
                          MPI_INT, from, tag, over.native(), MPI_STATUS_IGNORE),
             "MPI_Sendrecv");
  return theirs;
}

std::vector<int> flat(std::span<edge const> edges) {
  std::vector<int> numbers;
  for (edge const& one : edges)
    numbers.insert(numbers.end(), {one.rank, one.weight});
  return numbers;
}

std::vector<edge> edges_in(std::vector<int> const& numbers) {
  std::vector<edge> edges;
  for (std::size_t i = 0; i < numbers.size(); i += 2)
    edges.push_back({numbers[i], numbers[i + 1]});
  return edges;
}

} // namespace

Communicator permuted(Communicator const& over, std::vector<int> const& new2old) {
  int const mine = inverse_permutation(new2old)[over.rank()];
  return Communicator::from_native(mpi::split(over.context(), 0, mine).release());
}

Topology handed_over(mpi::comm_view over, Topology const& topology,
                     std::vector<int> const& new2old) {
  auto sources = edges_in(hand_over(over, flat(topology.sources()), new2old));
  return topology.with_edges(std::move(sources),
                             edges_in(hand_over(over, flat(topology.destinations()), new2old)));
}

} // namespace seam

#include <seam/mapping/permuted.hpp>

#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/agreement/reported_call.hpp>
#include <seam/mapping/mapping_cost.hpp>

namespace seam {
namespace {

constexpr int tag = 0;

/// Sends `sent` to the process that has this process's old rank from now on, and receives the list
/// of the process whose rank this one gets.
/// Collective: over `over`.
std::vector<int> exchange_lists(mpi::comm_view over, std::vector<int> const& sent,
                                std::vector<int> const& new2old) {
  int const to = new2old[over.rank()], from = inverse_permutation(new2old)[over.rank()];
  int const length = static_cast<int>(sent.size());
  int length_there = 0;
  mpi::reported_call const now(over, "MPI_Sendrecv");
  mpi::check(MPI_Sendrecv(&length, 1, MPI_INT, to, tag, &length_there, 1, MPI_INT, from, tag,
                          over.native(), MPI_STATUS_IGNORE),
             "MPI_Sendrecv");
  std::vector<int> received(length_there);
  mpi::check(MPI_Sendrecv(sent.data(), length, MPI_INT, to, tag, received.data(), length_there,
                          MPI_INT, from, tag, over.native(), MPI_STATUS_IGNORE),
             "MPI_Sendrecv");
  return received;
}

std::vector<int> flat(std::span<edge const> edges) {
  std::vector<int> numbers;
  for (edge const& listed : edges)
    numbers.insert(numbers.end(), {listed.rank, listed.weight});
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
  int const new_rank = inverse_permutation(new2old)[over.rank()];
  return Communicator::from_native(mpi::split(over.context(), 0, new_rank).release());
}

Topology handed_over(mpi::comm_view over, Topology const& topology,
                     std::vector<int> const& new2old) {
  auto sources = edges_in(exchange_lists(over, flat(topology.sources()), new2old));
  return topology.with_edges(
      std::move(sources), edges_in(exchange_lists(over, flat(topology.destinations()), new2old)));
}

} // namespace seam

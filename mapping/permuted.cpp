#include <seam/mapping/permuted.hpp>

#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/exchange/waiting/mpi_bytes.hpp>

#include <vector>

namespace seam::detail {
namespace {

constexpr int tag = 0;

/// Sends `sent` to the process that has this process's old rank from now on, and receives the list
/// of the process whose rank this one gets.
/// Collective: over `over`.
std::vector<int> exchange_lists(mpi::comm_view over, std::vector<int> const& sent,
                                rank_change own) {
  int const to = own.successor, from = own.new_rank;
  call_scope const here("an exchange of edges", over);
  mpi::requests messages;
  messages.add(mpi::start_send(over, std::as_bytes(std::span(sent)), to, tag));
  auto const found = mpi::wait_for_message(over, from, tag);
  std::vector<int> received(found.bytes / sizeof(int));
  messages.add(mpi::start_receive(over, std::as_writable_bytes(std::span(received)), from, tag));
  messages.wait();
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
  for (int i = 0; i < std::ssize(numbers); i += 2)
    edges.push_back({numbers[i], numbers[i + 1]});
  return edges;
}

} // namespace

Communicator permuted(Communicator const& over, rank_change own) {
  return Communicator::from_native(mpi::split(over.context(), 0, own.new_rank).release());
}

Topology handed_over(mpi::comm_view over, Topology const& topology, rank_change own) {
  auto sources = edges_in(exchange_lists(over, flat(topology.sources()), own));
  return topology.with_edges(std::move(sources),
                             edges_in(exchange_lists(over, flat(topology.destinations()), own)));
}

} // namespace seam::detail

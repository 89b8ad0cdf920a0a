// Messages in a ring, from which the model takes what the network does; communicators, graphs, mapping
// and sparse exchange.
#include "survey.hpp"

#include <seam/exchange/waiting/mpi_bytes.hpp>
#include <seam/mapping.hpp>
#include <seam/sparse.hpp>

#include <fmt/format.h>

#include <array>
#include <vector>

namespace scale_bench {
namespace {

template <class T>
std::shared_ptr<void> keep(T made) {
  return std::make_shared<T>(std::move(made));
}

/// The distance in ranks to the k-th neighbor, which grows from the next rank to far ones; six differ,
/// also when counted backwards, from 64 ranks on.
int distance(int k, int num_ranks) {
  std::int64_t const far = 1 + std::int64_t{k} * k;
  return static_cast<int>(far % num_ranks);
}

/// A graph of `edges` edges from and to each rank.
seam::Topology ring_of_chords(int rank, int num_ranks, int edges) {
  std::vector<seam::edge> sources, destinations;
  for (int k = 0; k < edges; ++k) {
    int const step = distance(k, num_ranks);
    sources.push_back({(rank + num_ranks - step) % num_ranks});
    destinations.push_back({(rank + step) % num_ranks});
  }
  return seam::Topology::graph(std::move(sources), std::move(destinations));
}

/// A machine of nodes of `node_size` places, of which the ranks have the first.
seam::placement placed_on_nodes(int num_ranks, int node_size) {
  int const nodes = (num_ranks + node_size - 1) / node_size;
  return seam::place_in_order(seam::parse_machine(fmt::format("node:{} core:{}", nodes, node_size)),
                              num_ranks);
}

void measure_mapping(survey& all, seam::Topology const& chords) {
  seam::Communicator const& world = all.world();
  all.measure("placement", [&] { return keep(seam::gather_placement(world.context())); });
  seam::reordering const how{.strategy = "best",
                             .placed = placed_on_nodes(world.size(), all.wanted().node_size)};
  auto const processes = seam::dims_create(world.size(), std::array{0, 0, 0});
  seam::CartesianNaming const naming(world.size(), {processes.begin(), processes.end()},
                                     std::vector<bool>(3));
  all.measure("mapping of a grid",
              [&] { return keep(seam::reorder(world, naming, seam::von_neumann(1), how)); });
  all.measure("mapping of a graph",
              [&] { return keep(seam::make_reordered_graph(world, chords, how)); });
}

/// Sends a number to the destinations of a graph, whose sources do not know of it.
std::shared_ptr<void> exchange_sparsely(survey const& all, seam::Topology const& chords,
                                        seam::sparse_algorithm algorithm) {
  auto exchange =
      std::make_shared<seam::SparseExchange>(all.world(), seam::sparse_options{algorithm});
  for (seam::edge const& listed : chords.destinations())
    exchange->pack(listed.rank, all.world().rank());
  exchange->exchange();
  while (exchange->receive())
    static_cast<void>(exchange->unpack<int>());
  return exchange;
}

/// Each rank sends `count` messages of `length` bytes to the next, and receives as many.
void measure_ring(survey& all, char const* name, int count, std::size_t length) {
  seam::mpi::comm_view const ring = all.world().context();
  int const next = (ring.rank() + 1) % ring.size(),
            before = (ring.rank() + ring.size() - 1) % ring.size();
  std::vector<std::byte> sent(length), received(count * length);
  all.measure(name, [&] {
    seam::mpi::requests messages;
    for (int k = 0; k < count; ++k)
      messages.add(seam::mpi::start_receive(ring, std::span(received).subspan(k * length, length),
                                            before, k));
    for (int k = 0; k < count; ++k)
      messages.add(seam::mpi::start_send(ring, sent, next, k));
    messages.wait();
    return nullptr;
  });
}

} // namespace

void measure_exchange(survey& all) {
  seam::Communicator const& world = all.world();
  all.measure("communicator", [&] { return keep(world.dup()); });
  all.measure("communicator and node", [&] {
    auto copy = seam::Communicator::dup(world.view());
    static_cast<void>(copy.node());
    return keep(std::move(copy));
  });
  auto const chords = ring_of_chords(world.rank(), world.size(), all.wanted().edges);
  all.measure("graph", [&] { return keep(seam::make_graph(world, chords)); });
  measure_mapping(all, chords);
  for (seam::sparse_algorithm const algorithm : seam::sparse_algorithms())
    all.measure(fmt::format("sparse {}", name_of(algorithm)),
                [&] { return exchange_sparsely(all, chords, algorithm); });
}

void measure_network(survey& all) {
  constexpr std::size_t bytes_of_long_message = 1 << 15;
  measure_ring(all, "message", 1, sizeof(double));
  measure_ring(all, "16 messages", 16, sizeof(double));
  measure_ring(all, "message of 32 KiB", 1, bytes_of_long_message);
}

} // namespace scale_bench

/// Blocks of many lengths on Cartesian graphs: the lengths, what single messages bring, and how many
/// messages combining takes by definition.
#pragma once

#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/point_to_point/point_to_point.hpp>
#include <seam/mapping/cartesianity.hpp>
#include <seam/mapping/dims.hpp>
#include <seam/mapping/named_communicator.hpp>
#include <seam/mapping/neighbors.hpp>
#include <seam/mapping/network.hpp>

#include <support/catch.hpp>
#include <support/message_counter.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace seam::testing {
using namespace seam::detail;

using values = std::vector<int>;
using blocks = std::vector<values>;

inline constexpr int untouched = -1;
inline constexpr network_model latency_alone{.latency = 1, .seconds_per_byte = 0};
inline constexpr network_model bandwidth_alone{.latency = 0, .seconds_per_byte = 1};

/// Elements of a block, by its vector and the process that it comes from.
using length_of = std::function<int(int vector, int source)>;

/// Lengths that depend on the vector alone; edges that lead nowhere have blocks, too.
inline length_of by_vector(values const& lengths) {
  return [=](int vector, int) { return vector < 0 ? 4 : lengths[vector]; };
}

inline neighborhood with_center(int radius) {
  return metric_neighborhood(metric::chebyshev, 0, radius);
}

/// Lengths up to 6 for all vectors of a graph, of which some are 0.
inline values random_lengths(Communicator const& graph, std::mt19937& random) {
  values lengths(graph.structure()->vectors.size());
  for (int& length : lengths)
    length = std::max(0, static_cast<int>(random() % 8) - 1);
  return lengths;
}

inline Topology as_they_are(Topology const& given) { return given; }

/// A topology with the same edges, and one that leads nowhere at each end of the lists.
inline Topology with_gaps(Topology const& given) {
  auto const widened = [](std::span<edge const> edges) {
    std::vector<edge> all(edges.begin(), edges.end());
    all.insert(all.begin(), edge{MPI_PROC_NULL});
    all.push_back(edge{MPI_PROC_NULL});
    return all;
  };
  return Topology::graph(widened(given.sources()), widened(given.destinations()));
}

/// A topology with the same edges, of which the sources are listed in another order: on a plane a
/// block that leaves along the second axis lies where one arrives along the first.
inline Topology with_sources_rotated(Topology const& given) {
  std::vector<edge> sources(given.sources().begin(), given.sources().end());
  std::rotate(sources.begin(), sources.begin() + 2, sources.end());
  return Topology::graph(sources, {given.destinations().begin(), given.destinations().end()});
}

/// The Cartesian graph of a neighborhood in all processes.
inline Communicator make_grid(int num_dimensions, unsigned periodic_mask,
                              neighborhood const& around,
                              network_model const& network = latency_alone,
                              Topology (*arranged)(Topology const&) = as_they_are) {
  Communicator const all = world();
  std::vector<int> const free(num_dimensions);
  std::vector<bool> periodic;
  for (int d = 0; d < num_dimensions; ++d)
    periodic.push_back((periodic_mask >> d & 1U) != 0);
  CartesianNaming const naming(all.size(), dims_create(all.size(), free), periodic);
  name(all.view(), naming);
  set_network(network);
  auto const topology = make_topology(naming, all.rank(), around);
  Communicator graph = make_named_graph(all, arranged(topology));
  REQUIRE(graph.structure() != nullptr);
  return graph;
}

/// Exchanges the blocks in single messages along all edges, one after the other between two
/// processes.
inline void exchange_naively(Communicator const& over, blocks const& sent, blocks& received) {
  auto const sources = over.topology().sources(), destinations = over.topology().destinations();
  constexpr int tag = 7;
  std::vector<in_flight> flying;
  for (int e = 0; e < std::ssize(sources); ++e)
    flying.push_back(start_receive(over, received[e], sources[e].rank, tag));
  for (int e = 0; e < std::ssize(destinations); ++e)
    flying.push_back(start_send(over, sent[e], destinations[e].rank, tag));
  for (in_flight& each : flying)
    each.wait();
}

/// Blocks of these lengths for all edges of a process.
struct traffic {
  traffic(Communicator const& over, length_of const& length) : graph(over) {
    auto const& on = *graph.structure();
    int const rank = graph.rank();
    for (int e = 0; e < std::ssize(on.destinations2vectors); ++e) {
      values block(length(on.destinations2vectors[e], rank));
      std::iota(block.begin(), block.end(), 10000 * rank + 100 * e);
      sent.push_back(std::move(block));
    }
    for (int e = 0; e < std::ssize(on.sources2vectors); ++e) {
      int const source = graph.topology().sources()[e].rank;
      received.emplace_back(length(on.sources2vectors[e], source), untouched);
    }
    expected = received;
    exchange_naively(graph, sent, expected);
  }

  /// Runs `what` twice, and compares; `clear` and `found` know where it brings blocks.
  template <class Clear, class Found>
  void check(operation& what, Clear clear, Found found) const {
    for (int time = 0; time < 2; ++time) {
      clear();
      what.run();
      CHECK(found() == expected);
    }
  }
  void check(operation& what) {
    check(
        what,
        [&] {
          for (values& block : received)
            std::ranges::fill(block, untouched);
        },
        [&] { return received; });
  }

  Communicator const& graph;
  blocks sent, received, expected; ///< [destinations], [sources], [sources]
};

inline std::vector<elements> elements_of_each(blocks const& all) {
  std::vector<elements> each;
  for (values const& block : all)
    each.push_back(elements_of(block));
  return each;
}

inline values flat(blocks const& all) {
  values numbers;
  for (values const& block : all)
    numbers.insert(numbers.end(), block.begin(), block.end());
  return numbers;
}

inline std::vector<int> lengths_of(blocks const& all) {
  std::vector<int> lengths;
  for (values const& block : all)
    lengths.push_back(static_cast<int>(block.size()));
  return lengths;
}

/// The messages and bytes that a process in the middle sends, by definition.
struct expected_volume {
  int messages = 0;
  std::int64_t bytes = 0;
};

inline expected_volume combined_volume(Communicator const& graph, values const& lengths) {
  auto const& vectors = graph.structure()->vectors;
  std::set<std::pair<int, int>> steps;
  expected_volume sum;
  for (int v = 0; v < std::ssize(vectors); ++v)
    for (int d = 0; d < std::ssize(vectors[v]); ++d)
      if (vectors[v][d] != 0 && lengths[v] > 0) {
        steps.emplace(d, vectors[v][d]);
        sum.bytes += lengths[v] * static_cast<std::int64_t>(sizeof(int));
      }
  sum.messages = static_cast<int>(steps.size());
  return sum;
}

/// Processes to which one in the middle sends something: vectors may lead to the same one on a
/// short torus, or back.
inline int num_reached(Communicator const& graph, values const& lengths) {
  auto const& on = *graph.structure();
  std::set<values> points;
  for (int v = 0; v < std::ssize(on.vectors); ++v) {
    values point = on.vectors[v];
    for (int d = 0; d < std::ssize(point); ++d)
      while (on.periodic[d] && (point[d] < 0 || point[d] >= on.extent[d]))
        point[d] += point[d] < 0 ? on.extent[d] : -on.extent[d];
    if (lengths[v] > 0)
      points.insert(point);
  }
  points.erase(values(on.extent.size()));
  return static_cast<int>(points.size());
}

/// Other processes to which one sends something.
inline int num_peers(traffic const& data) {
  std::set<int> peers;
  auto const destinations = data.graph.topology().destinations();
  for (int e = 0; e < std::ssize(destinations); ++e)
    if (destinations[e].rank != data.graph.rank() && !data.sent[e].empty())
      peers.insert(destinations[e].rank);
  return static_cast<int>(peers.size());
}

/// Messages that one run of `what` sends.
inline long messages_of(operation& what) {
  return calls_of([&] { what.run(); }).sends;
}

} // namespace seam::testing

/// Directed graphs of all shapes for tests: every rank knows the whole graph.
#pragma once

#include <seam/exchange/communicator/topology.hpp>

#include <algorithm>
#include <random>
#include <vector>

namespace seam::testing {

/// The edges of all ranks. Edges repeat and lead back; degrees differ and may be 0.
class random_graph {
public:
  /// Draws a graph: the same on all ranks that pass generators in the same state.
  random_graph(int size, std::mt19937& random)
      : sources_(std::size_t(size)), destinations_(std::size_t(size)) {
    std::uniform_int_distribution rank(0, size - 1);
    int const num_edges = std::uniform_int_distribution(0, 3 * size)(random);
    for (int e = 0; e < num_edges; ++e) {
      int const from = rank(random), to = rank(random), weight = 1 + e % 4;
      destinations_[std::size_t(from)].push_back({to, weight});
      sources_[std::size_t(to)].push_back({from, weight});
    }
    // Edges between the same two ranks have the same order on both sides; the rest has any order.
    for (auto& edges : destinations_)
      shuffle(edges, random);
    for (auto& edges : sources_)
      shuffle(edges, random);
  }

  Topology topology(int rank) const { return Topology::graph(sources(rank), destinations(rank)); }
  std::vector<edge> const& sources(int rank) const { return sources_[std::size_t(rank)]; }
  std::vector<edge> const& destinations(int rank) const { return destinations_[std::size_t(rank)]; }

  /// The index of the edge that is source `e` of `rank`, among the destinations of the process
  /// where it begins.
  int other_end(int rank, int e) const {
    auto const& in = sources(rank);
    int const from = in[std::size_t(e)].rank;
    auto nth = std::count_if(in.begin(), in.begin() + e,
                             [&](edge const& listed) { return listed.rank == from; });
    auto const& out = destinations(from);
    for (std::size_t d = 0;; ++d)
      if (out[d].rank == rank && nth-- == 0)
        return static_cast<int>(d);
  }

private:
  /// A random order in which edges to the same rank keep theirs.
  static void shuffle(std::vector<edge>& edges, std::mt19937& random) {
    std::vector<unsigned> keys;
    for (std::size_t e = 0; e < edges.size(); ++e)
      keys.push_back(static_cast<unsigned>(random()));
    auto const key = [&](edge const& listed) {
      return keys[std::size_t(listed.rank) % keys.size()];
    };
    std::ranges::stable_sort(edges, {}, key);
  }

  std::vector<std::vector<edge>> sources_, destinations_;
};

} // namespace seam::testing

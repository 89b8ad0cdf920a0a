/// Values that tell where they come from, runs in all forms, and graphs that all ranks know, for
/// the tests of collectives.
#pragma once

#include <seam/exchange/calls/collective.hpp>
#include <seam/exchange/planning/detail/edges.hpp>

#include <support/catch.hpp>
#include <support/random_graph.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <random>
#include <vector>

namespace seam::testing {

inline constexpr int block_length = 3;
inline constexpr std::int64_t untouched = -7;
using values = std::vector<std::int64_t>;

/// Element k of the block that `rank` sends along its destination `edge`, or to all.
inline std::int64_t value_of(int rank, int edge, int k) {
  return 10000 * rank + 100 * edge + k + 1;
}

inline values block_of(int rank, int edge, int length = block_length) {
  values block;
  for (int k = 0; k < length; ++k)
    block.push_back(value_of(rank, edge, k));
  return block;
}

inline values blocks_of_all(int rank, std::size_t num_edges) {
  values all;
  for (std::size_t e = 0; e < num_edges; ++e) {
    auto const one = block_of(rank, static_cast<int>(e));
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

inline void append(values& all, values const& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// Fills a buffer with new values, without moving it.
inline void fill(values& buffer, values const& with) { std::ranges::copy(with, buffer.begin()); }

/// Runs `call` in all its forms; `reset` comes before each, `check` after it.
template <class Reset, class Check>
void in_all_forms(Communicator const& over, collective const& call, Reset reset, Check check) {
  reset();
  run(over, call);
  check();
  reset();
  start(over, call).wait();
  check();
  operation kept = prepare(over, call);
  for (int round = 0; round < 3; ++round) {
    reset();
    kept.run();
    check();
  }
  if (over.topology().is_graph()) { // MPI's own operations have no gates
    reset();
    auto flying = kept.start_gated();
    flying.open(0);
    flying.wait();
    check();
  }
}

/// Runs `call` in all forms and compares `receive` with `expected`.
inline void expect(Communicator const& over, collective const& call, values& receive,
                   values const& expected) {
  in_all_forms(
      over, call, [&] { std::ranges::fill(receive, untouched); },
      [&] { CHECK(receive == expected); });
}

/// A graph that all ranks know, and a communicator along its edges.
struct graph_case {
  explicit graph_case(std::mt19937& random)
      : world(testing::world()),
        rank(world.rank()),
        graph(world.size(), random),
        comm(make_graph(world, graph.topology(rank))),
        in(graph.sources(rank)),
        out(graph.destinations(rank)) {}

  Communicator world;
  int rank;
  random_graph graph;
  Communicator comm;
  std::vector<edge> in, out;
};

template <class Test>
void on_random_graphs(int trials, Test test) {
  std::mt19937 random(7);
  for (int trial = 0; trial < trials; ++trial)
    test(graph_case(random), random);
}

inline int random_root(graph_case const& on, std::mt19937& random) {
  return std::uniform_int_distribution(0, on.world.size() - 1)(random);
}

} // namespace seam::testing

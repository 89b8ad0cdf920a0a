// Every collective that moves blocks, blocking, nonblocking, prepared and partitioned, from one
// value: on random graphs with parallel edges, edges to oneself and edges that lead nowhere, and on
// complete communicators. Expected values are those of a serial program that knows all processes.
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/barrier.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/collectives/gather.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/collectives/scatter.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/partitioned/collectives.hpp>

#include <exchange/collectives/collective_cases.hpp>
#include <exchange/partitioned/serial_movements.hpp>
#include <support/catch.hpp>
#include <support/partitioned.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <array>
#include <functional>
#include <random>
#include <vector>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;
using namespace seam::testing::movements;

namespace {

elements in_memory(room& of, std::size_t b) { return {of.begin(b), of.lengths[b], MPI_INT64_T}; }

elements first_block(room& of) {
  return of.lengths.empty() ? elements{nullptr, 0, MPI_INT64_T} : in_memory(of, 0);
}

/// The first block where others, if there are some, are as long.
elements first_of_equal(case_of const& on, room& of) {
  return {of.memory.data(), on.length_between(0, 0, 0), MPI_INT64_T};
}

std::vector<elements> list_of(room& of) {
  std::vector<elements> listed;
  for (std::size_t b = 0; b < of.lengths.size(); ++b)
    listed.push_back(in_memory(of, b));
  return listed;
}

std::vector<int> counts_of(room const& of) { return {of.lengths.begin(), of.lengths.end()}; }

collective alltoall_of(case_of const& on, process& own) {
  elements const here{MPI_IN_PLACE, 0, MPI_INT64_T};
  if (on.what.lie == blocks::equal)
    return alltoall(on.what.in_place ? here : first_of_equal(on, own.send),
                    first_of_equal(on, own.receive));
  if (on.what.lie == blocks::listed)
    return alltoallw(on.what.in_place ? std::vector<elements>() : list_of(own.send),
                     list_of(own.receive));
  return alltoallv(own.send.memory, counts_of(own.send), own.receive.memory,
                   counts_of(own.receive));
}

collective allgather_of(case_of const& on, process& own) {
  elements const send =
      on.what.in_place ? elements{MPI_IN_PLACE, 0, MPI_INT64_T} : first_block(own.send);
  if (on.what.lie == blocks::equal)
    return allgather(send, first_of_equal(on, own.receive));
  if (on.what.lie == blocks::listed)
    return allgatherw(send, list_of(own.receive));
  return allgatherv(own.send.memory, own.receive.memory, counts_of(own.receive));
}

collective gather_of(case_of const& on, process& own) {
  bool const in_place = on.what.in_place && own.is_root();
  elements const send = in_place ? elements{MPI_IN_PLACE, 0, MPI_INT64_T} : first_block(own.send);
  if (on.what.lie == blocks::equal)
    return gather(send, first_of_equal(on, own.receive), on.root);
  if (on.what.lie == blocks::listed)
    return gatherw(send, list_of(own.receive), on.root);
  return gatherv(own.send.memory, own.receive.memory, counts_of(own.receive), on.root);
}

collective scatter_of(case_of const& on, process& own) {
  bool const in_place = on.what.in_place && own.is_root();
  elements const into =
      in_place ? elements{MPI_IN_PLACE, 0, MPI_INT64_T} : first_block(own.receive);
  if (on.what.lie == blocks::equal)
    return scatter(first_of_equal(on, own.send), into, on.root);
  if (on.what.lie == blocks::listed)
    return scatterw(list_of(own.send), into, on.root);
  return scatterv(own.send.memory, counts_of(own.send), own.receive.memory, on.root);
}

collective collective_of(case_of const& on, process& own) {
  switch (on.what.moves) {
  case kind::alltoall: return alltoall_of(on, own);
  case kind::allgather: return allgather_of(on, own);
  case kind::gather: return gather_of(on, own);
  case kind::scatter: return scatter_of(on, own);
  case kind::bcast: break;
  }
  return bcast(first_block(own.receive), on.root);
}

constexpr std::array divisors{1, 2, 3, 4, 6, 12};

int any_divisor(std::mt19937& random) {
  return divisors[std::size_t(below(int(divisors.size()), random))];
}

partition_counts any_partitions(std::size_t num_blocks, bool alike, std::mt19937& random) {
  if (alike)
    return any_divisor(random);
  std::vector<int> counts(num_blocks);
  for (int& count : counts)
    count = any_divisor(random);
  return counts;
}

std::vector<edge> edges_along(ranks const& others) {
  std::vector<edge> edges;
  for (int other : others)
    edges.push_back({other == nowhere ? MPI_PROC_NULL : other});
  return edges;
}

void check_case(Communicator const& over, case_of const& on) {
  int const rank = over.rank();
  process own(on, rank), expected(on, rank);
  collective const call = collective_of(on, own);
  auto const reset = [&](int epoch) {
    own.reset(epoch);
    expected.carry_out(epoch);
  };
  auto const check = [&](int) {
    CHECK((own.receive.memory == expected.receive.memory));
    CHECK((own.send.memory == expected.send.memory));
  };
  in_all_forms(
      over, call, [&] { reset(7); }, [&] { check(7); });
  std::mt19937 random(unsigned(31 * on.seed + rank));
  bool const sends_each = on.what.moves == kind::alltoall || on.what.moves == kind::scatter;
  auto const degree = [&](auto const& lists) { return lists[std::size_t(rank)].size(); };
  auto tested = prepare_partitioned(
      over, call,
      any_partitions(degree(on.edges.destinations), !sends_each || on.seed % 3 == 0, random),
      any_partitions(degree(on.edges.sources), on.seed % 4 == 0, random));
  run_epochs(tested, 4, reset, check);
}

std::vector<subject> const subjects{
    {kind::alltoall, blocks::equal, false},    {kind::alltoall, blocks::counted, false},
    {kind::alltoall, blocks::listed, false},   {kind::alltoall, blocks::equal, true},
    {kind::alltoall, blocks::listed, true},    {kind::allgather, blocks::equal, false},
    {kind::allgather, blocks::counted, false}, {kind::allgather, blocks::listed, false},
    {kind::allgather, blocks::equal, true},    {kind::allgather, blocks::listed, true},
    {kind::gather, blocks::equal, false},      {kind::gather, blocks::counted, false},
    {kind::gather, blocks::listed, false},     {kind::gather, blocks::equal, true},
    {kind::gather, blocks::listed, true},      {kind::scatter, blocks::equal, false},
    {kind::scatter, blocks::counted, false},   {kind::scatter, blocks::listed, false},
    {kind::scatter, blocks::equal, true},      {kind::scatter, blocks::listed, true},
    {kind::bcast, blocks::equal, false}};

/// A graph on which the subject is defined in all forms.
all_edges graph_for(subject const& what, int size, std::mt19937& random) {
  if (!what.in_place)
    return any_graph(size, random);
  if (what.moves == kind::alltoall)
    return two_way_graph(size, random);
  return what.moves == kind::allgather ? graph_with_own_edges(size, random)
                                       : any_graph(size, random);
}

std::string words_of(case_of const& on) {
  return fmt::format("collective {}, blocks {}, in place {}, root {}, seed {}", int(on.what.moves),
                     int(on.what.lie), on.what.in_place, on.root, on.seed);
}

} // namespace

TEST_CASE("on graphs every form of a collective moves the blocks that a serial program moves") {
  auto const world = testing::world();
  for (int seed = 0; seed < 8; ++seed)
    for (subject const& what : subjects) {
      std::mt19937 random(unsigned(seed) + 100);
      case_of const on{what, graph_for(what, world.size(), random), below(world.size(), random),
                       seed};
      INFO(words_of(on));
      checks_in_scope const checked(seed % 2 == 0);
      auto const rank = std::size_t(world.rank());
      check_case(make_graph(world, Topology::graph(edges_along(on.edges.sources[rank]),
                                                   edges_along(on.edges.destinations[rank]))),
                 on);
    }
}

TEST_CASE("among all ranks every form moves the blocks that a serial program moves") {
  auto const world = testing::world();
  for (int seed = 0; seed < 6; ++seed)
    for (subject const& what : subjects) {
      case_of const on{what, complete_graph(world.size()), seed % world.size(), seed};
      INFO(words_of(on));
      checks_in_scope const checked(seed % 2 == 0);
      check_case(world, on);
    }
}

TEST_CASE("a collective that moves no blocks has no partitioned form of this kind") {
  auto const world = testing::world();
  values send(12), receive(12);
  auto const refused = [](char const* name) {
    return Catch::Contains(fmt::format("prepare_partitioned: {} moves no blocks", name));
  };
  CHECK_THROWS_WITH(prepare_partitioned(world, allreduce(send, receive, std::plus<>()), 2, 2),
                    refused("allreduce"));
  CHECK_THROWS_WITH(prepare_partitioned(world, barrier(), 1, 1), refused("barrier"));
}

TEST_CASE("partitions divide their blocks, and each block has a number of them") {
  auto const world = testing::world();
  auto const size = std::size_t(world.size());
  values send(12 * size), receive(12 * size);
  auto const turn = alltoall(send, receive);
  CHECK_THROWS_WITH(prepare_partitioned(world, turn, 4, 5),
                    Catch::Contains("palltoall_init: 12 elements in 5 partitions (expected as "
                                    "many in each)"));
  CHECK_THROWS_WITH(prepare_partitioned(world, turn, 4, 0),
                    Catch::Contains("palltoall_init: 12 elements in 0 partitions"));
  CHECK_THROWS_WITH(prepare_partitioned(world, turn, 4, std::vector(size - 1, 3)),
                    Catch::Contains("none for the block of edge"));
  CHECK_NOTHROW(prepare_partitioned(world, turn, std::vector(size, 3), 4));
}

TEST_CASE("in a list of blocks to send, MPI_IN_PLACE stands for all blocks or for none") {
  auto const world = testing::world();
  if (world.size() < 2)
    return;
  values send(12), receive(12 * std::size_t(world.size()));
  std::vector<partitioned_buffer> sends(std::size_t(world.size()), in_partitions(send, 3)),
      receives;
  for (int r = 0; r < world.size(); ++r)
    receives.push_back({receive.data() + 12 * r, 3, 4, MPI_INT64_T});
  sends[1].data = MPI_IN_PLACE;
  CHECK_THROWS_WITH(palltoallw_init(world, sends, receives),
                    Catch::Contains("palltoallw_init: MPI_IN_PLACE"));
}

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

namespace {

// The serial program: graphs, blocks and what each process has in the end.

constexpr int nowhere = -1;
using ranks = std::vector<int>;

/// The edges of all processes.
struct all_edges {
  std::vector<ranks> sources, destinations;

  explicit all_edges(int size) : sources(std::size_t(size)), destinations(std::size_t(size)) {}

  void add(int from, int to) {
    if (from != nowhere)
      destinations[std::size_t(from)].push_back(to);
    if (to != nowhere)
      sources[std::size_t(to)].push_back(from);
  }

  /// The index, among the destinations of the process where it begins, of source `e` of `rank`.
  int other_end(int rank, std::size_t e) const {
    auto const& in = sources[std::size_t(rank)];
    auto nth = std::count(in.begin(), in.begin() + std::ptrdiff_t(e), in[e]);
    auto const& out = destinations[std::size_t(in[e])];
    int d = 0;
    while (out[std::size_t(d)] != rank || nth-- > 0)
      ++d;
    return d;
  }
};

int below(int limit, std::mt19937& random) {
  return std::uniform_int_distribution(0, limit - 1)(random);
}

void shuffle(std::vector<ranks>& lists, std::mt19937& random) {
  for (ranks& list : lists)
    std::ranges::shuffle(list, random);
}

/// Edges between any processes, some of which lead nowhere or come from nowhere.
all_edges any_graph(int size, std::mt19937& random) {
  all_edges graph(size);
  for (int left = below(4 * size, random); left > 0; --left)
    graph.add(below(size + 1, random) - 1, below(size + 1, random) - 1);
  shuffle(graph.sources, random);
  shuffle(graph.destinations, random);
  return graph;
}

/// As any_graph(), with an edge of each process to itself.
all_edges graph_with_own_edges(int size, std::mt19937& random) {
  all_edges graph = any_graph(size, random);
  for (int rank = 0; rank < size; ++rank)
    graph.add(rank, rank);
  shuffle(graph.sources, random);
  shuffle(graph.destinations, random);
  return graph;
}

/// Destinations and sources are the same processes in the same order.
all_edges two_way_graph(int size, std::mt19937& random) {
  all_edges graph(size);
  for (int left = below(3 * size, random); left > 0; --left) {
    int const one = below(size, random), other = below(size + 1, random) - 1;
    graph.destinations[std::size_t(one)].push_back(other);
    if (other != nowhere && other != one)
      graph.destinations[std::size_t(other)].push_back(one);
  }
  shuffle(graph.destinations, random);
  graph.sources = graph.destinations;
  return graph;
}

all_edges complete_graph(int size) {
  all_edges graph(size);
  for (int from = 0; from < size; ++from)
    for (int to = 0; to < size; ++to)
      graph.add(from, to);
  return graph;
}

enum class kind { alltoall, allgather, gather, scatter, bcast };
enum class blocks { equal, counted, listed };

struct subject {
  kind moves;
  blocks lie;
  bool in_place;
};

/// The collective of one case, on all processes.
struct case_of {
  subject what;
  all_edges edges;
  int root, seed;

  bool has_root() const { return what.moves != kind::alltoall && what.moves != kind::allgather; }

  /// Elements of the block along the nth edge between two processes: equal in both directions.
  std::int64_t length_between(int from, int to, std::int64_t nth) const {
    if (what.lie == blocks::equal || what.moves == kind::bcast)
      return drawn(0);
    if (what.moves == kind::allgather || what.moves == kind::gather)
      return drawn(from + 1);
    return drawn((from + 1) * (to + 1) + 3 * std::abs(from - to) + 7 * int(nth));
  }
  std::int64_t leaving_length(int rank, std::size_t d) const {
    auto const& out = edges.destinations[std::size_t(rank)];
    return length_between(rank, out[d], std::count(out.begin(), out.begin() + int(d), out[d]));
  }
  std::int64_t arriving_length(int rank, std::size_t e) const {
    auto const& in = edges.sources[std::size_t(rank)];
    return length_between(in[e], rank, std::count(in.begin(), in.begin() + int(e), in[e]));
  }

private:
  std::int64_t drawn(int number) const {
    constexpr std::array<std::int64_t, 6> lengths{12, 0, 24, 1200, 12, 12000};
    return lengths[std::size_t((seed + 5 * number) % std::ssize(lengths))];
  }
};

/// Blocks in one memory: one behind the other, or apart and in the other order.
struct room {
  std::vector<std::size_t> firsts;
  std::vector<std::int64_t> lengths;
  values memory;

  room(std::vector<std::int64_t> of_blocks, bool apart)
      : firsts(of_blocks.size()), lengths(std::move(of_blocks)) {
    std::size_t next = apart ? 2 : 0;
    for (std::size_t k = 0; k < lengths.size(); ++k) {
      std::size_t const b = apart ? lengths.size() - 1 - k : k;
      firsts[b] = next;
      next += std::size_t(lengths[b]) + (apart ? 3 : 0);
    }
    memory.assign(next, untouched);
  }

  std::int64_t* begin(std::size_t b) { return memory.data() + firsts[b]; }
};

/// Element k of block `block` that a process sends.
std::int64_t sent_value(int rank, int block, std::int64_t k, int epoch) {
  return 100'000'000 * (rank + 1) + 1'000'000 * block + 100'000 * epoch + k;
}

void put(room& into, std::size_t b, int rank, int block, int epoch) {
  for (std::int64_t k = 0; k < into.lengths[b]; ++k)
    into.begin(b)[k] = sent_value(rank, block, k, epoch);
}

/// The memory of one process in one case.
class process {
public:
  process(case_of const& on, int rank)
      : on_(on),
        rank_(rank),
        out_(on.edges.destinations[std::size_t(rank)]),
        in_(on.edges.sources[std::size_t(rank)]),
        send(lengths_sent(), is_apart()),
        receive(lengths_received(), is_apart()) {}

  /// Writes the values before the call: those to send, and those in place.
  void reset(int epoch) {
    std::ranges::fill(receive.memory, untouched);
    for (std::size_t b = 0; b < send.lengths.size(); ++b)
      put(send, b, rank_, int(b), epoch);
    if (on_.what.moves == kind::bcast && is_root())
      put(receive, 0, rank_, 0, epoch);
    if (!on_.what.in_place)
      return;
    if (on_.what.moves == kind::alltoall)
      for (std::size_t b = 0; b < in_.size(); ++b)
        put(receive, b, rank_, int(b), epoch);
    if (on_.what.moves == kind::allgather)
      put(receive, first_own(), rank_, 0, epoch);
    if (on_.what.moves == kind::gather && is_root())
      for (std::size_t b = 0; b < in_.size(); ++b)
        if (in_[b] == rank_)
          put(receive, b, rank_, 90 + int(b), epoch);
  }

  /// Carries out the collective: writes the values after the call.
  void carry_out(int epoch) {
    reset(epoch);
    if (on_.what.moves == kind::bcast)
      receive_from_root(epoch, 0);
    else if (on_.what.moves == kind::scatter)
      receive_from_root(epoch, last_edge_from_root());
    else if (on_.what.moves != kind::gather || is_root())
      for (std::size_t e = 0; e < in_.size(); ++e)
        receive_from(e, epoch);
  }

  bool is_root() const { return rank_ == on_.root; }

  /// True if this process has blocks to send, and to receive, apart from a single one.
  bool has_list_to_send() const { return on_.what.moves != kind::scatter || is_root(); }
  bool has_list_to_receive() const { return on_.what.moves != kind::gather || is_root(); }

private:
  bool is_apart() const { return on_.what.lie == blocks::listed; }

  std::vector<std::int64_t> lengths_sent() const {
    std::vector<std::int64_t> lengths;
    bool const has_list = on_.what.moves == kind::alltoall || on_.what.moves == kind::scatter;
    for (std::size_t d = 0; has_list && has_list_to_send() && d < out_.size(); ++d)
      lengths.push_back(on_.leaving_length(rank_, d));
    if (on_.what.moves == kind::allgather || on_.what.moves == kind::gather)
      lengths.push_back(on_.length_between(rank_, rank_, 0));
    return lengths;
  }

  std::vector<std::int64_t> lengths_received() const {
    if (on_.what.moves == kind::bcast)
      return {on_.length_between(0, 0, 0)};
    if (on_.what.moves == kind::scatter)
      return {scattered_length()};
    std::vector<std::int64_t> lengths;
    for (std::size_t e = 0; has_list_to_receive() && e < in_.size(); ++e)
      lengths.push_back(on_.arriving_length(rank_, e));
    return lengths;
  }

  int last_edge_from_root() const {
    auto const& of_root = on_.edges.destinations[std::size_t(on_.root)];
    int last = nowhere;
    for (int d = 0; d < std::ssize(of_root); ++d)
      if (of_root[std::size_t(d)] == rank_)
        last = d;
    return last;
  }

  std::int64_t scattered_length() const {
    int const last = last_edge_from_root();
    return last == nowhere ? 5 : on_.leaving_length(on_.root, std::size_t(last));
  }

  void receive_from_root(int epoch, int block) {
    bool const stays = is_root() && (on_.what.in_place || on_.what.moves == kind::bcast);
    if (last_edge_from_root() != nowhere && !stays)
      put(receive, 0, on_.root, block, epoch);
  }

  void receive_from(std::size_t e, int epoch) {
    bool const stays = on_.what.moves == kind::gather && on_.what.in_place && in_[e] == rank_;
    if (in_[e] == nowhere || stays)
      return;
    int const block = on_.what.moves == kind::alltoall ? on_.edges.other_end(rank_, e) : 0;
    put(receive, e, in_[e], block, epoch);
  }

  std::size_t first_own() const { return std::size_t(std::ranges::find(in_, rank_) - in_.begin()); }

  case_of const& on_;
  int rank_;
  ranks out_, in_;

public:
  room send, receive;
};

// The library.

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

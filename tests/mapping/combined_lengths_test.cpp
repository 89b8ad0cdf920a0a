// Blocks of many lengths travel combined if these depend on the vector alone, which processes find
// out when an operation is prepared; otherwise directly. Both bring what single messages bring.
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/mapping/cartesianity.hpp>
#include <seam/mapping/dims.hpp>
#include <seam/mapping/named_communicator.hpp>
#include <seam/mapping/neighbors.hpp>
#include <seam/mapping/network.hpp>

#include <support/allocation_counter.hpp>
#include <support/catch.hpp>
#include <support/message_counter.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <set>

using namespace seam;
using namespace seam::detail;
using testing::calls_of;

namespace {

using values = std::vector<int>;
using blocks = std::vector<values>;

constexpr int untouched = -1;
constexpr network_model latency_alone{.latency = 1, .seconds_per_byte = 0};
constexpr network_model bandwidth_alone{.latency = 0, .seconds_per_byte = 1};

/// Elements of a block, by its vector and the process that it comes from.
using length_of = std::function<int(int vector, int source)>;

/// Lengths that depend on the vector alone; edges that lead nowhere have blocks, too.
length_of by_vector(values const& lengths) {
  return [=](int vector, int) { return vector < 0 ? 4 : lengths[vector]; };
}

neighborhood with_center(int radius) { return metric_neighborhood(metric::chebyshev, 0, radius); }

/// Lengths up to 6 for all vectors of a graph, of which some are 0.
values random_lengths(Communicator const& graph, std::mt19937& random) {
  values lengths(graph.structure()->vectors.size());
  for (int& length : lengths)
    length = std::max(0, static_cast<int>(random() % 8) - 1);
  return lengths;
}

Topology as_they_are(Topology const& given) { return given; }

/// The same with an edge that leads nowhere at each end of the lists.
Topology with_gaps(Topology const& given) {
  auto const widened = [](std::span<edge const> edges) {
    std::vector<edge> all(edges.begin(), edges.end());
    all.insert(all.begin(), edge{MPI_PROC_NULL});
    all.push_back(edge{MPI_PROC_NULL});
    return all;
  };
  return Topology::graph(widened(given.sources()), widened(given.destinations()));
}

/// The same with other sources beside the destinations: on a plane a block that leaves along the
/// second axis lies where one arrives along the first.
Topology with_sources_rotated(Topology const& given) {
  std::vector<edge> sources(given.sources().begin(), given.sources().end());
  std::ranges::rotate(sources, sources.begin() + 2);
  return Topology::graph(sources, {given.destinations().begin(), given.destinations().end()});
}

/// The Cartesian graph of a neighborhood in all processes.
Communicator make_grid(int num_dimensions, unsigned periodic_mask, neighborhood const& around,
                       network_model const& network = latency_alone,
                       Topology (*arranged)(Topology const&) = as_they_are) {
  auto const world = testing::world();
  std::vector<int> const free(num_dimensions);
  std::vector<bool> periodic;
  for (int d = 0; d < num_dimensions; ++d)
    periodic.push_back((periodic_mask >> d & 1U) != 0);
  CartesianNaming const naming(world.size(), dims_create(world.size(), free), periodic);
  name(world.view(), naming);
  set_network(network);
  auto const topology = make_topology(naming, world.rank(), around);
  Communicator graph = make_named_graph(world, arranged(topology));
  REQUIRE(graph.structure() != nullptr);
  return graph;
}

/// What single messages along all edges bring, one after the other between two processes.
void exchange_naively(Communicator const& over, blocks const& sent, blocks& received) {
  auto const sources = over.topology().sources(), destinations = over.topology().destinations();
  std::vector<MPI_Request> requests(sources.size() + destinations.size());
  auto* request = requests.data();
  MPI_Comm comm = over.view().native();
  for (std::size_t e = 0; e < sources.size(); ++e)
    MPI_Irecv(received[e].data(), static_cast<int>(received[e].size()), MPI_INT, sources[e].rank, 7,
              comm, request++);
  for (std::size_t e = 0; e < destinations.size(); ++e)
    MPI_Isend(sent[e].data(), static_cast<int>(sent[e].size()), MPI_INT, destinations[e].rank, 7,
              comm, request++);
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

/// Blocks of these lengths for all edges of a process.
struct traffic {
  traffic(Communicator const& over, length_of const& length) : graph(over) {
    auto const& on = *graph.structure();
    int const rank = graph.rank();
    for (std::size_t e = 0; e < on.destinations2vectors.size(); ++e) {
      values block(length(on.destinations2vectors[e], rank));
      std::iota(block.begin(), block.end(), 10000 * rank + 100 * static_cast<int>(e));
      sent.push_back(std::move(block));
    }
    for (std::size_t e = 0; e < on.sources2vectors.size(); ++e) {
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

std::vector<elements> elements_of_each(blocks const& all) {
  std::vector<elements> each;
  for (values const& block : all)
    each.push_back(elements_of(block));
  return each;
}

values flat(blocks const& all) {
  values numbers;
  for (values const& block : all)
    numbers.insert(numbers.end(), block.begin(), block.end());
  return numbers;
}

std::vector<int> lengths_of(blocks const& all) {
  std::vector<int> lengths;
  for (values const& block : all)
    lengths.push_back(static_cast<int>(block.size()));
  return lengths;
}

/// What one process in the middle sends, by definition.
struct expected_volume {
  int messages = 0;
  std::int64_t bytes = 0;
};

expected_volume combined_volume(Communicator const& graph, values const& lengths) {
  auto const& vectors = graph.structure()->vectors;
  std::set<std::pair<std::size_t, int>> steps;
  expected_volume sum;
  for (std::size_t v = 0; v < vectors.size(); ++v)
    for (std::size_t d = 0; d < vectors[v].size(); ++d)
      if (vectors[v][d] != 0 && lengths[v] > 0) {
        steps.emplace(d, vectors[v][d]);
        sum.bytes += lengths[v] * static_cast<std::int64_t>(sizeof(int));
      }
  sum.messages = static_cast<int>(steps.size());
  return sum;
}

/// Processes to which one in the middle sends something: vectors may lead to the same one on a
/// short torus, or back.
int num_reached(Communicator const& graph, values const& lengths) {
  auto const& on = *graph.structure();
  std::set<values> points;
  for (std::size_t v = 0; v < on.vectors.size(); ++v) {
    values point = on.vectors[v];
    for (std::size_t d = 0; d < point.size(); ++d)
      while (on.periodic[d] && (point[d] < 0 || point[d] >= on.extent[d]))
        point[d] += point[d] < 0 ? on.extent[d] : -on.extent[d];
    if (lengths[v] > 0)
      points.insert(point);
  }
  points.erase(values(on.extent.size()));
  return static_cast<int>(points.size());
}

/// Other processes to which one sends something.
int num_peers(traffic const& data) {
  std::set<int> peers;
  auto const destinations = data.graph.topology().destinations();
  for (std::size_t e = 0; e < destinations.size(); ++e)
    if (destinations[e].rank != data.graph.rank() && !data.sent[e].empty())
      peers.insert(destinations[e].rank);
  return static_cast<int>(peers.size());
}

/// Messages that one run of `what` sends.
long messages_of(operation& what) {
  return calls_of([&] { what.run(); }).sends;
}

/// A list of up to 9 offsets as far as 2, which may repeat.
neighborhood random_offsets(int num_dimensions, std::mt19937& random) {
  std::vector<std::vector<int>> list(1 + random() % 9);
  for (auto& offset : list)
    for (int d = 0; d < num_dimensions; ++d)
      offset.push_back(static_cast<int>(random() % 5) - 2);
  return offsets(list);
}

/// All forms of alltoall with blocks of `lengths`.
void check_alltoall(Communicator const& graph, values const& lengths) {
  traffic data(graph, by_vector(lengths));
  auto const sends = elements_of_each(data.sent), receives = elements_of_each(data.received);
  operation by_blocks = prepare(graph, alltoallw(sends, receives));
  data.check(by_blocks);

  values const sent = flat(data.sent);
  values received(flat(data.received)), expected = flat(data.expected);
  operation by_counts =
      prepare(graph, alltoallv(sent, lengths_of(data.sent), received, lengths_of(data.received)));
  by_counts.run();
  CHECK(received == expected);
  CHECK(by_counts.num_messages() == by_blocks.num_messages());
}

} // namespace

TEST_CASE("random lists of offsets, borders and lengths bring what single messages do") {
  std::mt19937 random(2019);
  for (bool shared : {true, false})
    for (int round = 0; round < 40; ++round) {
      shared_memory_in_scope const memory(shared);
      int const num_dimensions = 1 + round % 3;
      unsigned const periodic_mask = static_cast<unsigned>(random()) % 8;
      Communicator const graph =
          make_grid(num_dimensions, periodic_mask, random_offsets(num_dimensions, random),
                    latency_alone, round % 4 == 0 ? with_gaps : as_they_are);
      check_alltoall(graph, random_lengths(graph, random));
    }
}

TEST_CASE("on a torus they are as few messages and bytes as the vectors with bytes say") {
  shared_memory_in_scope const off(false);
  std::mt19937 random(7);
  for (int round = 0; round < 12; ++round) {
    Communicator const graph = make_grid(1 + round % 3, 7, moore(1 + round % 2));
    auto const lengths = random_lengths(graph, random);
    traffic data(graph, by_vector(lengths));
    operation what =
        prepare(graph, alltoallw(elements_of_each(data.sent), elements_of_each(data.received)));
    auto const combined = combined_volume(graph, lengths);
    if (combined.messages < num_reached(graph, lengths)) {
      CHECK(what.num_messages() == combined.messages);
      CHECK(what.num_bytes() == combined.bytes);
    } else {
      CHECK(what.num_messages() == num_peers(data));
    }
    CHECK(messages_of(what) == what.num_messages());
    CHECK(data.received == data.expected);
  }
}

TEST_CASE("datatypes may differ from edge to edge") {
  std::mt19937 random(5);
  mpi::datatype every_second;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), every_second.receive());
  MPI_Type_commit(every_second.receive());
  for (unsigned mask = 0; mask < 4; ++mask) {
    Communicator const graph = make_grid(2, mask, moore(1));
    traffic data(graph, by_vector(random_lengths(graph, random)));
    // Whole blocks on one side, elements with gaps on the other.
    std::vector<mpi::datatype> whole(data.sent.size());
    std::vector<elements> sends, receives;
    for (std::size_t e = 0; e < data.sent.size(); ++e) {
      MPI_Type_contiguous(static_cast<int>(data.sent[e].size()), MPI_INT, whole[e].receive());
      MPI_Type_commit(whole[e].receive());
      sends.push_back({data.sent[e].data(), 1, whole[e].native()});
    }
    blocks spread = data.received;
    for (std::size_t e = 0; e < spread.size(); ++e) {
      spread[e].resize(2 * data.received[e].size());
      receives.push_back({spread[e].data(), std::ssize(data.received[e]), every_second.native()});
    }
    operation what = prepare(graph, alltoallw(sends, receives));
    data.check(
        what,
        [&] {
          for (values& block : spread)
            std::ranges::fill(block, untouched);
        },
        [&] {
          blocks found = data.received;
          for (std::size_t e = 0; e < found.size(); ++e)
            for (std::size_t i = 0; i < found[e].size(); ++i) {
              found[e][i] = spread[e][2 * i];
              CHECK(spread[e][2 * i + 1] == untouched);
            }
          return found;
        });
  }
}

TEST_CASE("blocks are exchanged in place") {
  std::mt19937 random(3);
  for (int radius : {1, 2})
    for (bool shared : {true, false}) {
      shared_memory_in_scope const memory(shared);
      Communicator const graph = make_grid(2, 3, with_center(radius));
      auto const lengths = random_lengths(graph, random);
      traffic data(graph, by_vector(lengths));
      REQUIRE(lengths_of(data.sent) == lengths_of(data.received));
      operation what = prepare(graph, alltoallw({}, elements_of_each(data.received)));
      data.check(
          what,
          [&] {
            for (std::size_t e = 0; e < data.sent.size(); ++e)
              std::ranges::copy(data.sent[e], data.received[e].begin());
          },
          [&] { return data.received; });
      auto const combined = combined_volume(graph, lengths);
      if (combined.messages < num_reached(graph, lengths)) {
        CHECK(what.num_messages() == combined.messages);
      }
    }
}

TEST_CASE("blocks that leave late are not lost to what arrives early in their place") {
  Communicator const graph = make_grid(2, 3, moore(1), latency_alone, with_sources_rotated);
  values const lengths(graph.structure()->vectors.size(), 2);
  traffic data(graph, by_vector(lengths));
  operation what = prepare(graph, alltoallw({}, elements_of_each(data.received)));
  data.check(
      what, [&] { std::ranges::copy(data.sent, data.received.begin()); },
      [&] { return data.received; });
}

TEST_CASE("processes without edges pass on blocks whose lengths they have been told") {
  shared_memory_in_scope const off(false);
  // On 4 x 3 processes two have no edges, and messages pass through one of them.
  Communicator const graph =
      make_grid(2, 0, offsets({{1, 1}, {2, 1}, {3, 1}, {1, 2}, {2, 2}, {3, 2}}));
  values lengths(graph.structure()->vectors.size());
  std::iota(lengths.begin(), lengths.end(), 1);
  check_alltoall(graph, lengths);

  traffic data(graph, by_vector(values(lengths.size(), 2)));
  values const sent = flat(data.sent);
  values received = flat(data.received);
  operation equal = prepare(graph, alltoall(elements{sent.data(), 2, MPI_INT},
                                            elements{received.data(), 2, MPI_INT}));
  equal.run();
  CHECK(received == flat(data.expected));
  if (graph.size() == 12 && graph.structure()->place == values{3, 0}) {
    CHECK(data.sent.empty());
    CHECK(equal.num_messages() == 2); // along the second axis
  }
}

TEST_CASE("blocks of one length are combined in place, too, when prepared") {
  shared_memory_in_scope const off(false);
  Communicator const graph = make_grid(2, 3, with_center(1));
  values const lengths(graph.structure()->vectors.size(), 2);
  int const combined = combined_volume(graph, lengths).messages;
  traffic data(graph, by_vector(lengths));
  elements const in_place{MPI_IN_PLACE, 0, MPI_INT};
  values received = flat(data.sent);
  elements const blocks_here{received.data(), 2, MPI_INT};
  operation exchange = prepare(graph, alltoall(in_place, blocks_here));
  exchange.run();
  CHECK(received == flat(data.expected));
  CHECK(exchange.num_messages() == combined);

  std::ranges::fill(data.sent, values{graph.rank(), graph.rank() + 100});
  exchange_naively(graph, data.sent, data.expected);
  auto const sources = graph.topology().sources();
  auto const own = std::ranges::find(sources, graph.rank(), &edge::rank) - sources.begin();
  std::ranges::fill(received, untouched);
  std::ranges::copy(data.sent.front(), received.begin() + 2 * own);
  operation gather = prepare(graph, allgather(in_place, blocks_here));
  gather.run();
  CHECK(received == flat(data.expected));
  CHECK(gather.num_messages() == combined);
}

TEST_CASE("where one process differs, all send directly") {
  shared_memory_in_scope const off(false);
  for (bool checks : {true, false}) {
    checks_in_scope const checked(checks);
    Communicator const graph = make_grid(2, 3, moore(1));
    int const odd_one = graph.size() - 1;
    values const lengths(graph.structure()->vectors.size(), 2);
    traffic data(graph,
                 [&](int vector, int source) { return vector == 0 && source == odd_one ? 3 : 2; });
    operation what =
        prepare(graph, alltoallw(elements_of_each(data.sent), elements_of_each(data.received)));
    CHECK(what.num_messages() == num_peers(data));
    data.check(what);
    traffic alike(graph, by_vector(lengths));
    operation combined =
        prepare(graph, alltoallw(elements_of_each(alike.sent), elements_of_each(alike.received)));
    int const messages = combined_volume(graph, lengths).messages;
    CHECK(combined.num_messages() == messages);
    CHECK((graph.size() < 4 || messages < num_peers(data)));
  }
}

TEST_CASE("where it does not pay, blocks of equal lengths go directly") {
  shared_memory_in_scope const off(false);
  Communicator const graph = make_grid(2, 3, moore(1), bandwidth_alone);
  traffic data(graph, by_vector(values(graph.structure()->vectors.size(), 2)));
  operation what =
      prepare(graph, alltoallw(elements_of_each(data.sent), elements_of_each(data.received)));
  CHECK(what.num_messages() == num_peers(data));
  data.check(what);
}

TEST_CASE(
    "volumes count in bytes: long blocks combine if they take one step, not if they take two") {
  shared_memory_in_scope const off(false);
  Communicator const graph =
      make_grid(2, 3, moore(1), {.latency = 1e-6, .seconds_per_byte = 1e-10});
  auto const messages_with = [&](int faces, int corners) {
    values lengths;
    for (values const& vector : graph.structure()->vectors)
      lengths.push_back(std::ranges::count(vector, 0) == 0 ? corners : faces);
    traffic data(graph, by_vector(lengths));
    operation what =
        prepare(graph, alltoallw(elements_of_each(data.sent), elements_of_each(data.received)));
    data.check(what);
    return what.num_messages();
  };
  if (graph.size() < 9)
    return; // shorter rings have other vectors
  CHECK(messages_with(1, 1) == 4);
  // Packed bytes cost six times as much: 4 us and 4 * 1.6 KB * 0.6 ns against 8 us and 0.6 us.
  CHECK(messages_with(400, 1) == 4);
  CHECK(messages_with(1, 400) == 8);
}

TEST_CASE("only preparing asks the others, and only where messages can be combined") {
  checks_in_scope const unchecked(false); // checks ask them, too
  shared_memory_in_scope const off(false);
  auto const asked = [&](Communicator const& over, traffic const& data) {
    auto const what = alltoallw(elements_of_each(data.sent), elements_of_each(data.received));
    return calls_of([&] { (void)prepare(over, what); }).collectives;
  };
  Communicator const corners = make_grid(2, 3, moore(1)), faces = make_grid(2, 3, von_neumann(1));
  for (Communicator const* graph : {&corners, &faces}) {
    traffic data(*graph, by_vector(values(graph->structure()->vectors.size(), 2)));
    Communicator const unknown = make_graph(testing::world(), graph->topology());
    bool const can_combine = combined_volume(*graph, lengths_of(data.sent)).messages <
                             num_reached(*graph, lengths_of(data.sent));
    CHECK(asked(*graph, data) == asked(unknown, data) + (can_combine ? 1 : 0));

    auto const what = alltoallw(elements_of_each(data.sent), elements_of_each(data.received));
    for (auto const& calls :
         {calls_of([&] { run(*graph, what); }), calls_of([&] { start(*graph, what).wait(); })}) {
      CHECK(calls.sends == num_peers(data));
      CHECK(calls.collectives == 0);
    }
    CHECK(data.received == data.expected);
  }
}

TEST_CASE("running it again allocates nothing") {
  for (bool shared : {true, false}) {
    shared_memory_in_scope const memory(shared);
    Communicator const graph = make_grid(2, 3, moore(1));
    traffic data(graph, by_vector(values(graph.structure()->vectors.size(), 2)));
    operation what =
        prepare(graph, alltoallw(elements_of_each(data.sent), elements_of_each(data.received)));
    what.run();
    long const before = testing::num_allocations;
    for (int time = 0; time < 5; ++time)
      what.run();
    CHECK(testing::num_allocations == before);
  }
}

TEST_CASE("impossible arguments on one rank are the same error on all") {
  for (bool checks : {true, false}) {
    checks_in_scope const checked(checks);
    Communicator const graph = make_grid(2, 3, moore(1));
    traffic data(graph, by_vector(values(graph.structure()->vectors.size(), 2)));
    values const sent = flat(data.sent);
    values received = flat(data.received);
    std::vector<int> counts = lengths_of(data.sent);
    if (graph.rank() == graph.size() - 1)
      counts.front() = -3;
    CHECK_THROWS_WITH(prepare(graph, alltoallv(sent, counts, received, lengths_of(data.received))),
                      Catch::Contains("alltoallv: -3 elements"));
    if (graph.rank() == graph.size() - 1)
      counts.pop_back();
    counts.front() = 2;
    CHECK_THROWS_WITH(prepare(graph, alltoallv(sent, counts, received, lengths_of(data.received))),
                      Catch::Contains("expected one for each"));
    auto sends = elements_of_each(data.sent);
    if (graph.rank() == graph.size() - 1)
      sends.pop_back();
    CHECK_THROWS_WITH(prepare(graph, allgatherw(sends.front(), sends)),
                      Catch::Contains("expected one for each"));
  }
}

TEST_CASE("allgather with room wherever combines if all blocks are of one length") {
  shared_memory_in_scope const off(false);
  std::mt19937 random(11);
  for (int round = 0; round < 30; ++round) {
    int const num_dimensions = 1 + round % 3;
    unsigned const periodic_mask = static_cast<unsigned>(random()) % 8;
    Communicator const graph =
        make_grid(num_dimensions, periodic_mask,
                  round % 2 == 0 ? moore(1) : random_offsets(num_dimensions, random));
    int const length = 1 + static_cast<int>(random() % 5);
    bool const alike = round % 3 != 0;
    auto const length_at = [&](int source) {
      return alike || source != graph.size() - 1 ? length : length + 1;
    };
    traffic data(graph, [&](int, int source) { return length_at(source); });
    values own(length_at(graph.rank()));
    std::iota(own.begin(), own.end(), 100 * graph.rank());
    std::ranges::fill(data.sent, own);
    exchange_naively(graph, data.sent, data.expected);

    operation by_blocks =
        prepare(graph, allgatherw(elements_of(own), elements_of_each(data.received)));
    data.check(by_blocks);
    values received = flat(data.received);
    operation by_counts = prepare(graph, allgatherv(own, received, lengths_of(data.received)));
    std::ranges::fill(received, untouched);
    by_counts.run();
    CHECK(received == flat(data.expected));
    CHECK(by_counts.num_messages() == by_blocks.num_messages());
    if (!graph.structure()->all_have_edges)
      continue; // the length of one that sends nothing does not matter
    if (!alike && graph.size() > 1) {
      CHECK(by_blocks.num_messages() == num_peers(data));
    } else if (alike) {
      values same = received;
      CHECK(by_blocks.num_messages() ==
            prepare(graph, allgather(elements_of(own), {same.data(), length, MPI_INT}))
                .num_messages());
    }
  }
}

TEST_CASE("allgather takes a process's block from where it is received, and combines") {
  shared_memory_in_scope const off(false);
  Communicator const graph = make_grid(2, 3, with_center(1));
  values const lengths(graph.structure()->vectors.size(), 2);
  traffic data(graph, by_vector(lengths));
  std::ranges::fill(data.sent, values{graph.rank(), graph.rank() + 100});
  exchange_naively(graph, data.sent, data.expected);
  auto const sources = graph.topology().sources();
  auto const own = std::ranges::find(sources, graph.rank(), &edge::rank) - sources.begin();
  operation what =
      prepare(graph, allgatherw({MPI_IN_PLACE, 0, MPI_INT}, elements_of_each(data.received)));
  data.check(
      what,
      [&] {
        for (values& block : data.received)
          std::ranges::fill(block, untouched);
        data.received[own] = data.sent.front();
      },
      [&] { return data.received; });
  if (num_reached(graph, lengths) > combined_volume(graph, lengths).messages) {
    CHECK(what.num_messages() == combined_volume(graph, lengths).messages);
  }
}

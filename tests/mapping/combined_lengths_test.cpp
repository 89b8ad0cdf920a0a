// Blocks of many lengths travel combined if these depend on the vector alone, which processes find
// out when an operation is prepared; otherwise directly. Both bring what single messages bring.
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>

#include <support/catch.hpp>
#include <support/combined_blocks.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <numeric>
#include <random>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

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
    for (int e = 0; e < std::ssize(data.sent); ++e) {
      MPI_Type_contiguous(static_cast<int>(data.sent[e].size()), MPI_INT, whole[e].receive());
      MPI_Type_commit(whole[e].receive());
      sends.push_back({data.sent[e].data(), 1, whole[e].native()});
    }
    blocks spread = data.received;
    for (int e = 0; e < std::ssize(spread); ++e) {
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
          for (int e = 0; e < std::ssize(found); ++e)
            for (int i = 0; i < std::ssize(found[e]); ++i) {
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
            for (int e = 0; e < std::ssize(data.sent); ++e)
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

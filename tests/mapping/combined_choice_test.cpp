// Whether blocks travel combined is the same choice on all processes, made when an operation is
// prepared, from lengths and the network alone.
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/checks.hpp>

#include <support/allocation_counter.hpp>
#include <support/catch.hpp>
#include <support/combined_blocks.hpp>
#include <support/world.hpp>

#include <algorithm>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

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

// Collectives that repeat each other: they find their plans again, nonblocking ones also with some
// of them in flight.
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/barrier.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/collectives/gather.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/ground/checks.hpp>

#include <support/allocation_counter.hpp>
#include <support/catch.hpp>
#include <support/world.hpp>

#include <deque>
#include <numeric>
#include <optional>
#include <span>

using namespace seam;
using namespace seam::detail;
using testing::num_allocations;
using testing::world;

namespace {

using values = std::vector<std::int64_t>;

/// A graph from each rank to the next four, in a circle.
Communicator make_circle(Communicator const& all) {
  std::vector<edge> sources, destinations;
  for (int step = 1; step <= 4; ++step) {
    destinations.push_back({(all.rank() + step) % all.size()});
    sources.push_back({(all.rank() + 4 * all.size() - step) % all.size()});
  }
  return make_graph(all, Topology::graph(sources, destinations));
}

/// The values that rank 0 sends to the others.
Communicator make_star(Communicator const& all) {
  std::vector<edge> others;
  for (int rank = 1; rank < all.size(); ++rank)
    others.push_back({rank});
  return make_graph(all,
                    all.rank() == 0 ? Topology::graph({}, others) : Topology::graph({{0}}, {}));
}

/// The memory allocated to start an alltoall of one element for each edge, and to wait for it.
long allocations_of_start(Communicator const& over, values const& send, values& receive) {
  auto const exchanged = alltoall(send, receive);
  long const before = num_allocations;
  start(over, exchanged).wait();
  return num_allocations - before;
}

} // namespace

TEST_CASE("a nonblocking call that repeats another does not plan again") {
  checks_in_scope const unchecked(false);
  auto const circle = make_circle(world());
  values send(4), receive(4);
  long const first = allocations_of_start(circle, send, receive);
  for (int round = 0; round < 5; ++round) {
    std::iota(send.begin(), send.end(), 100 * round + 10 * circle.rank());
    std::ranges::fill(receive, -1);
    long const again = allocations_of_start(circle, send, receive);
    CHECK(again < first);
    CHECK(again == 0);
    for (int e = 0; e < 4; ++e) {
      int const from = circle.topology().sources()[std::size_t(e)].rank;
      CHECK(receive[std::size_t(e)] == 100 * round + 10 * from + e);
    }
  }
}

TEST_CASE("a blocking call that repeats another takes no memory") {
  checks_in_scope const unchecked(false);
  bool const on_graph = GENERATE(true, false);
  auto const over = on_graph ? make_circle(world()) : world();
  values send(4 * std::size_t(over.size()) + 12, over.rank()), receive(send.size()), one(4);
  elements const out{send.data(), 4, MPI_INT64_T}, in{receive.data(), 4, MPI_INT64_T};
  std::vector<int> const counts(on_graph ? 4 : std::size_t(over.size()), 2);
  auto const call_all = [&] {
    run(over, alltoall(out, in));
    run(over, allgather(out, in));
    run(over, alltoallv(send, counts, receive, counts));
    run(over, allgatherv(std::span(send).first(2), receive, counts));
    run(over, gather(out, in, 0));
    run(over, allreduce(out, elements_of(one), MPI_SUM));
    run(over, bcast(one, 0));
    run(over, barrier());
  };
  call_all();
  long const before = num_allocations;
  for (int round = 0; round < 3; ++round)
    call_all();
  CHECK(num_allocations == before);
}

TEST_CASE("v-forms keep the counts that they were given, few and many") {
  auto const all = world();
  auto const size = std::size_t(all.size());
  for (std::size_t const repeats : {1, 30 / int(size) + 1}) {
    std::vector<edge> edges;
    for (std::size_t e = 0; e < repeats * size; ++e)
      edges.push_back({int(e % size)});
    auto const over = make_graph(all, Topology::graph(edges, edges));
    std::vector<int> counts;
    for (std::size_t e = 0; e < edges.size(); ++e)
      counts.push_back(int(1 + e / size)); // equal at both ends
    values send(std::size_t(std::accumulate(counts.begin(), counts.end(), 0)), all.rank());
    values receive(send.size(), -1), expected;
    for (std::size_t e = 0; e < edges.size(); ++e)
      expected.insert(expected.end(), std::size_t(counts[e]), edges[e].rank);
    auto const call = alltoallv(send, counts, receive, counts);
    auto const copy = call;
    std::ranges::fill(counts, 0);
    run(over, copy);
    CHECK(receive == expected);
    std::ranges::fill(receive, -1);
    start(over, call).wait();
    CHECK(receive == expected);
  }
}

TEST_CASE("calls of one plan may be in flight at once, on some ranks alone") {
  checks_in_scope const unchecked(false);
  auto const star = make_star(world());
  constexpr int flights = 20; // more than are kept
  values send(3, 7);
  std::vector<values> received(flights, values(3, -1));
  for (int round = 0; round < 3; ++round) {
    std::ranges::fill(send, round);
    std::deque<in_flight> flying;
    for (values& target : received)
      flying.push_back(start(star, bcast(star.rank() == 0 ? send : target, 0)));
    while (!flying.empty()) {
      flying.back().wait();
      flying.pop_back();
    }
    for (values const& target : received)
      CHECK((star.rank() == 0 || target == send));
  }
}

TEST_CASE("a flight that was waited for and is still held is not started again") {
  checks_in_scope const unchecked(false);
  auto const circle = make_circle(world());
  values send(4, circle.rank()), receive(4);
  auto const exchanged = alltoall(send, receive);
  in_flight first = start(circle, exchanged);
  first.wait();
  in_flight second = start(circle, exchanged);
  second.wait();
  CHECK(first.test());
  CHECK(second.test());
}

TEST_CASE("a flight outlives its communicator") {
  checks_in_scope const unchecked(false);
  values send(4, 1), receive(4, 0);
  std::optional<Communicator> circle(make_circle(world()));
  auto const exchanged = alltoall(send, receive);
  start(*circle, exchanged).wait();
  std::ranges::fill(receive, 0);
  in_flight flying = start(*circle, exchanged);
  circle.reset();
  flying.wait();
  CHECK(receive == send);
}

// Blocking calls on graphs use the memory of the node: there they make no call of MPI, and give the
// results of messages, for all calls, orders and lengths of blocks.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/collectives/reduce_scatter.hpp>
#include <seam/exchange/collectives/scan.hpp>
#include <seam/exchange/collectives/scatter.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/transport/node/call_links.hpp>

#include <exchange/calls/calls_on_graphs.hpp>
#include <support/message_counter.hpp>

#include <optional>
#include <thread>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

/// The values that arrive in a series of blocking calls, between which prepared calls are in flight
/// or run.
std::vector<values> results_of_calls(graph_case const& on, bool shared, bool other_forms) {
  shared_memory_in_scope const use(shared);
  std::mt19937 random(11);
  std::vector<values> results;
  for (int number = 0; number < 40; ++number) {
    auto const draw = [&](int most) { return static_cast<int>(random() % unsigned(most)); };
    constexpr std::array lengths{1, 8, 60, 251, 260, 1100, 5000, 20000};
    some_call const own(on, draw(some_call::num_kinds), number, lengths[std::size_t(draw(8))]);
    some_call const other(on, draw(some_call::num_kinds), number + 50,
                          lengths[std::size_t(draw(6))]);
    int const form = draw(3);
    std::optional<in_flight> flying;
    if (other_forms && form == 1)
      flying.emplace(start(on.comm, other.make_call(on)));
    if (other_forms && form == 2)
      prepare(on.comm, other.make_call(on)).run();
    run(on.comm, own.make_call(on));
    if (number % 3 == 0)
      run(on.comm,
          own.make_call(on)); // by the same plan, if it is an operation that may be repeated
    if (flying)
      flying->wait();
    results.push_back(own.received());
    results.push_back(other.received());
  }
  return results;
}

} // namespace

TEST_CASE("a blocking call among neighbors of a node asks nothing of MPI from the second one on") {
  checks_in_scope const unchecked(false); // they send messages of their own
  auto const world = testing::world();
  for (bool shared : {true, false}) {
    shared_memory_in_scope const use(shared);
    auto const ring = ring_of(world);
    std::vector<double> own(600, world.rank()), sent(1200, world.rank()), received(1200);
    run(ring, alltoall(sent, received));
    auto const calls = calls_of([&] {
      for (int k = 0; k < 50; ++k) {
        run(ring, alltoall(sent, received));
        run(ring, allgather(own, received));
        run(ring, barrier());
        own[0] = k;
        run(ring, allreduce(own, std::span(received).first(600), std::plus<>()));
        CHECK(received[0] == 2.0 * k);
      }
    });
    bool const by_messages = world.size() > 1 && (!shared || has_far_neighbor(ring));
    CHECK((calls.sends > 0) == by_messages);
    CHECK((calls.receives > 0) == by_messages);
    CHECK(calls.collectives == 0);
  }
}

TEST_CASE("among a few processes of one node, calls ask nothing of MPI either") {
  checks_in_scope const unchecked(false);
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  for (bool shared : {true, false}) {
    shared_memory_in_scope const use(shared);
    auto const all = world.dup();
    std::vector<double> const own(4, rank + 1), to_all(4 * std::size_t(size), rank + 1);
    std::vector<double> received(to_all.size()), sum(4), before(4);
    operation kept = prepare(all, allgather(own, received));
    auto const call_all = [&] {
      run(all, alltoall(to_all, received));
      run(all, allgather(own, received));
      run(all, gather(own, received, size - 1));
      run(all, scatter(to_all, sum, 0));
      run(all, seam::reduce(own, sum, std::plus<>(), 0));
      run(all, scan(own, sum, std::plus<>()));
      CHECK(sum == std::vector<double>(4, (rank + 1) * (rank + 2) / 2));
      run(all, exscan(own, before, std::plus<>()));
      CHECK((rank == 0 || before == std::vector<double>(4, rank * (rank + 1) / 2)));
      run(all, reduce_scatter_block(to_all, sum, std::plus<>()));
      run(all, bcast(sum, 0));
      run(all, barrier());
      kept.run();
      CHECK(received.back() == size);
      run(all, allreduce(own, sum, std::plus<>()));
      CHECK(sum == std::vector<double>(4, size * (size + 1) / 2));
    };
    for (int round = 0; round < 2; ++round)
      call_all();
    auto const calls = calls_of(call_all);
    bool const alone = all.node().is_alone();
    bool const direct = shared && !alone && !has_far_process(all) && size <= 8;
    CHECK(calls.sends == 0);
    if (direct) {
      CHECK(calls.receives == 0);
      CHECK(calls.collectives == 0);
    }
  }
}

TEST_CASE("blocking calls bring the same bits through memory as in messages") {
  for (int ranks : {0, 2, 3}) {
    set_node_size(ranks);
    on_random_graphs(4, [](graph_case const& on, std::mt19937&) {
      checks_in_scope const unchecked(false);
      auto const expected = results_of_calls(on, false, false);
      CHECK(results_of_calls(on, true, false) == expected);
    });
  }
  set_node_size(0);
}

TEST_CASE("other forms may be under way, and checks, when a blocking call is made") {
  on_random_graphs(3, [](graph_case const& on, std::mt19937&) {
    for (bool checked : {false, true}) {
      checks_in_scope const checks(checked);
      CHECK(results_of_calls(on, true, true) == results_of_calls(on, false, true));
    }
  });
}

TEST_CASE("ranks need not find their plans again alike") {
  shared_memory_in_scope const on(true);
  auto const world = testing::world();
  auto const ring = ring_of(world);
  int const next = (world.rank() + 1) % world.size();
  int const before = (world.rank() + world.size() - 1) % world.size();
  std::vector<int> kept_out(2), kept_in(2);
  for (int k = 0; k < 60; ++k) {
    std::vector<int> new_out(2), new_in(2);
    bool const is_new = (world.rank() + k) % 3 == 0;
    auto& out = is_new ? new_out : kept_out;
    auto& in = is_new ? new_in : kept_in;
    out = {100 * world.rank() + k, -100 * world.rank() - k};
    run(ring, alltoall(out, in));
    CHECK(in == std::vector{100 * before + k, -100 * next - k});
  }
}

TEST_CASE("shared memory may be turned off and on between calls") {
  auto const world = testing::world();
  auto const ring = ring_of(world);
  std::vector<int> own(3), received(6);
  for (int k = 0; k < 12; ++k) {
    shared_memory_in_scope const use(k % 4 < 2);
    own.assign(3, world.rank() + k);
    run(ring, allgather(own, received));
    CHECK(received[0] == (world.rank() + world.size() - 1) % world.size() + k);
  }
}

TEST_CASE("no call is overtaken where no message comes back") {
  shared_memory_in_scope const on(true);
  auto const world = testing::world();
  auto const chain = chain_of(world);
  bool const has_source = world.rank() > 0;
  for (std::size_t length : {1, 300, 9000}) {
    values own(length), received(has_source ? length : 0);
    for (int k = 0; k < 100; ++k) {
      own.assign(length, 1000 * world.rank() + k);
      run(chain, allgather(own, received));
      if (has_source)
        CHECK(received == values(length, 1000 * (world.rank() - 1) + k));
      if (k % 25 == world.rank())
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
}

TEST_CASE("no call is overtaken by short and long messages in turn, or by prepared ones") {
  shared_memory_in_scope const on(true);
  auto const world = testing::world();
  auto const chain = chain_of(world);
  bool const has_source = world.rank() > 0;
  std::vector<values> own, received;
  std::vector<operation> prepared;
  for (std::size_t const length : {1, 60, 300, 2500, 5000}) {
    own.emplace_back(length);
    received.emplace_back(has_source ? length : 0);
  }
  for (std::size_t which = 0; which < own.size(); ++which)
    prepared.push_back(prepare(chain, allgather(own[which], received[which])));
  std::mt19937 random(23);
  for (int k = 0; k < 600; ++k) {
    std::size_t const which = random() % 3 == 0 ? random() % own.size() : random() % 2;
    bool const is_prepared = random() % 4 == 0;
    std::ranges::fill(own[which], 1000 * world.rank() + k);
    if (is_prepared)
      prepared[which].run();
    else
      run(chain, allgather(own[which], received[which]));
    if (has_source)
      REQUIRE(received[which] == values(received[which].size(), 1000 * (world.rank() - 1) + k));
    if (k % 97 == world.rank())
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
}

TEST_CASE("communicators come and go while other ranks still read the last messages") {
  shared_memory_in_scope const on(true);
  auto const world = testing::world();
  for (int k = 0; k < 10; ++k) {
    auto const chain = chain_of(world);
    values own(700, 10 * world.rank() + k), received(world.rank() > 0 ? 700 : 0);
    for (int round = 0; round < 1 + k % 3; ++round)
      run(chain, allgather(own, received));
    if (world.rank() > 0)
      CHECK(received == values(700, 10 * (world.rank() - 1) + k));
  }
}

TEST_CASE("threads with a communicator each may make its first call at once") {
  shared_memory_in_scope const on(true);
  checks_in_scope const unchecked(false);
  constexpr std::size_t num_threads = 3;
  std::vector<Communicator> rings;
  for (std::size_t t = 0; t < num_threads; ++t)
    rings.push_back(ring_of(testing::world()));
  std::vector<int> wrong(num_threads);
  auto const call = [&](std::size_t t) {
    Communicator const& ring = rings[t];
    int const before = (ring.rank() + ring.size() - 1) % ring.size();
    std::vector<int> own(200), received(400);
    for (int k = 0; k < 50; ++k) {
      own.assign(200, 100 * ring.rank() + k);
      run(ring, allgather(own, received));
      wrong[t] += received[199] != 100 * before + k;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < num_threads; ++t)
      threads.emplace_back(call, t);
  }
  CHECK(wrong == std::vector<int>(num_threads, 0));
}

TEST_CASE("messages of other lengths than are expected are an error where they arrive") {
  shared_memory_in_scope const on(true);
  checks_in_scope const unchecked(false);
  auto const world = testing::world();
  for (auto const& [sent, expected] : {std::pair{2, 1}, {1, 9}, {300, 1}, {1, 300}, {300, 9000}}) {
    auto const chain = chain_of(world);
    if (call_links_of(chain) == nullptr || world.size() != 2)
      return;
    values const out(std::size_t(world.rank() == 0 ? sent : 0));
    values in(std::size_t(world.rank() == 1 ? expected : 0));
    auto const call = [&] { run(chain, alltoall(out, in)); };
    if (world.rank() == 0)
      call();
    else
      CHECK_THROWS_WITH(call(), Catch::Contains("of other lengths to rank 1 than are expected"));
  }
}

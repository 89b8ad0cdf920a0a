// Prepared calls: each rank may start them in another order, also where the MPI library carries
// them out.
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/barrier.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>

#include <exchange/collectives/collective_cases.hpp>
#include <support/two_sides.hpp>

#include <array>
#include <deque>
#include <numeric>

using namespace seam;
using namespace seam::testing;

namespace {

/// The buffers of one allreduce, one allgather and one alltoall.
struct buffers {
  /// @param peers   processes that blocks come from, and go to
  /// @param length  of a block
  buffers(std::size_t peers, std::size_t length, std::int64_t first)
      : own(length),
        blocks(peers * length),
        sum(length),
        gathered(blocks.size()),
        turned(blocks.size()) {
    std::iota(own.begin(), own.end(), first);
    std::iota(blocks.begin(), blocks.end(), first);
  }

  std::array<collective, 3> calls() {
    return {allreduce(own, sum, std::plus<>()), allgather(own, gathered), alltoall(blocks, turned)};
  }

  void reset() {
    for (values* const results : {&sum, &gathered, &turned})
      std::ranges::fill(*results, untouched);
  }

  bool operator==(buffers const&) const = default;

  values own, blocks, sum, gathered, turned;
};

/// The numbers of operations from `first` on, around.
std::vector<std::size_t> order_from(std::size_t first, std::size_t count) {
  std::vector<std::size_t> order(count);
  for (std::size_t k = 0; k < count; ++k)
    order[k] = (first + k) % count;
  return order;
}

/// Prepares calls and starts them in orders that differ from rank to rank, with a nonblocking call
/// before, between or after them.
void start_in_every_order(Communicator const& over, std::size_t peers, std::size_t length) {
  auto const rank = static_cast<std::size_t>(over.rank());
  std::deque<buffers> used, expected;
  std::vector<operation> prepared;
  for (int k = 0; k < 3; ++k) {
    used.emplace_back(peers, length, 1000 * over.rank() + 100'000 * k);
    expected.push_back(used.back());
    for (collective const& call : expected.back().calls())
      run(over, call);
    for (collective const& call : used.back().calls())
      prepared.push_back(prepare(over, call));
    prepared.push_back(prepare(over, barrier()));
  }
  for (std::size_t round = 0; round < 4; ++round) {
    for (buffers& each : used)
      each.reset();
    std::deque<in_flight> flying;
    for (std::size_t const k : order_from(rank + 3 * round, prepared.size())) {
      flying.push_back(prepared[k].start());
      if (k == 2 * round)
        flying.push_back(start(over, barrier()));
    }
    for (in_flight& each : flying)
      each.wait();
    CHECK(used == expected);
  }
}

} // namespace

TEST_CASE("prepared calls may be started in another order on each rank") {
  auto const world = testing::world();
  for (std::size_t const length : {1, 10'000})
    start_in_every_order(world, static_cast<std::size_t>(world.size()), length);
}

TEST_CASE("so may those that are carried out without the memory of the node") {
  shared_memory_in_scope const off(false);
  auto const world = testing::world();
  start_in_every_order(world, static_cast<std::size_t>(world.size()), 5);
}

TEST_CASE("so may those between two sides") {
  auto const world = testing::world();
  if (world.size() < 2)
    return;
  two_sides const sides(world);
  start_in_every_order(sides.comm, static_cast<std::size_t>(sides.remote), 5);
}

TEST_CASE("so may those that come after others that have ended, on some ranks earlier") {
  auto const world = testing::world();
  int const rank = world.rank();
  values const own(10'000, rank);
  values first(own.size()), second(own.size()), third(own.size());
  values const expected(own.size(), world.size() * (world.size() - 1) / 2);
  std::deque<operation> prepared;
  for (int round = 0; round < 3; ++round) {
    prepared.push_back(prepare(world, allreduce(own, first, std::plus<>())));
    auto second_sum = prepare(world, allreduce(own, second, std::plus<>()));
    if (rank % 2 == 0) // the others keep the operation until the end
      prepared.pop_back();
    auto third_sum = prepare(world, allreduce(own, third, std::plus<>()));
    std::ranges::fill(second, untouched);
    std::ranges::fill(third, untouched);
    in_flight one = (rank % 2 == 0 ? second_sum : third_sum).start();
    in_flight other = (rank % 2 == 0 ? third_sum : second_sum).start();
    one.wait();
    other.wait();
    CHECK(second == expected);
    CHECK(third == expected);
  }
}

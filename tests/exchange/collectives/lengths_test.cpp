// Messages of other lengths than the receiver expects, with checks off, are an error of the
// receiver, and nothing is read or written beside the buffers.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/collectives/reduce_scatter.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>

#include <support/call_in_form.hpp>
#include <support/catch.hpp>
#include <support/guarded_memory.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

using namespace seam;
using testing::call_in_form;
using namespace seam::detail;

namespace {

using values = std::vector<double>;

/// The class of the error that the call throws, or MPI_SUCCESS.
int class_thrown_in_form(int form, Communicator const& over, collective const& tested) {
  try {
    call_in_form(form, over, tested);
  } catch (usage_error const& mistake) {
    return mistake.error_class();
  }
  return MPI_SUCCESS;
}

/// Lengths that fit into lines, into slots, at the border between them, and beyond both; of
/// messages of MPI, lengths that are sent at once, and longer ones.
std::vector<std::pair<int, int>> const lengths{
    {1, 2},       {2, 1},       {200, 400},   {400, 200},  {700, 500},  {500, 700},
    {700, 12},    {12, 700},    {8000, 700},  {700, 8000}, {9000, 100}, {100, 9000},
    {9000, 8000}, {8000, 9000}, {9000, 9001}, {9001, 9000}};

/// Calls visit(form, first, second) for all forms and pairs of lengths for which `suits(shared,
/// form, first, second)` is true, on both kinds of memory.
template <class Visit, class Suits>
void for_pairs(Suits suits, Visit visit) {
  checks_in_scope const unchecked(false);
  for (bool const shared : {true, false})
    for (int form = 0; form < 3; ++form)
      for (auto const& [first, second] : lengths) {
        INFO(fmt::format("shared memory {}, form {}, {} and {} elements", shared, form, first,
                         second));
        shared_memory_in_scope const choice(shared);
        if (suits(shared, form, first, second))
          visit(form, first, second);
      }
}

template <class Visit>
void for_all_pairs(Visit visit) {
  for_pairs([](bool, int, int, int) { return true; }, visit);
}

/// Keeps a communicator until the program ends: a message that no receive has matched stays with it,
/// and MPICH 4.0 gives the message to a later communicator with the same context. Endpoints call it
/// from several threads at once.
Communicator const* kept(Communicator over) {
  static std::mutex access;
  static auto* const all = new std::deque<Communicator>; // not freed after MPI has ended
  std::lock_guard const lock(access);
  return &all->emplace_back(std::move(over));
}

/// After an error messages of the call may be under way, and their buffers in use.
void wait_for_others(Communicator const& over) { mpi::barrier(over); }

/// True if a sender returns from a call though its receiver refuses the message: unless the memory
/// of the node tells the receiver before a message of MPI comes.
bool sender_returns(bool shared, int form, int sent) {
  constexpr int most_in_memory = 8192;
  return !shared || form != 0 || sent <= most_in_memory;
}

} // namespace

TEST_CASE("a message of another length is an error where it arrives") {
  auto const world = testing::world();
  auto const pair = world.split(world.rank() < 2 ? 0 : 1, 0);
  if (world.rank() >= 2 || world.size() < 2)
    return;
  bool const sends = world.rank() == 0;
  auto const both_return = [](bool shared, int form, int sent, int expected) {
    return sent > expected && sender_returns(shared, form, sent);
  };
  for_pairs(both_return, [&](int form, int sent, int expected) {
    auto const graph =
        make_graph(*pair, sends ? Topology::graph({}, {{1}}) : Topology::graph({{0}}, {}));
    values const out(std::size_t(sends ? sent : 0), 1);
    values in(std::size_t(sends ? 0 : expected), -1);
    int const found = class_thrown_in_form(form, graph, alltoall(out, in));
    if (!sends)
      CHECK(found == MPI_ERR_TRUNCATE);
  });
}

TEST_CASE("messages of other lengths in both directions are errors at both ends") {
  auto const world = testing::world();
  auto const pair = world.split(world.rank() < 2 ? 0 : 1, 0);
  if (world.rank() >= 2 || world.size() < 2)
    return;
  bool const is_first = world.rank() == 0;
  int const other = is_first ? 1 : 0;
  for_all_pairs([&](int form, int first, int second) {
    values const out(std::size_t(is_first ? first : second), 1);
    values in(out.size(), -1);
    auto const& graph = *kept(make_graph(*pair, Topology::graph({{other}}, {{other}})));
    CHECK(class_thrown_in_form(form, graph, alltoall(out, in)) == MPI_ERR_TRUNCATE);
    std::vector<int> counts(2);
    counts[std::size_t(other)] = int(std::ssize(out));
    auto const& complete = *kept(pair->dup());
    CHECK(class_thrown_in_form(form, complete, alltoallv(out, counts, in, counts)) ==
          MPI_ERR_TRUNCATE);
    wait_for_others(*pair);
  });
}

TEST_CASE("blocks along two edges whose lengths are exchanged are an error") {
  auto const world = testing::world();
  auto const pair = world.split(world.rank() < 2 ? 0 : 1, 0);
  if (world.rank() >= 2 || world.size() < 2)
    return;
  edge const other{1 - world.rank()};
  // Small blocks share a message. Where one block is sent by memory and the other by MPI, only the
  // memory tells of the error, and the other block may still arrive when its buffer is gone.
  auto const travel_alike = [](bool shared, int form, int first, int second) {
    auto const [least, most] = std::minmax(first, second);
    return most > 100 && sender_returns(shared, form, most) == sender_returns(shared, form, least);
  };
  for_pairs(travel_alike, [&](int form, int first, int second) {
    auto const graph = make_graph(*pair, Topology::graph({other, other}, {other, other}));
    values const out(std::size_t(first + second), 1);
    values in(out.size(), -1);
    CHECK(class_thrown_in_form(form, graph, alltoallv(out, {first, second}, in, {second, first})) ==
          MPI_ERR_TRUNCATE);
    wait_for_others(*pair);
  });
}

TEST_CASE("messages that have arrived beside one of another length are not lost") {
  auto const world = testing::world();
  if (world.size() < 3)
    return;
  checks_in_scope const unchecked(false);
  shared_memory_in_scope const by_messages(false);
  constexpr int most = 9000;
  int const rank = world.rank(), size = world.size();
  auto const ring =
      make_graph(world, Topology::graph({{(rank + size - 1) % size}}, {{(rank + 1) % size}}));
  // Rank 0 sends too much once; the messages that follow arrive.
  values out(most, rank), in(most, -1), longer(most + 1, rank);
  auto before = start(ring, alltoall(out, in));
  values spoilt(most, -1);
  int found = MPI_SUCCESS;
  try {
    start(ring, alltoall(rank == 0 ? longer : out, spoilt)).wait();
  } catch (usage_error const& mistake) {
    found = mistake.error_class();
  }
  CHECK(found == (rank == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
  before.wait();
  CHECK(std::ranges::count(in, (rank + size - 1) % size) == most);
  run(ring, alltoall(out, in));
  CHECK(std::ranges::count(in, (rank + size - 1) % size) == most);
}

TEST_CASE("a call that has failed can be made again") {
  auto const world = testing::world();
  auto const pair = world.split(world.rank() < 2 ? 0 : 1, 0);
  if (world.rank() >= 2 || world.size() < 2)
    return;
  int const other = 1 - world.rank();
  auto const both_return = [](bool shared, int form, int first, int second) {
    return form < 2 && sender_returns(shared, form, std::max(first, second));
  };
  for_pairs(both_return, [&](int form, int first, int second) {
    auto const graph = make_graph(*pair, Topology::graph({{other}}, {{other}}));
    values const out(std::size_t(std::max(first, second)), world.rank());
    values in(out.size(), -1);
    auto const exchange = [&](int length) {
      auto const count = std::size_t(length);
      return class_thrown_in_form(
          form, graph, alltoall(std::span(out).first(count), std::span(in).first(count)));
    };
    CHECK(exchange(world.rank() == 0 ? first : second) == MPI_ERR_TRUNCATE);
    wait_for_others(*pair);
    for (int length : {first, second}) {
      std::ranges::fill(in, -1);
      CHECK(exchange(length) == MPI_SUCCESS);
      CHECK(std::ranges::count(in, other) == length);
    }
  });
}

TEST_CASE("after an error no message is written to memory that the program has got back") {
  auto const world = testing::world();
  if (world.size() < 3)
    return;
  auto const three = world.split(world.rank() < 3 ? 0 : 1, 0);
  if (world.rank() >= 3)
    return;
  checks_in_scope const unchecked(false);
  shared_memory_in_scope const by_messages(false);
  // Rank 0 receives from ranks 1 and 2. The message of rank 1 is too long, and rank 2 sends when
  // rank 0 has had the error.
  for (int const count : {10, 9000})
    for (int form = 0; form < 2; ++form) { // prepared, ends compare lengths before
      INFO(fmt::format("{} elements, form {}", count, form));
      std::vector<edge> const senders{{1}, {2}};
      bool const receives = world.rank() == 0;
      auto const graph =
          make_graph(*three, receives ? Topology::graph(senders, {}) : Topology::graph({}, {{0}}));
      values const out(std::size_t(receives ? 0 : count + 2 - world.rank()), 1);
      values in(std::size_t(receives ? 2 * count : 0), -1);
      if (world.rank() == 2)
        wait_for_others(*three);
      int const found = class_thrown_in_form(form, graph, alltoall(out, in));
      if (receives)
        CHECK(found == MPI_ERR_TRUNCATE);
      std::ranges::fill(in, -2);
      if (world.rank() != 2)
        wait_for_others(*three);
      wait_for_others(*three);
      // Messages that have come meanwhile are looked at.
      int found_message = 0;
      for (int looks = 0; looks < 100; ++looks)
        MPI_Iprobe(MPI_ANY_SOURCE, 0, three->view().native(), &found_message, MPI_STATUS_IGNORE);
      CHECK(std::ranges::count(in, -2) == std::ssize(in));
    }
}

TEST_CASE("a reduction of other lengths is an error, and takes no old values") {
  auto const world = testing::world();
  auto const pair = world.split(world.rank() < 2 ? 0 : 1, 0);
  if (world.rank() >= 2 || world.size() < 2)
    return;
  for_all_pairs([&](int form, int first, int second) {
    edge const other{1 - world.rank()};
    auto const& graph = *kept(make_graph(*pair, Topology::graph({other}, {other})));
    values const own(std::size_t(world.rank() == 0 ? first : second), 1);
    values sum(own.size(), -1);
    CHECK(class_thrown_in_form(form, graph, allreduce(own, sum, MPI_SUM)) == MPI_ERR_TRUNCATE);
    CHECK(std::ranges::count(sum, -1) == std::ssize(sum));
    wait_for_others(*pair);
  });
}

TEST_CASE("a prepared reduction of other lengths is refused on all ranks") {
  auto const world = testing::world();
  if (world.size() < 2)
    return;
  for_all_pairs([&](int, int first, int second) {
    values const own(std::size_t(world.rank() == 0 ? first : second), 1);
    values sum(own.size(), -1);
    auto const class_of_prepared = [&](collective const& tested) {
      return class_thrown_in_form(2, world, tested);
    };
    CHECK(class_of_prepared(allreduce(own, sum, MPI_SUM)) == MPI_ERR_TRUNCATE);
    CHECK(class_of_prepared(seam::reduce(own, sum, MPI_SUM, 0)) == MPI_ERR_TRUNCATE);
    elements const whole{sum.data(), std::ssize(sum), MPI_DOUBLE};
    CHECK(class_of_prepared(reduce_scatter_block(
              {MPI_IN_PLACE, 0, MPI_DOUBLE}, {whole.data, whole.count / world.size(), MPI_DOUBLE},
              MPI_SUM)) ==
          (first / world.size() == second / world.size() ? MPI_SUCCESS : MPI_ERR_TRUNCATE));
  });
}

TEST_CASE("nothing has been written beside a piece of memory") {
  CHECK(testing::num_overruns == 0);
}

// A wait for a message, or for a lock, names the rank that it needs and what that rank does instead.
#include <seam/exchange/collectives/barrier.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/partitioned/point_to_point.hpp>
#include <seam/exchange/point_to_point/point_to_point.hpp>
#include <seam/exchange/point_to_point/window.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>

#include <support/catch.hpp>
#include <support/late_rank.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <regex>
#include <span>
#include <thread>
#include <vector>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

/// Rank `to` receives a number from rank `from`.
void pass_one(Communicator const& world, int to, int from) {
  int value = from;
  if (world.rank() == to)
    receive(world, {&value, 1, MPI_INT}, from);
  if (world.rank() == from)
    send(world, {&value, 1, MPI_INT}, to);
}

constexpr int tag_of_signs = 77;

/// Tells all lower ranks, by messages beside seam, once the thread that has made it waits.
class sign_of_waiting final : public progressable {
public:
  sign_of_waiting() { add_to_progress(*this); }
  ~sign_of_waiting() override { remove_from_progress(*this); }

  bool make_progress() noexcept override {
    mpi::comm_view const all(MPI_COMM_WORLD);
    if (!has_told_ && calls_.waits())
      for (int rank = 0; rank < all.rank(); ++rank)
        MPI_Send(nullptr, 0, MPI_BYTE, rank, tag_of_signs, all.native());
    has_told_ = has_told_ || calls_.waits();
    return !has_told_;
  }

private:
  thread_calls const& calls_ = calls_of_this_thread();
  bool has_told_ = false;
};

/// Returns once rank `of` waits.
void await_sign(int of) {
  MPI_Recv(nullptr, 0, MPI_BYTE, of, tag_of_signs, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// What rank 0 does, which rank 1 is late for.
struct late_message {
  char const* name; ///< as the line says it
  std::function<void(Communicator const&)> pass;
};

std::vector<late_message> messages() {
  return {
      {"receive", [](Communicator const& world) { pass_one(world, 0, 1); }},
      {"receive",
       [](Communicator const& world) {
         int value = 1;
         if (world.rank() == 0)
           start_receive(world, {&value, 1, MPI_INT}, 1).wait();
         if (world.rank() == 1)
           start_send(world, {&value, 1, MPI_INT}, 0).wait();
       }},
      {"send",
       [](Communicator const& world) {
         std::vector<int> values(1 << 20); // which the library does not keep
         if (world.rank() == 0)
           send(world, values, 1);
         if (world.rank() == 1)
           receive(world, values, 0);
       }},
      {"precv_init from rank 1, tag 5",
       [](Communicator const& world) {
         std::vector<int> values(8, world.rank());
         if (world.rank() > 1)
           return;
         auto passed = world.rank() == 0 ? precv_init(world, in_partitions(values, 2), 1, 5)
                                         : psend_init(world, in_partitions(values, 2), 0, 5);
         passed.start();
         if (world.rank() == 1)
           passed.ready_range(0, 1);
         passed.wait();
         CHECK(values.front() == 1);
       }},
  };
}

void check_messages(std::vector<late_message> const& all) {
  auto const world = testing::world();
  for (bool const checked : {true, false}) {
    checks_in_scope const mode(checked);
    for (late_message const& late : all) {
      auto const said = said_before(1, [&] { late.pass(world); });
      INFO(late.name << ": " << said);
      auto const pattern = fmt::format("seam: rank 0 has waited for [0-9.]+ s in {}, which needs "
                                       "rank 1: it computes[^\\n]*\\n",
                                       late.name);
      CHECK(std::regex_match(said, std::regex(pattern)));
    }
  }
}

} // namespace

TEST_CASE("a wait for a message names the rank at its other end, and what that does instead") {
  reporting const now;
  check_messages(messages());
}

TEST_CASE("a wait for a message of a rank that has left, or waits itself, says so") {
  reporting const now;
  auto const world = testing::world();
  std::optional<leaving> gone;
  auto const left = said_before(
      1,
      [&] {
        gone.reset();
        pass_one(world, 0, 1);
      },
      [&] { gone.emplace(); });
  INFO(left);
  CHECK(left.find("in receive, which needs rank 1: it has left\n") != std::string::npos);
  if (world.size() < 3)
    return;
  // Rank 0 waits for rank 1, which waits for rank 2.
  auto const pass_both = [&] {
    std::optional<sign_of_waiting> sign;
    if (world.rank() == 1)
      sign.emplace();
    if (world.rank() == 0)
      await_sign(1);
    pass_one(world, 1, 2), pass_one(world, 0, 1);
  };
  auto const waits = said_before(
      2, pass_both, [] {}, 2);
  INFO(waits);
  CHECK(waits.find("in receive, which needs rank 1: it waits in receive\n") != std::string::npos);
  CHECK(waits.find("in receive, which needs rank 2: it computes") != std::string::npos);
}

TEST_CASE("a wait for a message that goes on after its report is not reported again") {
  reporting const now;
  auto const world = testing::world();
  common_stderr const told;
  if (world.rank() == 1) {
    told.wait_for_lines(1);
    std::this_thread::sleep_for(5 * limit);
  }
  pass_one(world, 0, 1);
  meet();
  INFO(told.text());
  CHECK(std::ranges::count(told.text(), '\n') == 1);
}

TEST_CASE("a wait for a message of any rank says what all of them do") {
  reporting const now;
  auto const world = testing::world();
  if (world.size() != 3)
    return;
  auto const said = said_before(1, [&] {
    int value = 0;
    if (world.rank() == 0)
      receive(world, {&value, 1, MPI_INT}, MPI_ANY_SOURCE);
    if (world.rank() == 1)
      send(world, {&value, 1, MPI_INT}, 0);
  });
  INFO(said);
  CHECK(std::regex_search(said, std::regex("in receive, which needs one of 2 ranks: rank 1 "
                                           "computes[^;]*; rank 2 computes[^;]*\n")));
}

TEST_CASE("a rank that waits in another call is said to wait there") {
  reporting const now;
  auto const world = testing::world();
  auto const others = world.dup();
  if (world.size() < 4)
    return;
  // Rank 2 waits for a message of rank 3, which comes late to both.
  auto const call = [&] {
    int value = 0;
    std::optional<sign_of_waiting> sign;
    if (world.rank() == 2)
      sign.emplace();
    if (world.rank() < 2)
      await_sign(2);
    if (world.rank() == 2)
      receive(others, {&value, 1, MPI_INT}, 3, 0);
    if (world.rank() == 3)
      send(others, {&value, 1, MPI_INT}, 2, 0);
    run(world, barrier());
  };
  auto const said = said_before(
      3, call, [] {}, 2); // of rank 2, and of all others
  INFO(said);
  CHECK(said.find("in barrier, a call of 4 ranks: rank 2 has not made it, it waits in receive; "
                  "rank 3 has not made it, it computes") != std::string::npos);
}

TEST_CASE("a wait for a lock on a window names its target at every thread level") {
  reporting const now;
  auto const world = testing::world();
  window<int> memory(world, 1);
  int const one = 1;
  // Rank 1 keeps the lock on its own memory until rank 0 has said that it waits for it.
  std::optional<window<int>::locked_target> held;
  if (world.rank() == 1)
    held.emplace(memory.lock(1));
  meet();
  auto const said = said_before(1, [&] {
    held.reset();
    if (world.rank() == 0) {
      auto own = memory.lock(1);
      memory.accumulate(1, 0, std::span<int const>(&one, 1), std::plus<>());
    }
  });
  INFO(said);
  CHECK(std::regex_match(said, std::regex("seam: rank 0 has waited for [0-9.]+ s in the (un)?lock "
                                          "of a window[^\n]*\n")));
}

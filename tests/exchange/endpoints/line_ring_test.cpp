// Rings of short messages between endpoints of one process: what a sender and a receiver may count on
// while the other one makes no call.
#include <support/catch.hpp>

#include <seam/exchange/communicator/endpoints.hpp>
#include <seam/exchange/endpoints/detail/collectives.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/mpi/detail/context_request.hpp>

#include <array>
#include <deque>
#include <random>
#include <span>
#include <thread>
#include <vector>

namespace {

using namespace seam;

/// Two endpoints of this process.
struct pair_of_endpoints {
  std::vector<Communicator> all = create_endpoints(Communicator::dup(MPI_COMM_SELF), 2);

  mpi::context& operator[](int rank) const { return *mpi::context_of(all[rank]); }
};

template <class T>
std::span<std::byte const> bytes_of(T const& value) {
  return std::as_bytes(std::span(&value, 1));
}
template <class T>
std::span<std::byte> room_for(T& value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

constexpr int tag = 3;

} // namespace

TEST_CASE("messages that no rank receives yet do not hold their sender up", "[endpoints]") {
  pair_of_endpoints const ends;
  constexpr int num_messages = 200;
  std::deque<mpi::transfer> sent;
  std::vector<int> values(num_messages);
  for (int k = 0; k < num_messages; ++k) {
    values[k] = k;
    ends[0].send(sent.emplace_back(bytes_of(values[k]), 1, tag));
    CHECK(sent.back().is_done());
  }
  for (int k = 0; k < num_messages; ++k) {
    int received = -1;
    detail::receive(ends[1], room_for(received), 0, tag);
    CHECK(received == k);
  }
}

TEST_CASE("a long message stays behind the short ones before it", "[endpoints]") {
  pair_of_endpoints const ends;
  for (int num_short : {0, 1, 5, 63, 64, 65, 150}) {
    INFO(num_short << " short messages");
    std::vector<int> const values(num_short, num_short);
    std::vector<int> const many(20'000, -1);
    std::deque<mpi::transfer> sent;
    for (int const& value : values)
      ends[0].send(sent.emplace_back(bytes_of(value), 1, tag));
    ends[0].send(sent.emplace_back(std::as_bytes(std::span(many)), 1, tag));
    std::vector<int> room(many.size());
    for (int k = 0; k <= num_short; ++k) {
      mpi::transfer receive(std::as_writable_bytes(std::span(room)), 0, tag);
      ends[1].receive(receive);
      detail::wait_for(ends[1], receive);
      CHECK(receive.bytes ==
            std::ssize(k < num_short ? bytes_of(values[k]) : std::as_bytes(std::span(many))));
    }
    CHECK(room == many);
  }
}

TEST_CASE("a receive that MPI completes needs no call of its endpoint", "[endpoints]") {
  pair_of_endpoints const ends;
  constexpr int num_rounds = 400;
  constexpr unsigned seed = 17;
  INFO("seed " << seed);
  std::jthread const sender([&] {
    std::mt19937 draw(seed);
    for (int k = 0; k < num_rounds; ++k) {
      for (auto spins = draw() % 4000; spins > 0; --spins)
        std::atomic_signal_fence(std::memory_order_seq_cst);
      detail::send(ends[0], bytes_of(k), 1, tag);
    }
  });
  std::mt19937 draw(seed + 1);
  for (int k = 0; k < num_rounds; ++k) {
    for (auto spins = draw() % 4000; spins > 0; --spins)
      std::atomic_signal_fence(std::memory_order_seq_cst);
    int received = -1;
    if (draw() % 2 == 0) {
      MPI_Request request = mpi::start_receive(ends[1], room_for(received), 0, tag);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      detail::receive(ends[1], room_for(received), 0, tag);
    }
    REQUIRE(received == k);
  }
}

TEST_CASE("what lies in a ring is found by probes and is no longer cancelled", "[endpoints]") {
  pair_of_endpoints const ends;
  int const first = 1, second = 2;
  detail::send(ends[0], bytes_of(first), 1, tag); // opens the ring
  detail::send(ends[0], bytes_of(second), 1, tag + 1);
  auto const found = ends[1].look(mpi::any_source, tag + 1);
  REQUIRE(found.has_value());
  CHECK(found->bytes == sizeof(second));
  CHECK(ends[1].take(0, tag) != nullptr);

  int received = 0;
  mpi::transfer receive(room_for(received), 0, tag + 2);
  ends[1].receive(receive);
  detail::send(ends[0], bytes_of(first), 1, tag + 2);
  CHECK_FALSE(ends[1].cancel(receive));
  CHECK(received == first);
}

TEST_CASE("several threads of one endpoint may send at a time", "[endpoints]") {
  pair_of_endpoints const ends;
  constexpr int num_threads = 3, per_thread = 300;
  std::vector<std::jthread> senders;
  for (int thread = 0; thread < num_threads; ++thread)
    senders.emplace_back([&ends, thread] {
      for (int k = 0; k < per_thread; ++k) {
        std::array<int, 14> values{}; // some short, some beyond a ring
        values[0] = k;
        auto const length = k % 7 == 0 ? values.size() : 1;
        detail::send(ends[0], std::as_bytes(std::span(values).first(length)), 1, thread);
      }
    });
  for (int thread = 0; thread < num_threads; ++thread)
    for (int k = 0; k < per_thread; ++k) {
      std::array<int, 14> room{};
      mpi::transfer receive(room_for(room), 0, thread);
      ends[1].receive(receive);
      detail::wait_for(ends[1], receive);
      REQUIRE(room[0] == k);
    }
}

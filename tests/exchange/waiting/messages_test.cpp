// Messages of any length between processes, the requests that they are waited for by, and requests
// of the MPI library as activities.
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/mpi_bytes.hpp>
#include <seam/exchange/waiting/native_activity.hpp>
#include <seam/exchange/waiting/requests.hpp>

#include <support/catch.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

using namespace seam;

namespace {

mpi::comm_view const world = MPI_COMM_WORLD;

std::vector<std::byte> message_of(int sender, std::size_t length) {
  std::vector<std::byte> bytes(length);
  for (std::size_t k = 0; k < length; ++k)
    bytes[k] = static_cast<std::byte>(31 * k + std::size_t(sender));
  return bytes;
}

int after(int rank) { return (rank + 1) % world.size(); }
int before(int rank) { return (rank + world.size() - 1) % world.size(); }

} // namespace

TEST_CASE("a message of any length arrives as it was sent") {
  int const rank = world.rank();
  for (std::size_t const length : {0, 1, 1000, 100'000, 5'000'000}) {
    INFO(length << " bytes");
    auto const sent = message_of(rank, length);
    mpi::requests sending;
    sending.add(mpi::start_send(world, sent, after(rank), 1));
    std::vector<std::byte> received(length);
    mpi::receive_bytes(world, received, before(rank), 1);
    sending.wait();
    CHECK(received == message_of(before(rank), length));
  }
}

TEST_CASE("a look finds a message, its sender and its length, and leaves it there") {
  int const rank = world.rank();
  auto const sent = message_of(rank, 100 + std::size_t(rank));
  mpi::requests sending;
  sending.add(mpi::start_send(world, sent, after(rank), 2));
  for (int look = 0; look < 3; ++look) {
    auto const found = mpi::wait_for_message(world, MPI_ANY_SOURCE, 2);
    CHECK(found.source == before(rank));
    CHECK(found.bytes == 100 + before(rank));
  }
  std::vector<std::byte> received(100 + std::size_t(before(rank)));
  mpi::receive(world, std::span(received), before(rank), 2);
  CHECK(received == message_of(before(rank), received.size()));
  CHECK_FALSE(mpi::look_for_message(world, MPI_ANY_SOURCE, 2));
  sending.wait();
}

TEST_CASE("a synchronous send is complete only when its message is being received") {
  auto const sent = message_of(0, 8);
  mpi::requests sending;
  sending.add(mpi::start_synchronous_send(MPI_COMM_SELF, sent, 0, 3));
  for (int look = 0; look < 100; ++look)
    CHECK_FALSE(sending.test());
  std::vector<std::byte> received(8);
  mpi::receive_bytes(MPI_COMM_SELF, received, 0, 3);
  sending.wait();
  CHECK(received == sent);
  CHECK(sending.size() == 0);
}

TEST_CASE("persistent requests stay, and can be started again and again") {
  int const rank = world.rank();
  int sent = 0, received = -1;
  mpi::requests messages;
  mpi::check(MPI_Send_init(&sent, 1, MPI_INT, after(rank), 4, world.native(), &messages.add()),
             "MPI_Send_init");
  mpi::check(MPI_Recv_init(&received, 1, MPI_INT, before(rank), 4, world.native(), &messages.add()),
             "MPI_Recv_init");
  for (int epoch = 0; epoch < 5; ++epoch) {
    sent = 100 * rank + epoch;
    messages.start(0, messages.size());
    while (!messages.test_all()) {
    }
    CHECK(received == 100 * before(rank) + epoch);
    CHECK(messages.size() == 2);
  }
  mpi::requests const moved = std::move(messages);
  CHECK(moved.size() == 2);
}

TEST_CASE("an activity of the MPI library makes its request at each start") {
  int num_begun = 0;
  detail::native_activity tested(
      nullptr,
      [&](MPI_Request* made) {
        ++num_begun;
        return MPI_Ibarrier(MPI_COMM_WORLD, made);
      },
      "a barrier");
  CHECK(tested.test());
  for (int epoch = 1; epoch <= 3; ++epoch) {
    tested.start();
    CHECK_THROWS_AS(tested.start(), usage_error);
    while (!tested.test()) {
    }
    CHECK(num_begun == epoch);
  }
  CHECK_THROWS_AS(tested.start_gated(), usage_error);
}

TEST_CASE("a request in flight is an activity that is not started again") {
  MPI_Request flying = MPI_REQUEST_NULL;
  mpi::check(MPI_Ibarrier(MPI_COMM_WORLD, &flying), "MPI_Ibarrier");
  detail::native_activity tested(nullptr, flying, "a barrier");
  tested.wait();
  CHECK(tested.test());
  CHECK_THROWS_AS(tested.start(), usage_error);
}

// Messages that are sent again and again arrive in each epoch, short and long ones.
#include <seam/exchange/transport/message/repeated_send.hpp>
#include <seam/exchange/waiting/mpi_bytes.hpp>
#include <seam/exchange/waiting/requests.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

constexpr int num_epochs = 5;

} // namespace

TEST_CASE("a repeated message has the bytes of its epoch, whatever its length") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  for (std::int64_t const bytes : {std::int64_t{0}, std::int64_t{8}, longest_short_message,
                                   longest_short_message + 1, std::int64_t{100'000}}) {
    auto const length = static_cast<std::size_t>(bytes);
    std::vector<std::byte> out(length), in(length);
    mpi::requests sent, received;
    repeated_send const message(world.context(), out.data(), bytes, next, 0, sent.add());
    bool const is_persistent = *sent.at(0) != MPI_REQUEST_NULL;
    CHECK(is_persistent == (bytes > longest_short_message));
    for (int epoch = 0; epoch < num_epochs; ++epoch) {
      auto const value = [&](int from) { return std::byte(10 * from + epoch); };
      std::ranges::fill(out, value(rank));
      received.add(mpi::start_receive(world.context(), in, before, 0));
      message.start(sent.at(0));
      received.wait();
      CHECK(received.size() == 0);
      CHECK(std::ranges::count(in, value(before)) == bytes);
      while (!sent.test_all())
        ;
      CHECK(sent.size() == 1);
    }
  }
}

TEST_CASE("requests that have been moved belong to their new owner") {
  auto const world = testing::world();
  std::byte out{7}, in{0};
  mpi::requests one;
  one.add(mpi::start_receive(world.context(), {&in, 1}, world.rank(), 0));
  mpi::requests other = std::move(one);
  CHECK(one.size() == 0); // NOLINT(bugprone-use-after-move)
  other.add(mpi::start_send(world.context(), {&out, 1}, world.rank(), 0));
  other.wait();
  CHECK(in == out);
}

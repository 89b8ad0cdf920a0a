// What endpoints do together to set something up, for all roots and any division among processes.
#include <support/catch.hpp>
#include <support/on_endpoints.hpp>

#include <seam/exchange/endpoints/detail/collectives.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/context.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

using namespace seam;
using namespace seam::testing;

namespace {

/// Calls body(context) for each endpoint, of several divisions among processes.
void on_contexts(std::function<void(mpi::context&)> const& body) {
  for (std::vector<int> const& counts : std::vector<std::vector<int>>{{1}, {3}, {2, 3, 1}})
    on_endpoints(counts, [&](Communicator& all) { body(*mpi::context_of(all.view())); });
}

template <class T>
std::span<std::byte> bytes_of(std::vector<T>& values) {
  return std::as_writable_bytes(std::span(values));
}

/// A number that tells the message from `from` to `to` apart.
std::int64_t number_of(int from, int to) { return 1000 * from + to; }

} // namespace

TEST_CASE("endpoints get the root's bytes") {
  on_contexts([](mpi::context& all) {
    for (int root = 0; root < all.size(); ++root) {
      std::vector<std::int64_t> values(5, all.rank() == root ? number_of(root, 7) : -1);
      detail::bcast(all, bytes_of(values), root);
      EXPECT(values == std::vector(5, number_of(root, 7)));
    }
  });
}

TEST_CASE("values are combined in the order of the ranks, the same bits on all") {
  on_contexts([](mpi::context& all) {
    // Sums of these depend on their order.
    auto const value_of = [](int rank) { return rank % 2 == 0 ? 1e16 : 1.0 + 0.1 * rank; };
    double sum = value_of(all.rank());
    detail::allreduce(all, &sum, 1, MPI_DOUBLE, MPI_SUM);
    auto const sums = detail::allgather_values(all, sum);
    for (double const other : sums)
      EXPECT(other == sum);
    std::array<int, 2> largest{all.rank(), -all.rank()};
    detail::allreduce(all, largest.data(), 2, MPI_INT, MPI_MAX);
    EXPECT(largest == std::array{all.size() - 1, 0});
    int ranks_before = all.rank() == 0 ? -5 : all.rank();
    detail::exscan(all, &ranks_before, 1, MPI_INT, MPI_SUM);
    // Rank 0 has given -5, and keeps it.
    int const expected = all.rank() == 0 ? -5 : -5 + all.rank() * (all.rank() - 1) / 2;
    EXPECT(ranks_before == expected);
  });
}

TEST_CASE("all ranks get the bytes of all, or of each its own") {
  on_contexts([](mpi::context& all) {
    int const rank = all.rank(), size = all.size();
    auto const numbers = detail::allgather_values(all, number_of(rank, 0));
    std::vector<std::int64_t> sent, received(static_cast<std::size_t>(size)), expected;
    for (int peer = 0; peer < size; ++peer) {
      EXPECT(numbers[static_cast<std::size_t>(peer)] == number_of(peer, 0));
      sent.push_back(number_of(rank, peer));
      expected.push_back(number_of(peer, rank));
    }
    detail::alltoall(all, std::as_bytes(std::span(sent)), bytes_of(received));
    EXPECT(received == expected);
  });
}

TEST_CASE("each rank gets the block that the root has for it") {
  on_contexts([](mpi::context& all) {
    for (int root = 0; root < all.size(); ++root) {
      std::vector<std::int64_t> values;
      for (int rank = 0; rank < all.size() && all.rank() == root; ++rank)
        values.push_back(number_of(root, rank));
      std::vector<std::int64_t> own(1);
      detail::scatter(all, std::as_bytes(std::span(values)), bytes_of(own), root);
      EXPECT(own.front() == number_of(root, all.rank()));
    }
  });
}

TEST_CASE("the root gathers bytes of any length, also of none") {
  on_contexts([](mpi::context& all) {
    for (int root = 0; root < all.size(); ++root) {
      std::vector<char> const own(static_cast<std::size_t>(all.rank() % 3), char('a' + all.rank()));
      std::vector<char> expected;
      std::vector<std::int64_t> lengths;
      for (int rank = 0; rank < all.size(); ++rank) {
        lengths.push_back(rank % 3);
        expected.insert(expected.end(), std::size_t(rank % 3), char('a' + rank));
      }
      std::vector<char> gathered(all.rank() == root ? expected.size() : 0);
      detail::gather(all, std::as_bytes(std::span(own)), bytes_of(gathered), lengths, root);
      EXPECT(all.rank() != root || gathered == expected);
    }
  });
}

TEST_CASE("no endpoint leaves a barrier before all have come") {
  static std::atomic<int> num_here = 0;
  for (int repeat = 0; repeat < 20; ++repeat) {
    int const before = num_here;
    on_endpoints({4}, [&](Communicator& all) {
      mpi::context& ranks = *mpi::context_of(all.view());
      ++num_here;
      detail::barrier(ranks);
      EXPECT(num_here == before + 4); // of this process
      detail::barrier(ranks);
    });
  }
}

TEST_CASE("a pending barrier is complete once all have started it") {
  on_contexts([](mpi::context& all) {
    detail::pending_barrier pending(all);
    for (int epoch = 0; epoch < 5; ++epoch) {
      if (all.size() > 1 && all.rank() == 0)
        detail::receive(all, {}, all.size() - 1, 5);
      pending.start();
      // The last rank has not started before it has let rank 0 start.
      if (all.size() > 1 && all.rank() == all.size() - 1)
        EXPECT(!pending.test());
      if (all.size() > 1 && all.rank() == all.size() - 1)
        detail::send(all, {}, 0, 5);
      while (!pending.test()) {
      }
    }
  });
}

TEST_CASE("a message that does not fill its room is an error") {
  on_contexts([](mpi::context& all) {
    std::array<char, 8> const message{};
    std::array<char, 9> room{};
    int const to = (all.rank() + 1) % all.size(), from = (all.rank() + all.size() - 1) % all.size();
    mpi::transfer sent(std::as_bytes(std::span(message)), to, 3);
    all.send(sent);
    bool is_refused = false;
    try {
      detail::receive(all, std::as_writable_bytes(std::span(room)), from, 3);
    } catch (mpi_error const&) {
      is_refused = true;
    }
    EXPECT(is_refused);
    detail::wait_for(all, sent);
  });
}

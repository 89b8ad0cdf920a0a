// An error of one rank is an error of all.
#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <array>
#include <new>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

/// The line of the usage_error that `call` throws, and whether all ranks throw it.
template <class F>
std::string agreed_line(F call) {
  try {
    call();
  } catch (usage_error const& agreed) {
    CHECK(agreed.on_all_ranks());
    return agreed.what();
  }
  return "nothing was thrown";
}

} // namespace

TEST_CASE("an error that one rank throws, all ranks throw with the same line") {
  auto const world = testing::world();
  int const last = world.size() - 1;
  auto const line = agreed_line([&] {
    collectively(world, [&] {
      if (world.rank() == last)
        refuse("a halo that is too wide");
    });
  });
  CHECK_THAT(line, Catch::StartsWith("a halo that is too wide [agreement/agreement_test.cpp:") &&
                       Catch::EndsWith("]; first on rank " + std::to_string(last) + " of " +
                                       std::to_string(world.size())));
}

TEST_CASE("the class of an error travels with its line") {
  auto const world = testing::world();
  int error_class = 0;
  try {
    collectively(world, [&] {
      if (world.rank() == world.size() - 1)
        refuse(MPI_ERR_COUNT, "-1 elements");
    });
  } catch (usage_error const& agreed) {
    error_class = agreed.error_class();
  }
  CHECK(error_class == MPI_ERR_COUNT);
}

TEST_CASE("a lack of memory is an error line in plain words") {
  auto const world = testing::world();
  auto const line = agreed_line([&] { collectively(world, [] { throw std::bad_alloc(); }); });
  CHECK(line == "out of memory; first on rank 0 of " + std::to_string(world.size()));
}

TEST_CASE("of several errors the lowest rank's is thrown") {
  auto const world = testing::world();
  auto const line = agreed_line([&] {
    collectively(world, [&]() -> int {
      throw std::runtime_error("rank " + std::to_string(world.rank()));
    });
  });
  CHECK(line == "rank 0; first on rank 0 of " + std::to_string(world.size()));
}

TEST_CASE("without an error every rank gets its own result") {
  auto const world = testing::world();
  CHECK(collectively(world, [&] { return 10 * world.rank(); }) == 10 * world.rank());
}

TEST_CASE("values that differ between ranks are refused, the same ones accepted") {
  auto const world = testing::world();
  CHECK_NOTHROW(require_same(world, "cells", "4x4"));
  if (world.size() == 1)
    return;
  auto const own = world.rank() == world.size() - 1 ? "5x4" : "4x4";
  auto const line = agreed_line([&] { require_same(world, "cells", own); });
  CHECK(line == "cells 5x4 (expected the same on all ranks: 4x4 as on rank 0); first on rank " +
                    std::to_string(world.size() - 1) + " of " + std::to_string(world.size()));
}

TEST_CASE("sums before a rank are those of the lower ranks, and 0 on rank 0") {
  auto const world = testing::world();
  std::int64_t const rank = world.rank();
  CHECK(mpi::sum_before(world.context(), rank + 1) == rank * (rank + 1) / 2);
  std::array<std::int64_t, 2> values{1, 10};
  mpi::sum_before(world.context(), std::span<std::int64_t>(values));
  CHECK(values == std::array<std::int64_t, 2>{rank, 10 * rank});
}

TEST_CASE("the root alone gathers the values and lists of all ranks, in their order") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size(), root = size - 1;
  auto const values = mpi::gather(world.context(), 3 * rank, root);
  std::vector<int> const own(std::size_t(rank), rank); // as many as its value
  std::vector<int> firsts, expected_values, expected_list;
  for (int from = 0; from < size && rank == root; ++from) {
    firsts.push_back(int(expected_list.size()));
    expected_values.push_back(3 * from);
    expected_list.insert(expected_list.end(), std::size_t(from), from);
  }
  firsts.push_back(int(expected_list.size()));
  CHECK(values == expected_values);
  CHECK(mpi::gather(world.context(), own, firsts, root) == expected_list);
}

TEST_CASE("each rank gets the value that the root has for it") {
  auto const world = testing::world();
  for (int root = 0; root < world.size(); ++root) {
    std::vector<std::array<int, 3>> all;
    for (int rank = 0; rank < world.size() && world.rank() == root; ++rank)
      all.push_back({rank, root, -rank});
    CHECK(mpi::scatter(world.context(), all, root) ==
          std::array{world.rank(), root, -world.rank()});
  }
}

TEST_CASE("values of any trivial type are gathered by all ranks") {
  auto const world = testing::world();
  auto const all = mpi::allgather(world.context(), std::array{world.rank(), -1, 7});
  REQUIRE(std::ssize(all) == world.size());
  for (int rank = 0; rank < world.size(); ++rank)
    CHECK(all[std::size_t(rank)] == std::array{rank, -1, 7});
}

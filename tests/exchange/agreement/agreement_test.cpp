// An error of one rank is an error of all.
#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <new>
#include <string>

using namespace seam;

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

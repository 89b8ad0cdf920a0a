// Cases that fail on one rank only. They are hidden ("[.]"), so that they run by name alone; the
// list beside this file expects each of them to end the whole run and to name the rank.
#include <support/catch.hpp>

#include <mpi.h>

#include <stdexcept>

namespace {

int rank_of_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

} // namespace

TEST_CASE("a_failed_check_on_the_last_rank", "[.]") {
  int const own_rank = rank_of_world();
  CHECK(own_rank < 2);
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST_CASE("a_failed_requirement_while_others_wait", "[.]") {
  int const own_rank = rank_of_world();
  REQUIRE(own_rank != 1);
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST_CASE("an_exception_while_others_wait", "[.]") {
  if (rank_of_world() == 0)
    throw std::runtime_error("thrown here");
  MPI_Barrier(MPI_COMM_WORLD);
}

// For builds with AddressSanitizer and UndefinedBehaviorSanitizer.
TEST_CASE("a_leak_on_the_last_rank", "[.]") {
  int volatile* kept = new int(rank_of_world());
  if (*kept < 2)
    delete kept;
  kept = nullptr;
  CHECK(kept == nullptr);
}

TEST_CASE("a_signed_overflow_on_the_first_rank", "[.]") {
  int volatile large = 2147483647;
  int const sum = rank_of_world() == 0 ? large + 1 : 0;
  CHECK(sum == 0);
}

TEST_CASE("the_same_seed_on_all_ranks", "[.]") {
#if defined(CATCH_VERSION_MAJOR) && CATCH_VERSION_MAJOR >= 3
  auto const own = Catch::getSeed();
#else
  auto const own = Catch::rngSeed();
#endif
  auto of_first = own;
  MPI_Bcast(&of_first, sizeof(of_first), MPI_BYTE, 0, MPI_COMM_WORLD);
  CHECK(own == of_first);
}

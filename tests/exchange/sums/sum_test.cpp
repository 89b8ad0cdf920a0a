// Sums, extremes and norms over all ranks equal those of one rank that has all numbers.
#include <seam/exchange/sums/sum.hpp>

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>

#include <support/catch.hpp>
#include <support/exact_oracle.hpp>
#include <support/message_counter.hpp>
#include <support/world.hpp>

#include <numeric>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The values dealt to the ranks one by one, but for the last rank, which gets none of several.
template <class T>
std::vector<T> own_part(mpi::comm_view all, std::vector<T> const& values) {
  int const takers = std::max(1, all.size() - 1);
  std::vector<T> own;
  for (std::size_t k = std::size_t(all.rank()); k < values.size() && all.rank() < takers;
       k += std::size_t(takers))
    own.push_back(values[k]);
  return own;
}

} // namespace

TEST_CASE("a sum is exact, however values are dealt to ranks") {
  Communicator const all = world();
  for (unsigned seed = 0; seed < 10; ++seed) {
    INFO("seed " << seed);
    auto const values = cancelling_values(seed, 20 + 100 * seed);
    CHECK(sum(all, own_part<double>(all, values)) == expansion_sum(values));
  }
  CHECK(sum(all, std::vector<double>{}) == 0);
}

TEST_CASE("one value of each rank, or several, are summed up together") {
  Communicator const all = world();
  int const size = all.size(), rank = all.rank();
  CHECK(sum(all, rank + 1) == size * (size + 1) / 2);
  CHECK(sum(all, 0.25F) == 0.25 * size);
  auto const calls = calls_of([&] {
    checks_in_scope const off(false);
    auto const [mass, count, odd] = sum(all, 0.5 * rank, 2U, rank % 2 == 1);
    CHECK(mass == 0.25 * size * (size - 1));
    CHECK(count == 2U * unsigned(size));
    CHECK(odd == size / 2);
    STATIC_REQUIRE(std::is_same_v<decltype(count), std::uint64_t const>);
    STATIC_REQUIRE(std::is_same_v<decltype(odd), std::int64_t const>);
  });
  CHECK(calls.collectives == 1);
  CHECK(minimum(all, -rank) == 1 - size);
  CHECK(maximum(all, std::int8_t(rank), 0.5F * float(rank)) ==
        std::tuple(std::int8_t(size - 1), 0.5F * float(size - 1)));
}

TEST_CASE("sums of integers are exact up to 64 bits, and beyond an error on all ranks") {
  Communicator const all = world();
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  constexpr auto most_unsigned = std::numeric_limits<std::uint64_t>::max();
  CHECK(sum(all, own_part<std::int64_t>(all, {most, most, -most, -17, -most, most})) == most - 17);
  CHECK(sum(all, own_part<std::int64_t>(all, {-most, -1})) == -most - 1);
  CHECK(sum(all, own_part<std::uint64_t>(all, {most_unsigned - 5, 5})) == most_unsigned);
  CHECK(sum(all, own_part<std::int8_t>(all, std::vector<std::int8_t>(1000, -128))) == -128'000);
  CHECK_THROWS_WITH(sum(all, own_part<std::int64_t>(all, {most, 1})),
                    Catch::Contains("beyond std::int64_t"));
  try {
    sum(all, own_part<std::uint64_t>(all, {most_unsigned, 1}));
    FAIL("a sum beyond 64 bits was returned");
  } catch (usage_error const& refused) {
    CHECK(refused.on_all_ranks());
  }
}

TEST_CASE("least and largest are found by value, type and sign of zero") {
  Communicator const all = world();
  std::vector<double> const values{3, -0.5, 0.0, -0.0, 1e-310, -7.25, 6};
  CHECK(minimum(all, own_part(all, values)) == -7.25);
  CHECK(maximum(all, own_part(all, values)) == 6);
  CHECK(std::signbit(minimum(all, own_part<double>(all, {0.0, -0.0, 0.0}))));
  CHECK_FALSE(std::signbit(maximum(all, own_part<double>(all, {-0.0, 0.0, -0.0}))));
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  CHECK(maximum(all, own_part<std::uint64_t>(all, {1, most, 5})) == most);
  CHECK(minimum(all, own_part<std::uint64_t>(all, {1, most, 5})) == 1);
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
  CHECK(minimum(all, own_part<std::int64_t>(all, {1, lowest, 5})) == lowest);
  CHECK(maximum_norm(all, own_part<std::int64_t>(all, {1, lowest, 5})) == std::uint64_t{1} << 63);
}

TEST_CASE("norms are those of one vector") {
  Communicator const all = world();
  CHECK(norm(all, own_part<double>(all, {0x3p700, -0x4p700, 0})) == 0x5p700);
  CHECK(norm(all, own_part<float>(all, {2, 4, 4})) == 6);
  CHECK(norm(all, own_part<int>(all, {1, -1, 1, -1})) == 2);
  CHECK(maximum_norm(all, own_part<double>(all, {1, -0x1p-3, -5, 2})) == 5);
  CHECK(maximum_norm(all, own_part<std::int8_t>(all, {1, -128, 127})) == 128);
  STATIC_REQUIRE(std::is_same_v<decltype(maximum_norm(all, std::vector<float>{})), float>);
}

TEST_CASE("values that are no numbers, infinite, or none at all have their results") {
  Communicator const all = world();
  double const none = std::nan("");
  for (double const bad : {none, -none}) {
    std::vector<double> const values{1, bad, -infinity, 2};
    CHECK(std::isnan(sum(all, own_part(all, values))));
    CHECK(std::isnan(minimum(all, own_part(all, values))));
    CHECK(std::isnan(maximum(all, own_part(all, values))));
    CHECK(std::isnan(norm(all, own_part(all, values))));
    CHECK(std::isnan(maximum_norm(all, own_part(all, values))));
  }
  CHECK(sum(all, own_part<double>(all, {1, infinity, 2})) == infinity);
  CHECK(std::isnan(sum(all, own_part<double>(all, {-infinity, infinity}))));
  CHECK(maximum(all, own_part<double>(all, {1, -infinity})) == 1);
  CHECK(minimum(all, own_part<double>(all, {1, -infinity})) == -infinity);
  CHECK(norm(all, own_part<double>(all, {1, -infinity})) == infinity);
  CHECK(minimum(all, std::vector<float>{}) == std::numeric_limits<float>::infinity());
  CHECK(maximum(all, std::vector<int>{}) == std::numeric_limits<int>::lowest());
  CHECK(norm(all, std::vector<double>{}) == 0);
  CHECK(maximum_norm(all, std::vector<double>{}) == 0);
}

TEST_CASE("checked mode finds ranks that reduce other things") {
  Communicator const all = world();
  if (all.size() == 1)
    return;
  checks_in_scope const on(true);
  auto const differ = [&] {
    if (all.rank() == 1)
      sum(all, 1.0);
    else
      sum(all, 1);
  };
  CHECK_THROWS_WITH(differ(), Catch::Contains("sum of floating-point numbers") &&
                                  Catch::Contains("sum of integers as on rank 0"));
}

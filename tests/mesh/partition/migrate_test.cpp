// Migration and bisection: what arrives where, in which order.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/partition/bisect.hpp>
#include <seam/mesh/partition/migrate.hpp>
#include <seam/mesh/partition/partition.hpp>

#include <mesh/clouds.hpp>
#include <support/catch.hpp>
#include <support/world.hpp>

#include <string>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

struct parcel {
  int from, number, to;

  friend bool operator==(parcel const&, parcel const&) = default;
};

/// What a rank sends in a trial; some ranks nothing.
std::vector<parcel> parcels_of(int rank, int size, unsigned trial) {
  std::mt19937 random(100 * trial + unsigned(rank));
  std::vector<parcel> parcels;
  for (int k = 0, count = static_cast<int>(random() % 3 * 20); k < count; ++k)
    parcels.push_back({rank, k, static_cast<int>(random() % unsigned(size))});
  return parcels;
}

std::vector<int> destinations_of(std::vector<parcel> const& parcels) {
  std::vector<int> to;
  for (parcel const& sent : parcels)
    to.push_back(sent.to);
  return to;
}

/// The points of all ranks in the order of ranks, on every rank.
point_set gather_points(Communicator const& over, point_set const& mine) {
  std::vector<int> const to_first(mine.ids.size(), 0);
  point_set all = migrate(over, mine, to_first);
  auto size = std::ssize(all.ids);
  mpi::bcast(over, std::span(&size, 1), 0);
  all.ids.resize(std::size_t(size));
  mpi::bcast(over, std::span(all.ids), 0);
  for (std::size_t axis = 0; axis < std::size_t(mine.num_dimensions); ++axis) {
    all.coordinates[axis].resize(std::size_t(size));
    mpi::bcast(over, std::span(all.coordinates[axis]), 0);
  }
  return all;
}

} // namespace

TEST_CASE("records arrive by sender and in their order") {
  Communicator const all = world();
  for (unsigned trial = 0; trial < 20; ++trial) {
    auto const mine = parcels_of(all.rank(), all.size(), trial);
    std::vector<parcel> expected;
    for (int rank = 0; rank < all.size(); ++rank)
      for (parcel const& sent : parcels_of(rank, all.size(), trial))
        if (sent.to == all.rank())
          expected.push_back(sent);
    CHECK(migrate<parcel>(all, mine, destinations_of(mine)) == expected);
  }
}

TEST_CASE("points arrive with all that they have") {
  Communicator const all = world();
  cloud whole = make_cloud(300, 2, cloud_shape::box, 1);
  add_weights(whole, 1);
  share const mine = share_of(whole, all.rank(), (all.size() + 1) / 2, 2);
  auto const parts = partition(all, mine.points, all.size(), partition_method::rib);
  point_set const arrived = migrate(all, mine.points, parts);
  auto const everywhere =
      mpi::allreduce(all, static_cast<std::int64_t>(arrived.ids.size()), MPI_SUM);
  CHECK(everywhere == 300);
  for (std::size_t k = 0; k < arrived.ids.size(); ++k) {
    auto const i = std::size_t(std::ranges::find(whole.ids, arrived.ids[k]) - whole.ids.begin());
    REQUIRE(i < whole.ids.size());
    REQUIRE(arrived.weights[k] == whole.weights[i]);
    for (std::size_t axis = 0; axis < 2; ++axis)
      REQUIRE(arrived.coordinates[axis][k] == whole.coordinates[axis][i]);
  }
}

TEST_CASE("destinations that are none are refused by all ranks") {
  Communicator const all = world();
  std::vector<int> const records{1, 2, 3};
  auto const refused = [&](std::vector<int> const& to) {
    try {
      migrate<int>(all, records, to);
    } catch (usage_error const& error) {
      return error.on_all_ranks() ? std::string(error.what()) : "";
    }
    return std::string();
  };
  int const last = all.size() - 1;
  CHECK(refused({0, 0, all.rank() == last ? last + 1 : 0}).find("migrate: destination") == 0);
  CHECK(refused(std::vector<int>(all.rank() == last ? 2 : 3, 0)).find("2 destinations") !=
        std::string::npos);
}

TEST_CASE("bisection shares each half of the points evenly among half of the ranks") {
  Communicator const all = world();
  for (std::size_t const num_points : {0U, 3U, 101U, 1000U}) {
    cloud const whole = make_cloud(num_points, 3, cloud_shape::box, 3);
    share const mine = share_of(whole, all.rank(), all.size(), 4);
    half_space const inside{.normal = {1, -1, 0}, .offset = 0.3};
    point_set const before = gather_points(all, mine.points);
    point_set const found = bisect(all, mine.points, inside);
    point_set const after = gather_points(all, found);

    std::vector<global_id> in, out, expected;
    for (std::size_t i = 0; i < before.ids.size(); ++i)
      (inside.contains(before, i) ? in : out).push_back(before.ids[i]);
    expected = in;
    expected.insert(expected.end(), out.begin(), out.end());
    CHECK(after.ids == expected);

    if (all.size() > 1) {
      std::size_t const ranks_in = std::size_t(all.size() / 2);
      bool const is_in = std::size_t(all.rank()) < ranks_in;
      std::size_t const ranks = is_in ? ranks_in : std::size_t(all.size()) - ranks_in;
      std::size_t const total = is_in ? in.size() : out.size(), each = total / ranks;
      bool const is_last = all.rank() == all.size() - 1 || std::size_t(all.rank()) == ranks_in - 1;
      CHECK(found.ids.size() == each + (is_last ? total % ranks : 0));
      for (std::size_t i = 0; i < found.ids.size(); ++i)
        REQUIRE(inside.contains(found, i) == is_in);
    }
  }
}

TEST_CASE("bisection level by level on halves of the ranks ends with the parts of the partition") {
  Communicator const all = world();
  if (all.size() == 2 || all.size() == 4 || all.size() == 8) {
    cloud const whole = make_cloud(64 * std::size_t(all.size()), 1, cloud_shape::box, 5);
    point_set mine = share_of(whole, all.rank(), all.size(), 6).points;
    Communicator half = all.dup();
    for (int ranks = all.size(); ranks > 1; ranks /= 2) {
      auto sorted = gather_points(half, mine).coordinates[0];
      std::ranges::sort(sorted, std::greater());
      double const median = sorted[sorted.size() / 2 - 1];
      mine = bisect(half, mine, {.normal = {1}, .offset = median});
      half = *half.split(half.rank() < ranks / 2 ? 0 : 1, half.rank());
    }
    auto const parts = partition(all, mine, all.size(), partition_method::rcb);
    CHECK(parts == std::vector<int>(64, all.size() - 1 - all.rank()));
  }
}

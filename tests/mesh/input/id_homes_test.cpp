#include <support/catch.hpp>
#include <support/world.hpp>

#include <seam/mesh/input/id_homes.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

/// Some ids of a rank; few of them, so that ranks have the same ones now and then.
std::vector<global_id> ids_of(int rank, unsigned seed, int range) {
  std::mt19937_64 random(1000 * seed + rank);
  std::vector<global_id> ids(random() % 12);
  for (global_id& id : ids)
    id = static_cast<global_id>(random() % range) * 1'000'003;
  return ids;
}

} // namespace

TEST_CASE("the least id that is given twice, or not at all, is found wherever it is") {
  Communicator const all = world();
  for (unsigned seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    int const range = seed % 2 == 0 ? 20 : 10'000;
    std::map<global_id, int> counts;
    for (int rank = 0; rank < all.size(); ++rank)
      for (global_id const id : ids_of(rank, seed, range))
        ++counts[id];
    global_id twice = no_id, missing = no_id;
    for (auto const& [id, count] : counts)
      twice = count > 1 ? std::min(twice, id) : twice;
    for (int rank = 0; rank < all.size(); ++rank)
      for (global_id const id : ids_of(rank, seed + 500, range))
        missing = counts.contains(id) ? missing : std::min(missing, id);
    id_homes const homes(all, ids_of(all.rank(), seed, range));
    CHECK(homes.least_duplicate() == twice);
    CHECK(homes.least_missing(ids_of(all.rank(), seed + 500, range)) == missing);
    CHECK(homes.least_missing({}) == no_id);
  }
}

TEST_CASE("ids that follow each other, or have a common divisor, spread over all ranks") {
  for (int const num_ranks : {1, 2, 3, 7, 64})
    for (global_id const step : {1, 2, 64, 1000, 1 << 20}) {
      CAPTURE(num_ranks, step);
      std::vector<int> counts(num_ranks);
      constexpr int per_rank = 1000;
      for (global_id k = 0; k < per_rank * num_ranks; ++k) {
        int const home = home_of_id(k * step, num_ranks);
        REQUIRE((home >= 0 && home < num_ranks));
        ++counts[home];
      }
      CHECK(std::ranges::max(counts) < 2 * per_rank);
      CHECK(std::ranges::min(counts) > per_rank / 2);
    }
}

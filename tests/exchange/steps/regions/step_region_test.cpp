// Step regions: boxes and lists answer the same questions, as sets do.
#include <seam/exchange/steps/regions/step_region.hpp>

#include <support/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>
#include <set>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

using places = std::set<index3>;

places places_of(step_region const& region) {
  places all;
  if (region.is_list())
    for (local_id const id : region.ids())
      all.insert({0, 0, id});
  else
    for_each_cell(region.box(), [&](index3 const& cell) { all.insert(cell); });
  return all;
}

places places_of(std::vector<step_region> const& regions) {
  places all;
  std::int64_t count = 0;
  for (step_region const& region : regions) {
    all.merge(places_of(region));
    count += region.size();
  }
  CHECK(count == std::ssize(all)); // they are disjoint
  return all;
}

places both(places const& a, places const& b) {
  places made;
  std::ranges::set_intersection(a, b, std::inserter(made, made.end()));
  return made;
}

places only_first(places const& a, places const& b) {
  places made;
  std::ranges::set_difference(a, b, std::inserter(made, made.end()));
  return made;
}

step_region random_box(std::mt19937& random) {
  box3 made;
  for (int a = 0; a < 3; ++a) {
    made.lo[a] = static_cast<std::int64_t>(random() % 5) - 2;
    made.hi[a] = made.lo[a] + static_cast<std::int64_t>(random() % 5);
  }
  return made;
}

step_region random_list(std::mt19937& random) {
  id_list ids;
  unsigned const density = 1 + random() % 6;
  for (local_id id = 0; id < 30; ++id)
    if (random() % density == 0)
      ids.push_back(id);
  if (random() % 8 == 0)
    ids.clear();
  return list_of(std::move(ids));
}

template <class Make>
void compare(Make const& make) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    step_region const a = make(random), b = make(random);
    places const in_a = places_of(a), in_b = places_of(b), in_both = both(in_a, in_b);
    step_region const common = intersection(a, b);
    CHECK(a.size() == std::ssize(in_a));
    CHECK(a.is_empty() == in_a.empty());
    CHECK(places_of(common) == in_both);
    CHECK(meets(a, b) == !in_both.empty());
    CHECK(holds(a, b) == (in_both == in_b));
    CHECK(holds(hull(a, b), a));
    CHECK(holds(hull(a, b), b));
    CHECK(places_of(difference(a, common)) == only_first(in_a, in_b));
    CHECK(places_of(rest_of(a, {b})) == only_first(in_a, in_b));
  }
}

} // namespace

TEST_CASE("boxes meet, hold, and are cut as the sets of their cells") { compare(random_box); }

TEST_CASE("lists meet, hold, and are cut as the sets of their ids") { compare(random_list); }

TEST_CASE("a region without places meets none, and is part of each") {
  step_region const none, all = list_of({3, 4, 7}), block = box3{{0, 0, 0}, {1, 2, 2}};
  for (step_region const& region : {all, block}) {
    CHECK_FALSE(meets(none, region));
    CHECK(holds(region, none));
    CHECK(hull(none, region) == region);
    CHECK(hull(region, none) == region);
    CHECK(intersection(none, region).is_empty());
  }
}

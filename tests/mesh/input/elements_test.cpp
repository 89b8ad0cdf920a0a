#include <support/catch.hpp>
#include <support/world.hpp>

#include <seam/mesh/input/elements.hpp>

#include <algorithm>
#include <random>
#include <vector>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

element_list random_elements(std::mt19937& random, int rank) {
  element_list list;
  for (int e = std::uniform_int_distribution(0, 20)(random); e > 0; --e) {
    auto const what = static_cast<shape>(std::uniform_int_distribution(0, num_shapes - 1)(random));
    std::vector<global_id> vertices(num_vertices_of(what));
    for (global_id& vertex : vertices)
      vertex = std::uniform_int_distribution<global_id>(0, 1'000'000'000'000)(random);
    append(list, what, 100 * rank + e, e, vertices);
  }
  return list;
}

/// An element and its destination, as a value that can be compared.
struct sent_element {
  int to;
  shape what;
  global_id id;
  std::int32_t tag;
  std::vector<global_id> vertices;

  friend bool operator==(sent_element const&, sent_element const&) = default;
};

/// The elements that a rank sends, copies of some of its own in any order.
std::vector<sent_element> sent_by(int rank, int size, unsigned seed, element_list& list,
                                  std::vector<std::int64_t>& elements, std::vector<int>& ranks) {
  std::mt19937 random(1000 * seed + rank);
  list = random_elements(random, rank);
  std::vector<sent_element> sent;
  for (int k = list.ids.empty() ? 0 : std::uniform_int_distribution(0, 40)(random); k > 0; --k) {
    auto const e = std::uniform_int_distribution<std::int64_t>(0, list.num_elements() - 1)(random);
    elements.push_back(e);
    ranks.push_back(std::uniform_int_distribution(0, size - 1)(random));
    auto const vertices = vertices_of(list, e);
    sent.push_back({ranks.back(),
                    list.shapes[e],
                    list.ids[e],
                    list.tags[e],
                    {vertices.begin(), vertices.end()}});
  }
  return sent;
}

} // namespace

TEST_CASE("a key has the vertices in order, whatever their order in the cell") {
  std::mt19937 random(2);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<global_id> vertices(std::uniform_int_distribution(1, 4)(random));
    for (global_id& vertex : vertices)
      vertex = std::uniform_int_distribution<global_id>(0, 6)(random);
    entity_key expected{-1, -1, -1, -1};
    std::ranges::copy(vertices, expected.begin());
    std::sort(expected.begin(), expected.begin() + std::ssize(vertices));
    CHECK(key_of(vertices) == expected);
    std::ranges::shuffle(vertices, random);
    CHECK(key_of(vertices) == expected);
  }
}

TEST_CASE("elements arrive where they are sent, by sender and in the order of sending") {
  Communicator const all = world();
  for (unsigned seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    std::vector<sent_element> expected;
    std::vector<int> senders;
    for (int rank = 0; rank < all.size(); ++rank) {
      element_list list;
      std::vector<std::int64_t> elements;
      std::vector<int> ranks;
      for (sent_element const& sent : sent_by(rank, all.size(), seed, list, elements, ranks))
        if (sent.to == all.rank()) {
          expected.push_back(sent);
          senders.push_back(rank);
        }
    }
    element_list own;
    std::vector<std::int64_t> elements;
    std::vector<int> ranks;
    sent_by(all.rank(), all.size(), seed, own, elements, ranks);
    auto const arrived = send_elements(all, own, elements, ranks);
    CHECK(arrived.senders == senders);
    std::vector<sent_element> found;
    for (local_id e = 0; e < arrived.list.num_elements(); ++e) {
      auto const vertices = vertices_of(arrived.list, e);
      found.push_back({all.rank(),
                       arrived.list.shapes[e],
                       arrived.list.ids[e],
                       arrived.list.tags[e],
                       {vertices.begin(), vertices.end()}});
    }
    CHECK((found == expected));
  }
}

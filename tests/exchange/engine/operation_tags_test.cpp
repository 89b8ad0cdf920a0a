// Tags of persistent operations: two that live never share one, however many came before.
#include <seam/exchange/engine/operation_tags.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <cstdlib>

using namespace seam;
using namespace seam::detail;

namespace {

constexpr int nearly_half = 8000; // of all tags

} // namespace

TEST_CASE("an operation gets tags again only when the one that had them is gone") {
  auto const world = testing::world();
  auto const first = draw_operation_tags(world, nearly_half);
  for (int k = 0; k < 3; ++k) {
    auto const second = draw_operation_tags(world, nearly_half);
    CHECK(std::abs(second.first - first.first) >= nearly_half);
    CHECK_THROWS_WITH(draw_operation_tags(world, nearly_half),
                      Catch::Contains("no 8000 tags in a row are left"));
  }
  auto const short_ones = draw_operation_tags(world, 300);
  CHECK((short_ones.first + 300 <= first.first || short_ones.first >= first.first + nearly_half));
}

TEST_CASE("tags are not drawn while an operation has them on one rank") {
  auto const world = testing::world();
  auto first = draw_operation_tags(world, nearly_half),
       second = draw_operation_tags(world, nearly_half);
  bool const is_last = world.rank() + 1 == world.size();
  if (!is_last)
    second.hold.reset();
  CHECK_THROWS_WITH(draw_operation_tags(world, nearly_half), Catch::Contains("tags in a row"));
  second.hold.reset();
  CHECK(draw_operation_tags(world, nearly_half).first == second.first);
}

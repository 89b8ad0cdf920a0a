// Checked views see a read of a ghost, and what a program writes into one, by the bytes of its value:
// with values of each size.
#include <seam/stencil/ghosts/halo.hpp>

#include <support/catch.hpp>
#include <support/stale_ghost_lines.hpp>
#include <support/world.hpp>

#include <array>

using namespace seam;
using namespace seam::detail;

namespace {

/// Reads, fills and reads a row of ghosts, long enough for values of one bit.
template <class T>
void check_type(T const& first, T const& second) {
  testing::stale_ghost_lines found;
  grid_options<2> options;
  options.cells = {16, 320};
  options.periodic = {true, true};
  Grid<2> const grid(testing::world(), options);
  auto u = grid.field<T>("u");
  auto halo = make_halo(u);
  auto const row = [&](auto const& view, auto const& visit) {
    for (std::int64_t j = 0; j < u.owned().hi[1]; ++j)
      visit(view(-1, j));
  };
  for (T const& value : {first, second, first}) {
    u.fill(value);
    row(std::as_const(u).view(), [](T const&) {});
    CHECK(std::ssize(found.take()) == u.owned().hi[1]);
    row(u.view(), [](T const&) {});
    CHECK(found.take().size() >= 1);
    u.fill(second == value ? first : second);
    u.fill(value);
    row(u.view(), [&](T& ghost) { ghost = value; });
    row(u.view(), [&](T const& ghost) { REQUIRE_IN_LOOP(ghost == value); });
    found.take(); // by chance all of the values of one bit may have been so before
    halo.run();
    row(std::as_const(u).view(), [&](T const& ghost) { REQUIRE_IN_LOOP(ghost == value); });
    row(u.view(), [&](T const& ghost) { REQUIRE_IN_LOOP(ghost == value); });
    CHECK(found.count() == 0);
  }
}

struct particle {
  double place = 0;
  char kind = 0;
  std::array<float, 7> speeds{};
  friend bool operator==(particle const&, particle const&) = default;
};

} // namespace

TEST_CASE("reads are seen whatever the type of the values") {
  if (!testing::views_are_checked())
    return;
  check_type<double>(1, 2);
  check_type<float>(1, 2);
  check_type<std::int64_t>(1, 2);
  check_type<std::int32_t>(1, 2);
  check_type<std::int16_t>(1, 2);
  check_type<char>(1, 2);
  check_type<bool>(true, false);
  check_type<particle>({.place = 1}, {.speeds = {1, 2, 3, 4, 5, 6, 8}});
}

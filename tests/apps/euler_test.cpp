// The exact solution that seam-euler compares Sod's tube with, against published numbers.
// Runs of the program itself are in apps/euler/CMakeLists.txt.
#include <support/catch.hpp>

#include <sod.hpp>

namespace euler {
namespace {

TEST_CASE("the waves of Sod's tube are where they are known to be at time 0.2") {
  sod_tube const tube;
  CHECK(tube.pressure() == Approx(0.30313018).epsilon(1e-7));
  CHECK(tube.velocity() == Approx(0.92745262).epsilon(1e-7));
  CHECK(0.5 + 0.2 * tube.head() == Approx(0.26335681).epsilon(1e-7));
  CHECK(0.5 + 0.2 * tube.tail() == Approx(0.48594544).epsilon(1e-7));
  CHECK(0.5 + 0.2 * tube.shock() == Approx(0.85043115).epsilon(1e-7));
  CHECK(tube.density(tube.velocity() - 0.01) == Approx(0.42631943).epsilon(1e-7));
  CHECK(tube.density(tube.velocity() + 0.01) == Approx(0.26557371).epsilon(1e-7));
}

TEST_CASE("the density of Sod's tube goes on through its rarefaction") {
  sod_tube const tube;
  CHECK(tube.density(tube.head() + 1e-12) == Approx(1.0));
  CHECK(tube.density(tube.tail() - 1e-12) == Approx(tube.density(tube.tail() + 1e-12)));
  CHECK(tube.density(2.0) == 0.125);
}

TEST_CASE("the flux between two equal gases is what the gas carries") {
  for (double const speed : {-3.0, -0.5, 0.0, 0.5, 3.0})
    for (std::size_t const axis : {0U, 1U}) {
      gas const state{0.7, 0.9, {speed, 0.3 - speed}};
      conserved const found = flux_between(state, state, axis), expected = carried(state, axis);
      for (std::size_t c = 0; c < found.size(); ++c)
        CHECK(found[c] == Approx(expected[c]).margin(1e-14));
    }
}

} // namespace
} // namespace euler

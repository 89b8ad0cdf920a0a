// The parts of seam-jacobi: its boundary files, and its method on problems with known solutions.
// Runs of the program itself are in apps/jacobi/CMakeLists.txt.
#include <support/catch.hpp>
#include <support/world.hpp>

#include <boundary_file.hpp>
#include <exact_solution.hpp>
#include <relaxation.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/roles/iterate.hpp>

namespace jacobi {
namespace {

using Catch::Contains;
using seam::testing::world;

/// Iterates on `u`, whose borders are set, until the residual is nowhere larger than 1e-5.
template <int D>
void solve(seam::Field<double, D>& u, seam::Field<double, D> const& f) {
  auto const& grid = u.grid();
  auto next = grid.template field<double>("next");
  relaxation<D> const method(grid);
  seam::Iterate loop(grid, u, next);
  while (loop.num_sweeps() < 20000 && !loop.converged(1e-5 * method.step(), 20))
    loop.sweep([=, f = f.view()](auto now, auto... i) {
      return method(now, f, seam::cell_index<D>{i...});
    });
  REQUIRE(loop.num_sweeps() < 20000);
}

/// How far the computed solution is from the exact one on `cells`.
template <int D>
double error_on(seam::cell_index<D> const& cells) {
  seam::Grid<D> const grid(world(), {.cells = cells});
  auto u = grid.template field<double>("u"), f = grid.template field<double>("f");
  auto exact = grid.template field<double>("exact");
  exact.fill(exact_solution{});
  f.fill(exact_source{});
  u.boundary(seam::dirichlet(exact_solution{}));
  solve(u, f);
  return largest_difference(u, exact);
}

/// How far the solution for a boundary file is from `exact`, with f = 0.
template <int D, class Exact>
double error_with(std::string const& text, seam::cell_index<D> const& cells,
                  Exact const& solution) {
  seam::Grid<D> const grid(world(), {.cells = cells});
  auto u = grid.template field<double>("u"), exact = grid.template field<double>("exact");
  for (boundary_side const& side : parse_boundary(text, "text", D))
    side.apply_to(u);
  solve(u, grid.template field<double>("f"));
  exact.fill(solution);
  return largest_difference(u, exact);
}

/// The error line for a boundary file.
std::string refusal(std::string const& text, int num_axes = 2) {
  try {
    parse_boundary(text, "box.txt", num_axes);
  } catch (seam::usage_error const& problem) {
    return problem.what();
  }
  return "nothing was thrown";
}

} // namespace

TEST_CASE("the error falls with the square of the cells' size") {
  double const coarse = error_on<2>({32, 24}), fine = error_on<2>({64, 48});
  CHECK(coarse / fine > 3.5);
  CHECK(coarse / fine < 4.5);
  double const coarse3 = error_on<3>({10, 12, 8}), fine3 = error_on<3>({20, 24, 16});
  CHECK(coarse3 / fine3 > 3.2);
  CHECK(coarse3 / fine3 < 4.5);
}

TEST_CASE("solutions that are linear between the sides are found exactly") {
  CHECK(error_with<2>("x- dirichlet 1\nx+ dirichlet 0\ny- neumann 0\ny+ neumann 0\n", {12, 20},
                      [](auto x) { return 1 - x[1]; }) < 1e-5);
  CHECK(error_with<2>("x- neumann 0\nx+ neumann 0\ny- dirichlet -2\ny+ neumann 3", {12, 20},
                      [](auto x) { return 3 * x[0] - 2; }) < 1e-5);
  CHECK(error_with<3>("x- dirichlet along y 0 1\nx+ dirichlet along y 0 0.25 0.5 0.75 1\n"
                      "y- dirichlet 0\ny+ dirichlet along z 1 1\nz- neumann 0\nz+ neumann 0",
                      {8, 10, 6}, [](auto x) { return x[1]; }) < 1e-5);
  CHECK(error_with<2>("x- dirichlet 0\nx+ dirichlet along y 0 1\ny- dirichlet 0\n"
                      "y+ dirichlet along x 0 1",
                      {14, 18}, [](auto x) { return x[0] * x[1]; }) < 1e-5);
}

TEST_CASE("samples lie evenly along their axis and are joined by lines") {
  profile const hat(1, {0, 1, -1});
  CHECK(hat(std::array{7.0, 0.0}) == 0);
  CHECK(hat(std::array{7.0, 0.25}) == 0.5);
  CHECK(hat(std::array{7.0, 0.5}) == 1);
  CHECK(hat(std::array{7.0, 0.75}) == 0);
  CHECK(hat(std::array{7.0, 1.0}) == -1);
  CHECK(hat(std::array{7.0, 1.5}) == -1);
  CHECK(profile(0, {4})(std::array{0.3, 0.1}) == 4);
}

TEST_CASE("a boundary file names sides in any order, among comments and empty lines") {
  auto const sides = parse_boundary("# a box\n\n  y+\tneumann   2  # up\ny- dirichlet 1e-1\r\n"
                                    "x+ dirichlet along y -1 2.5\nx- dirichlet 0",
                                    "box.txt", 2);
  REQUIRE(sides.size() == 4);
  CHECK(sides[0].axis == 0);
  CHECK(sides[0].end == seam::side::high);
  CHECK_FALSE(sides[0].is_dirichlet);
  CHECK(sides[0].values(std::array{0.0, 0.0}) == 2);
  CHECK(sides[1].end == seam::side::low);
  CHECK(sides[1].values(std::array{0.0, 0.0}) == 0.1);
  CHECK(sides[2].axis == 1);
  CHECK(sides[2].is_dirichlet);
  CHECK(sides[2].values(std::array{1.0, 0.0}) == 2.5);
  CHECK(sides[3].axis == 1);
}

TEST_CASE("a malformed boundary file is refused with line and column") {
  CHECK_THAT(refusal("x- dirichlet 1\nq+ neumann 0"),
             Contains("boundary: box.txt:2:1: 'q+' (expected x-, x+, y- or y+)"));
  CHECK_THAT(refusal("z- neumann 0"), Contains("box.txt:1:1: 'z-'"));
  CHECK_THAT(refusal("x neumann 0"), Contains("box.txt:1:1: 'x'"));
  CHECK_THAT(refusal("x-"), Contains("1:3: the line ends (expected 'dirichlet' or 'neumann')"));
  CHECK_THAT(refusal("# one\n  x-  robin 1"), Contains("2:7: 'robin'"));
  CHECK_THAT(refusal("x- dirichlet"),
             Contains("1:13: the line ends (expected a number or 'along')"));
  CHECK_THAT(refusal("x- dirichlet # 1"), Contains("the line ends"));
  CHECK_THAT(refusal("x- dirichlet 1.0x"), Contains("1:14: '1.0x' (expected a number or 'along')"));
  CHECK_THAT(refusal("x- dirichlet nan"), Contains("1:14: 'nan'"));
  CHECK_THAT(refusal("x- dirichlet 1 2"), Contains("1:16: '2' (expected the line's end)"));
  CHECK_THAT(refusal("x- dirichlet along x 0 1"), Contains("1:20: 'x' (expected an axis along"));
  CHECK_THAT(refusal("x- dirichlet along z 0 1"), Contains("1:20: 'z'"));
  CHECK_THAT(refusal("x- dirichlet along y 0"), Contains("1:23: the line ends"));
  CHECK_THAT(refusal("x- dirichlet along y 0 one"), Contains("1:24: 'one' (expected a number)"));
  CHECK_THAT(refusal("x- neumann 0\nx- neumann 1"),
             Contains("box.txt:2:1: side x- was given before"));
  CHECK_THAT(refusal("x- dirichlet 0\nx+ neumann 0\ny+ neumann 0"),
             Contains("box.txt: nothing is said about side y-"));
  CHECK_THAT(refusal(""), Contains("nothing is said about side x-"));
  CHECK_THAT(refusal("x- neumann 0\nx+ neumann 0\ny- neumann 0\ny+ neumann 0"),
             Contains("no side is dirichlet"));
  CHECK_THAT(refusal("x- dirichlet 0\nx+ neumann 0\ny- neumann 0\ny+ neumann 0", 3),
             Contains("nothing is said about side z-"));
}

} // namespace jacobi

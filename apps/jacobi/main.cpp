// seam-jacobi solves Poisson's equation -laplace(u) = f on the unit square or cube by Jacobi's
// iteration, and compares the result with the exact solution if that is known.
//
// Sample runs:
//   mpiexec -n 4 seam-jacobi --cells 256x256 --output u.vtkhdf --picture u.png
//   mpiexec -n 2 seam-jacobi --cells 64x64x64 --tolerance 1e-3
//
// Expected of the first: iterations 159300, error 9.94e-05; the same on any number of ranks.
#include "boundary_file.hpp"
#include "exact_solution.hpp"
#include "iterate.hpp"
#include "options.hpp"

#include <seam/files.hpp>
#include <seam/grid.hpp>
#include <seam/program.hpp>

#include <fmt/ranges.h>

#include <tuple>

namespace jacobi {
namespace {

template <int D>
void solve(seam::Runtime& runtime, options const& wanted, std::vector<boundary_side> const& sides) {
  // 1. Declare the grid and the fields.
  seam::Grid<D> const grid(runtime, {.cells = wanted.grid_cells<D>()});
  auto u = grid.template field<double>("u"), next = grid.template field<double>("next");
  auto f = grid.template field<double>("f"), exact = grid.template field<double>("exact");

  // 2. Set the right-hand side and the boundary conditions.
  bool const is_known = sides.empty();
  if (is_known) {
    exact.fill(exact_solution{});
    f.fill(exact_source{});
    u.boundary(seam::dirichlet(exact_solution{}));
  }
  for (boundary_side const& side : sides)
    side.apply_to(u);
  is_known ? seam::require_room(grid, std::tie(u, exact), wanted.output)
           : seam::require_room(grid, std::tie(u), wanted.output);

  // 3. Compute.
  relaxation<D> const method(grid);
  seam::checkpoints kept(grid.base(), wanted.restart, u, next);
  kept.require_end(wanted.max_iterations, "--max-iterations");
  seam::Iterate loop(grid, u, next);
  loop.continue_at(kept.first_step());
  double const seconds = iterate(loop, u, f, method, wanted, kept);

  // 4. Print errors and times.
  double const residual = loop.change() / method.step();
  seam::print(runtime, "iterations  {}{}\nresidual    {:.6e}\n", loop.num_sweeps(),
              residual <= wanted.tolerance ? "" : ", tolerance not reached", residual);
  if (is_known)
    seam::print(runtime, "error       {:.6e}\n", largest_difference(u, exact));
  double const updates =
      static_cast<double>(grid.domain().num_cells() * (loop.num_sweeps() - kept.first_step()));
  seam::print(runtime, "seconds     {:.3f}\nupdates/s   {:.3e}\n", seconds, updates / seconds);

  // 5. Write the outputs.
  if (!wanted.output.empty())
    is_known ? seam::write(grid, std::tie(u, exact), wanted.output)
             : seam::write(grid, u, wanted.output);
  if (!wanted.picture.empty())
    seam::write_png(u, wanted.picture, {.with_scale = true});
  seam::print_written(runtime, {wanted.output, wanted.picture, wanted.plot});
}

void run(seam::Runtime& runtime, options const& wanted) {
  check_outputs(runtime, wanted);
  auto const sides = read_boundary(runtime, wanted.boundary, wanted.num_axes());
  seam::print(runtime, "{}\ncells       {}\n", runtime.describe(), fmt::join(wanted.cells, " x "));
  wanted.num_axes() == 2 ? solve<2>(runtime, wanted, sides) : solve<3>(runtime, wanted, sides);
}

} // namespace
} // namespace jacobi

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, jacobi::add_options, jacobi::run);
}

// seam-jacobi solves Poisson's equation -laplace(u) = f on the unit square or cube by Jacobi's
// iteration, and compares the result with the exact solution where it knows one.
//
// Sample runs:
//   mpiexec -n 4 seam-jacobi --cells 256x256 --output u.vtkhdf --picture u.png
//   mpiexec -n 2 seam-jacobi --cells 64x64x64 --tolerance 1e-3
//   seam-jacobi --cells 96x96 --boundary apps/jacobi/inputs/plate.txt --picture plate.png
//
// Expected of the first: an error of 1.43e-05 after 157250 iterations, in seconds. Only the first
// line and the last two of what it prints depend on the ranks and threads.
#include "boundary_file.hpp"
#include "exact_solution.hpp"
#include "options.hpp"
#include "relaxation.hpp"

#include <seam/seam.hpp>

#include <CLI/CLI.hpp>
#include <fmt/ranges.h>

#include <chrono>
#include <tuple>

namespace jacobi {
namespace {

template <int D>
void solve(seam::Runtime& runtime, options const& wanted, std::vector<boundary_side> const& sides) {
  // 1. Declare the grid and the fields.
  seam::Grid<D> const grid(runtime, {.cells = wanted.grid_cells<D>()});
  auto u = grid.template field<double>("u"), next = grid.template field<double>("next");
  auto f = grid.template field<double>("f"), exact = grid.template field<double>("exact");

  // 2. Say what holds inside and on the border.
  bool const is_known = sides.empty();
  if (is_known) {
    exact.fill(exact_solution{});
    f.fill(exact_source{});
    u.boundary(seam::dirichlet(exact_solution{}));
  }
  for (boundary_side const& side : sides)
    side.apply_to(u);
  seam::print(runtime, "{}\ncells       {}\n", runtime.describe(), fmt::join(wanted.cells, " x "));

  // 3. Compute until the residual is nowhere larger than the tolerance.
  relaxation<D> const method(grid);
  seam::Iterate loop(grid, u, next);
  auto const begin = std::chrono::steady_clock::now();
  {
    seam::progress bar(runtime, "iterations");
    while (loop.num_sweeps() < wanted.max_iterations &&
           !loop.converged(wanted.tolerance * method.step(), wanted.check_every)) {
      loop.sweep([=, f = f.view()](auto now, auto... i) {
        return method(now, f, seam::cell_index<D>{i...});
      });
      bar.advance();
    }
  }
  std::chrono::duration<double> const time = std::chrono::steady_clock::now() - begin;

  // 4. Say how well it went, and how fast.
  double const residual = loop.change() / method.step();
  seam::print(runtime, "iterations  {}{}\n", loop.num_sweeps(),
              residual > wanted.tolerance ? ", tolerance not reached" : "");
  seam::print(runtime, "residual    {:.6e}\n", residual);
  if (is_known)
    seam::print(runtime, "error       {:.6e}\n", largest_difference(u, exact));
  double const updates = static_cast<double>(grid.domain().num_cells() * loop.num_sweeps());
  seam::print(runtime, "seconds     {:.3f}\nupdates/s   {:.3e}\n", time.count(),
              updates / time.count());

  // 5. Write what was asked for.
  if (!wanted.output.empty() && is_known)
    seam::write(grid, std::tie(u, exact), wanted.output);
  else if (!wanted.output.empty())
    seam::write(grid, u, wanted.output);
  if (!wanted.picture.empty())
    seam::write_png(u, wanted.picture);
}

void run(seam::Runtime& runtime, options const& wanted) {
  for (std::string const& path : {wanted.output, wanted.picture})
    if (!path.empty())
      seam::require_writable(runtime, path);
  std::vector<boundary_side> sides;
  if (!wanted.boundary.empty())
    sides = parse_boundary(seam::read_text(runtime, wanted.boundary), wanted.boundary,
                           wanted.num_axes());
  wanted.num_axes() == 2 ? solve<2>(runtime, wanted, sides) : solve<3>(runtime, wanted, sides);
}

} // namespace
} // namespace jacobi

int main(int argc, char** argv) {
  CLI::App cli("Solves Poisson's equation on the unit square or cube by Jacobi's iteration.");
  jacobi::options wanted;
  jacobi::add_options(cli, wanted);
  return seam::run_program(cli, argc, argv,
                           [&](seam::Runtime& runtime) { jacobi::run(runtime, wanted); });
}

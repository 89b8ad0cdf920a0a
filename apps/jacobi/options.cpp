#include "options.hpp"

#include <seam/files.hpp>
#include <seam/program.hpp>

#include <cmath>
#include <limits>
#include <string_view>

namespace jacobi {
namespace {

constexpr std::int64_t most_cells = 1'000'000'000'000'000;

[[noreturn]] void refuse_cells(std::string const& text) {
  seam::refuse("'" + text +
               "' (expected one to three numbers from 1 to 2147483647, such as 256, 256x128 or "
               "64x64x64, for 1e15 cells at most)");
}

std::int64_t number_in(std::string_view digits, std::string const& text) {
  auto const number = seam::decimal<int>(digits);
  if (!number || *number < 1)
    refuse_cells(text);
  return *number;
}

/// The numbers of "256x128"; "256" stands for "256x256".
std::vector<std::int64_t> cells_in(std::string const& text) {
  std::vector<std::int64_t> cells;
  std::int64_t cells_left = most_cells;
  for (std::size_t begin = 0; begin <= text.size();) {
    auto const end = std::min(text.find('x', begin), text.size());
    cells.push_back(number_in(std::string_view(text).substr(begin, end - begin), text));
    cells_left /= cells.back();
    begin = end + 1;
  }
  if (cells.size() == 1) {
    cells.push_back(cells.front());
    cells_left /= cells.front();
  }
  if (cells.size() > 3 || cells_left < 1)
    refuse_cells(text);
  return cells;
}

std::string check_tolerance(std::string const& text) {
  double const value = seam::decimal<double>(text).value_or(-1);
  return std::isfinite(value) && value >= 0 ? "" : "'" + text + "' (expected a number, at least 0)";
}

constexpr char const* examples = R"(Examples:
  mpiexec -n 4 seam-jacobi --cells 256x256 --output u.vtkhdf --picture u.png
  mpiexec -n 2 seam-jacobi --cells 64x64x64 --tolerance 1e-3
  seam-jacobi --cells 96x96 --boundary plate --picture plate.png

Without --boundary, f and the values on the border are those of a known solution, and the error is
printed. Boundary files by name: plate, lid, and cube in 3D. Such a file has one line for each side, # begins a comment, and f is 0:
  x- dirichlet 1.0                 the value on the side where x is least
  y+ neumann 0                     the slope along the outward normal
  x+ dirichlet along y 0 0.5 1     values evenly spaced along an axis, linear between them)";

} // namespace

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Solves Poisson's equation on the unit square or cube by Jacobi's iteration.");
  cli.add(
         "--cells", [&wanted](std::string const& text) { wanted.cells = cells_in(text); },
         "cells along x, y (and z): 128x128 by default")
      .named("N[xN[xN]]");
  cli.add("--tolerance", wanted.tolerance,
          "stop when the residual |f + laplace(u)| is at most this everywhere")
      .must(check_tolerance)
      .named("NUMBER");
  cli.add("--max-iterations", wanted.max_iterations, "largest number of iterations")
      .between(std::int64_t{1}, std::numeric_limits<std::int64_t>::max(), "COUNT");
  cli.add("--check-every", wanted.check_every, "iterations between checks of the residual")
      .between(1, std::numeric_limits<int>::max(), "COUNT");
  cli.add("--boundary", wanted.boundary, "read boundary conditions, with f = 0")
      .changed_by(seam::input_by_name("jacobi", {".txt"}))
      .named("FILE");
  cli.add("--output", wanted.output, "write the solution for ParaView")
      .must(seam::name_ends_with({".vtkhdf", ".hdf"}))
      .named("FILE.vtkhdf");
  cli.add("--picture", wanted.picture, "write a picture, in 3D of the middle slice")
      .must(seam::name_ends_with({".png"}))
      .named("FILE.png");
  cli.add("--plot", wanted.plot, "plot the residual and the seconds per iteration")
      .must(seam::name_ends_with({".svg", ".png"}))
      .named("FILE.svg|FILE.png");
  wanted.watched.add_options(cli);
  wanted.restart.add_options(cli);
  cli.end_help(examples);
}

void check_outputs(seam::mpi::comm_view over, options const& wanted) {
  seam::require_outputs(over, wanted.boundary,
                        {{"--output", wanted.output, ""},
                         {"--picture", wanted.picture, ""},
                         {"--plot", wanted.plot, ""}});
  if (!wanted.plot.empty())
    seam::require_plot(over, wanted.plot, "--plot");
}

} // namespace jacobi

// seam-partition divides a mesh or a cloud of points into parts of equal weight, and prints the
// quality of the parts.
//
// Sample runs:
//   gmsh -2 apps/partition/inputs/channel.geo -setnumber cells 100000 -o channel.msh
//   mpiexec -n 4 seam-partition channel.msh --parts 64 --output parts.vtkhdf --picture parts.png
//   mpiexec -n 4 seam-partition channel.msh --parts 48 --method rib,rcb,hilbert,scotch
//
// Expected of the second: imbalance at most 1.001, the least cut in the line of scotch; all but
// that line the same on any number of ranks.
#include "options.hpp"
#include "point_file.hpp"

#include <seam/seam.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>

namespace partition_app {
namespace {

/// The parts that a method has found, and its time. [s]
struct division {
  std::vector<int> parts;
  double seconds;
};

division timed(seam::Runtime& runtime, std::function<std::vector<int>()> const& divide) {
  seam::mpi::barrier(runtime);
  auto const begin = std::chrono::steady_clock::now();
  auto parts = divide();
  double const seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return {std::move(parts), seam::maximum(runtime, seconds)};
}

void print_head(seam::Runtime& runtime, std::string const& things, std::int64_t count,
                int num_parts) {
  seam::print(runtime, "{:<12}{}\nparts       {}\n\n", things, count, num_parts);
}

/// Parts have twelve colors in turn.
void draw(seam::Mesh const& mesh, std::vector<int> const& parts, std::string const& path) {
  constexpr int num_colors = 12;
  std::vector<double> colors;
  for (int const part : parts)
    colors.push_back(part % num_colors);
  seam::write_png(mesh, colors, path,
                  {.colors = seam::distinct_colors(), .range = {{0, num_colors - 1}}});
}

void divide_mesh(seam::Runtime& runtime, options const& wanted) {
  // 1. Read the mesh, with the cells distributed in the order of the file.
  seam::Mesh const mesh(runtime, seam::read_mesh(runtime, wanted.input));
  auto const centers = seam::cell_centers(mesh);
  auto const graph = seam::dual_graph(mesh);
  print_head(runtime, "cells", mesh.cells().num_global, wanted.parts);

  // 2. Divide it by each method, and measure the parts.
  seam::print(runtime, "{:<10}{:>10}{:>10}{:>10}{:>11}{:>6}{:>10}\n", "method", "imbalance", "cut",
              "volume", "neighbors", "most", "seconds");
  seam::MeshField<std::int32_t> part(mesh, "part", mesh.num_dimensions());
  seam::require_room(mesh, std::tie(part), wanted.output);
  std::vector<int> first;
  for (std::string const& name : wanted.methods) {
    auto const method = seam::partition_method_of(name);
    auto const found = timed(runtime, [&] { return seam::partition(mesh, wanted.parts, method); });
    auto const even = seam::balance_of(runtime, centers, found.parts, wanted.parts);
    auto const cut = seam::connection_of(runtime, centers, graph.view(), found.parts, wanted.parts);
    auto const sum = std::reduce(cut.num_neighbors.begin(), cut.num_neighbors.end(), 0.0);
    seam::print(runtime, "{:<10}{:>10.5f}{:>10}{:>10}{:>11.2f}{:>6}{:>10.3f}\n", name_of(method),
                even.imbalance, cut.edge_cut, cut.volume, sum / wanted.parts,
                std::ranges::max(cut.num_neighbors), found.seconds);
    if (name == wanted.methods.front())
      first = found.parts;
  }

  // 3. Write the outputs.
  std::ranges::copy(first, part.values().begin());
  if (!wanted.output.empty())
    seam::write(mesh, part, wanted.output);
  if (!wanted.picture.empty())
    draw(mesh, first, wanted.picture);
  seam::print_written(runtime, {wanted.output, wanted.picture});
}

void divide_points(seam::Runtime& runtime, options const& wanted) {
  auto const points = read_points(runtime, wanted.input);
  auto const facts = seam::examine(runtime, points);
  print_head(runtime, "points", facts.num_points, wanted.parts);
  seam::print(runtime, "{:<10}{:>10}{:>12}{:>10}\n", "method", "imbalance", "surface", "seconds");
  std::vector<int> first;
  for (std::string const& name : wanted.methods) {
    auto const method = seam::partition_method_of(name);
    auto const found =
        timed(runtime, [&] { return seam::partition(runtime, points, wanted.parts, method); });
    auto const even = seam::balance_of(runtime, points, found.parts, wanted.parts);
    seam::print(runtime, "{:<10}{:>10.5f}{:>12.5g}{:>10.3f}\n", name_of(method), even.imbalance,
                seam::box_surface_of(runtime, points, found.parts, wanted.parts), found.seconds);
    if (name == wanted.methods.front())
      first = found.parts;
  }
  if (!wanted.output.empty())
    write_parts(runtime, points.ids, first, wanted.output);
  seam::print_written(runtime, {wanted.output});
}

void run(seam::Runtime& runtime, options const& wanted) {
  seam::require_outputs(runtime, wanted.input,
                        {{"--output", wanted.output, wanted.is_of_points() ? ".csv" : ".vtkhdf"},
                         {"--picture", wanted.picture, ""}});
  if (wanted.is_of_points() && !wanted.picture.empty())
    throw seam::usage_error("--picture: there is none of points (expected a mesh)", true);
  seam::print(runtime, "{}\n", runtime.describe());
  wanted.is_of_points() ? divide_points(runtime, wanted) : divide_mesh(runtime, wanted);
}

} // namespace
} // namespace partition_app

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, partition_app::add_options, partition_app::run);
}

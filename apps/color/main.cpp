// seam-color colors the parts of a mesh, its cells and its vertices, such that neighbors differ:
// entities of one color can be computed at the same time.
//
// Sample run:
//   mpiexec -n 4 seam-color channel.msh --output colors.vtkhdf --picture colors.png
//
// Expected: a line for parts, cells, vertices, each with "right"; of cells at most one color more
// than they have sides. Colors of cells and vertices are the same on any number of ranks.
#include <seam/seam.hpp>

#include <fmt/ranges.h>

#include <algorithm>

namespace color_app {
namespace {

struct options {
  std::string input, output, picture;
  std::uint64_t seed = 0;
};

constexpr char const* examples = R"(Examples:
  mpiexec -n 4 seam-color channel --output colors.vtkhdf --picture colors.png

A mesh by name: channel; a file of that name comes first.

Parts are those of the ranks, which divide the mesh by recursive inertial bisection; they are
neighbors if they share cells or vertices. Cells are neighbors if they share a side, vertices if they
share an edge. Each line says how many there are, of how many colors, whether all neighbors differ,
and how many have each color.)";

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Colors the parts, cells and vertices of a mesh.");
  cli.add("input", wanted.input, "the mesh: .msh or .vtkhdf, or the name of one")
      .required()
      .changed_by(seam::input_by_name("meshes", {".msh"}))
      .named("FILE");
  cli.add("--seed", wanted.seed, "of the random numbers; 0 by default");
  cli.add("--output", wanted.output, "write the colors for ParaView").named("FILE.vtkhdf");
  cli.add("--picture", wanted.picture, "write a picture of the cells' colors")
      .must(seam::name_ends_with({".png"}))
      .named("FILE.png");
  cli.end_help(examples);
}

/// Colors a graph and prints a line about it.
/// Collective: over the runtime's ranks.
std::vector<int> color_and_judge(seam::Runtime& runtime, std::string const& things,
                                 seam::distributed_graph const& graph, std::uint64_t seed) {
  auto colors = seam::color_graph(runtime, graph, seed);
  auto const counts = seam::count_colors(runtime, colors);
  bool const is_right = seam::is_proper_coloring(runtime, graph, colors);
  auto const total = seam::sum(runtime, std::int64_t{graph.num_nodes()});
  seam::print(runtime, "{:<10}{:>10}{:>8}  {:<6}  {}\n", things, total, counts.size(),
              is_right ? "right" : "WRONG", fmt::join(counts, " "));
  if (!is_right)
    throw seam::error(fmt::format("neighbors among {} have the same color", things));
  return colors;
}

void run(seam::Runtime& runtime, options const& wanted) {
  seam::require_outputs(runtime, wanted.input,
                        {{"--output", wanted.output, ".vtkhdf"},
                         {"--picture", wanted.picture, ""}});

  // 1. Read the mesh and divide it among the ranks.
  auto const mesh = seam::divided(runtime, seam::read_mesh(runtime, wanted.input));
  seam::print(runtime, "{}\n\n{:<10}{:>10}{:>8}\n", runtime.describe(), "", "number", "colors");

  // 2. Color.
  auto const of_parts =
      color_and_judge(runtime, "parts", seam::part_graph(mesh), wanted.seed).front();
  auto const of_cells = color_and_judge(runtime, "cells", seam::dual_graph(mesh), wanted.seed);
  auto const of_vertices =
      color_and_judge(runtime, "vertices", seam::entity_graph(mesh, 0, 1), wanted.seed);

  // 3. Write the outputs.
  auto part = mesh.field<std::int32_t>("part_color", seam::cells),
       cell = mesh.field<std::int32_t>("cell_color", seam::cells),
       vertex = mesh.field<std::int32_t>("vertex_color", seam::vertices);
  std::ranges::fill(part.values(), of_parts);
  std::ranges::copy(of_cells, cell.values().begin());
  std::ranges::copy(of_vertices, vertex.values().begin());
  seam::make_halo(vertex).run();
  if (!wanted.output.empty())
    seam::write(mesh, std::tie(part, cell, vertex), wanted.output);
  if (!wanted.picture.empty())
    seam::write_png(cell, wanted.picture, {.colors = seam::distinct_colors(), .range = {{0, 11}}});
  seam::print_written(runtime, {wanted.output, wanted.picture});
}

} // namespace
} // namespace color_app

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, color_app::add_options, color_app::run);
}

// Pictures of meshes: values on vertices change in between, values on cells do not, and pixels do
// not depend on ranks. Read back with libpng by rank 0.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/meshes/mesh_picture.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>

#include <mesh/unit_boxes.hpp>
#include <support/catch.hpp>

#include <png.h>

#include <fstream>
#include <sstream>

using namespace seam;
using namespace seam::testing;

namespace {

constexpr int side_length = 64;

/// One gray level for each number from 0 to 255.
mesh_picture_options grays() {
  return {.colors = color_map({{0, 0, 0}, {255, 255, 255}}),
          .range = {{0, 255}},
          .largest_side = side_length};
}

std::vector<color> read_pixels(std::string const& path) {
  png_image file{};
  file.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_file(&file, path.c_str()) != 0);
  REQUIRE(file.width == side_length);
  REQUIRE(file.height == side_length);
  std::vector<color> pixels(std::size_t{file.width} * file.height);
  REQUIRE(png_image_finish_read(&file, nullptr, pixels.data(), 0, nullptr) != 0);
  return pixels;
}

std::string bytes_of(std::string const& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

/// A linear function, at most 255 in the unit square.
double shade(place const& at) { return 55 + 150 * at[0] + 50 * at[1]; }

MeshField<double> shades(Mesh const& mesh, int dimension) {
  MeshField<double> u(mesh, "u", dimension);
  for (local_id e = 0; e < u.entities().num_owned; ++e)
    u(e) = shade(mesh.center(dimension, e));
  make_halo(u).run();
  return u;
}

} // namespace

TEST_CASE("a linear function on vertices has the same shades on any cells as without a mesh") {
  Communicator const all = world();
  for (bool const is_mixed : {false, true}) {
    Mesh const mesh = scattered(Mesh(all, is_mixed ? mixed_plane(all, {4, 4, 1})
                                                   : box_mesh(all, shape::triangle, {3, 3, 1})),
                                2);
    write_png(shades(mesh, 0), "vertices.png", grays());
    if (all.rank() == 0) {
      auto const pixels = read_pixels("vertices.png");
      int worst = 0;
      for (int y = 0; y < side_length; ++y)
        for (int x = 0; x < side_length; ++x) {
          place const at{(x + 0.5) / side_length, 1 - (y + 0.5) / side_length, 0};
          worst = std::max(worst, std::abs(int(pixels[std::size_t(y * side_length + x)].red) -
                                           int(std::lround(shade(at)))));
        }
      CHECK(worst <= 1);
    }
    mpi::barrier(all);
  }
}

TEST_CASE("values on cells have one shade in each") {
  Communicator const all = world();
  Mesh const mesh = scattered(Mesh(all, box_mesh(all, shape::quadrilateral, {4, 4, 1})), 3);
  write_png(shades(mesh, 2), "cells.png", grays());
  if (all.rank() == 0) {
    auto const pixels = read_pixels("cells.png");
    for (int y = 0; y < side_length; ++y)
      for (int x = 0; x < side_length; ++x) {
        place const at{(x / 16 + 0.5) / 4, 1 - (y / 16 + 0.5) / 4, 0};
        REQUIRE_IN_LOOP(int(pixels[std::size_t(y * side_length + x)].red) ==
                        int(std::lround(shade(at))));
      }
  }
  mpi::barrier(all);
}

TEST_CASE("a picture of vertices is the same bytes on any ranks") {
  Communicator const all = world(), single = alone();
  for (box_family const& family : box_families()) {
    INFO(family.name);
    write_png(shades(scattered(family(all, 2), 5), 0), "together.png", grays());
    auto const path = "alone" + std::to_string(all.rank()) + ".png";
    write_png(shades(family(single, 2), 0), path, grays());
    CHECK((bytes_of("together.png") == bytes_of(path)));
    mpi::barrier(all);
  }
}

TEST_CASE("values on edges and on the wrong number of cells are refused by all ranks") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::triangle, {3, 3, 1}));
  CHECK_THROWS_AS(write_png(MeshField<double>(mesh, "u", 1), "edges.png"), usage_error);
  std::vector<double> const values(std::size_t(mesh.cells().num_owned) + 1);
  CHECK_THROWS_AS(write_png(mesh, values, "cells.png"), usage_error);
}

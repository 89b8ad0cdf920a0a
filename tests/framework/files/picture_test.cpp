// Pictures are drawn from numbers that are computed here, and read back with libpng by rank 0.
#include <support/catch.hpp>
#include <support/full_disk.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/files/picture.hpp>

#include <png.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

using namespace seam;
using namespace seam::testing;

namespace {

using Catch::Contains;

constexpr color black{0, 0, 0}, white{255, 255, 255}, pink{255, 0, 255};

/// One gray level for each of the numbers 0 to 255.
picture_options grays() {
  return {.colors = color_map({black, white}), .range = {{0, 255}}, .wanted_width = 1};
}

color gray(std::int64_t level) {
  auto const shade = static_cast<std::uint8_t>(level);
  return {shade, shade, shade};
}

picture read_png(std::string const& path) {
  png_image file{};
  file.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_file(&file, path.c_str()) != 0);
  CHECK(file.format == PNG_FORMAT_RGB);
  picture read{file.width, file.height, std::vector<color>(std::size_t{file.width} * file.height)};
  REQUIRE(png_image_finish_read(&file, nullptr, read.pixels.data(), 0, nullptr) != 0);
  return read;
}

/// A number below 256 for each cell, different for neighbors.
template <int D>
std::int64_t number_of(cell_index<D> const& cell) {
  std::int64_t number = 3;
  for (auto i : cell)
    number = 7 * number + i;
  return number % 256;
}

template <class T, int D>
Field<T, D> numbered(Grid<D> const& grid) {
  auto field = grid.template field<T>("numbered");
  auto const cells = field.view();
  for_each_cell(field.owned(), [&](cell_index<D> const& at) {
    cell_index<D> global = at;
    for (std::size_t a = 0; a < at.size(); ++a)
      global[a] += grid.owned().lo[a];
    cells[at] = static_cast<T>(number_of<D>(global));
  });
  return field;
}

/// Writes `field` and checks the pixel at (x, y), counted from the top, to be that of cell_at(x,
/// y).
template <class T, int D, class CellAt>
void check_picture(Field<T, D> const& field, picture_options const& options, std::int64_t width,
                   std::int64_t height, CellAt const& cell_at) {
  write_png(field, "picture.png", options);
  if (field.grid().rank() == 0) {
    picture const read = read_png("picture.png");
    REQUIRE(read.width == width);
    REQUIRE(read.height == height);
    std::vector<color> expected;
    for (std::int64_t y = 0; y < height; ++y)
      for (std::int64_t x = 0; x < width; ++x)
        expected.push_back(gray(number_of<D>(cell_at(x, y))));
    CHECK((read.pixels == expected));
  }
  mpi::barrier(field.grid().base());
}

/// Where the pixels of `part` lie in `whole`: the column and row of the first one, or -1.
std::pair<std::int64_t, std::int64_t> place_of(picture const& part, picture const& whole) {
  auto const is_at = [&](std::int64_t left, std::int64_t top) {
    for (std::int64_t y = 0; y < part.height; ++y) {
      auto const row = part.pixels.begin() + y * part.width;
      if (!std::equal(row, row + part.width, whole.pixels.begin() + (top + y) * whole.width + left))
        return false;
    }
    return true;
  };
  for (std::int64_t top = 0; top + part.height <= whole.height; ++top)
    for (std::int64_t left = 0; left + part.width <= whole.width; ++left)
      if (is_at(left, top))
        return {left, top};
  return {-1, -1};
}

template <class T, int D>
std::string refusal(Field<T, D> const& field, std::string const& path,
                    picture_options const& options) {
  return refusal_of([&] { write_png(field, path, options); });
}

} // namespace

TEST_CASE("a color map meets its stops, mixes between them, and marks what is no number") {
  color_map const map({black, {100, 0, 0}, {100, 200, 40}}, pink);
  CHECK(map(0) == black);
  CHECK(map(0.25) == color{50, 0, 0});
  CHECK(map(0.5) == color{100, 0, 0});
  CHECK(map(0.75) == color{100, 100, 20});
  CHECK(map(1) == color{100, 200, 40});
  CHECK(map(-3) == black);
  CHECK(map(std::numeric_limits<double>::infinity()) == color{100, 200, 40});
  CHECK(map(std::nan("")) == pink);
  CHECK(color_map({pink})(0.3) == pink);
  CHECK_THROWS_AS(color_map({}), usage_error);
}

TEST_CASE("viridis becomes lighter from violet to yellow") {
  auto const map = viridis();
  auto const lightness = [&](int step) {
    color const c = map(step / 64.0);
    return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue;
  };
  for (int step = 1; step <= 64; ++step)
    CHECK(lightness(step) > lightness(step - 1));
  CHECK(map(0) == color{0x44, 0x01, 0x54});
  CHECK(map(1) == color{0xFD, 0xE7, 0x25});
}

TEST_CASE("few numbers are drawn as squares of pixels") {
  auto options = grays();
  options.wanted_width = 5;
  picture const drawn = draw({2, 2, {1, 2, 3, 4}}, options);
  CHECK(drawn.width == 6);
  CHECK(drawn.height == 6);
  for (std::size_t y = 0; y < 6; ++y)
    for (std::size_t x = 0; x < 6; ++x)
      CHECK(drawn.pixels[y * 6 + x] == gray(static_cast<int>(1 + x / 3 + 2 * (y / 3))));

  options.wanted_width = 100;
  options.largest_side = 40;
  CHECK(draw({2, 10, std::vector<double>(20)}, options).height == 40);
  CHECK(draw({7, 1, std::vector<double>(7)}, options).height > 1);
}

TEST_CASE("many numbers are averaged over squares of them") {
  auto options = grays();
  options.largest_side = 2;
  picture const drawn = draw({3, 4, {0, 4, 10, 8, 12, 20, 100, 100, 40, 60, 60, 44}}, options);
  CHECK(drawn.width == 2);
  CHECK(drawn.height == 2);
  CHECK((drawn.pixels == std::vector{gray(6), gray(15), gray(80), gray(42)}));
}

TEST_CASE("without a range, colors extend from the least to the largest finite number") {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  auto options = grays();
  options.range.reset();
  auto const drawn = draw({5, 1, {-1, 3, 1, infinite, std::nan("")}}, options).pixels;
  CHECK((std::vector(drawn.begin(), drawn.begin() + 5) ==
         std::vector{black, white, gray(128), white, pink}));
  CHECK(draw({2, 1, {5, 5}}, options).pixels.front() == black);
  CHECK(draw({1, 1, {std::nan("")}}, options).pixels.front() == pink);
}

TEST_CASE("a field's last axis points to the right, the other one up or down") {
  Grid<2> const grid(world(), {.cells = {19, 13}});
  auto options = grays();
  check_picture(numbered<double>(grid), options, 13, 19, [](auto x, auto y) {
    return cell_index<2>{18 - y, x};
  });
  options.upward = false;
  check_picture(numbered<unsigned char>(grid), options, 13, 19, [](auto x, auto y) {
    return cell_index<2>{y, x};
  });
}

TEST_CASE("a transposed picture has the first axis to the right") {
  Grid<2> const flat(world(), {.cells = {19, 13}});
  auto options = grays();
  options.transposed = true;
  check_picture(numbered<double>(flat), options, 19, 13, [](auto x, auto y) {
    return cell_index<2>{x, 12 - y};
  });
  options.upward = false;
  check_picture(numbered<double>(flat), options, 19, 13, [](auto x, auto y) {
    return cell_index<2>{x, y};
  });
  Grid<3> const deep(world(), {.cells = {9, 8, 11}});
  options.slice_axis = 1;
  check_picture(numbered<int>(deep), options, 9, 11, [](auto x, auto y) {
    return cell_index<3>{x, 4, y};
  });
}

TEST_CASE("a scale surrounds the picture, and has each color beside the row of its value") {
  auto options = grays();
  options.wanted_width = 200;
  shown_numbers const numbers{2, 2, {0, 255, 128, 64}};
  picture const bare = draw(numbers, options);
  options.with_scale = true;
  picture const scaled = draw(numbers, options);
  REQUIRE(scaled.width > bare.width);
  REQUIRE(scaled.height > bare.height);

  auto const [left, top] = place_of(bare, scaled);
  REQUIRE(left >= 0);
  auto const at = [&](std::int64_t x, std::int64_t y) {
    return scaled.pixels[y * scaled.width + x];
  };

  // To its right a bar from white at the top to black at the bottom.
  std::int64_t bar = left + bare.width;
  while (bar < scaled.width && at(bar, top + bare.height - 1) != black)
    ++bar;
  REQUIRE(bar < scaled.width);
  for (std::int64_t y = 0; y < bare.height; ++y) {
    double const share = double(bare.height - 1 - y) / double(bare.height - 1);
    CHECK(at(bar, top + y) == gray(std::lround(255 * share)));
  }
}

TEST_CASE("twelve colors of parts differ, also for eyes that do not see red or green") {
  auto const colors = distinct_colors();
  auto const apart = [&](int a, int b) {
    color const one = colors(a / 11.0), other = colors(b / 11.0);
    return std::abs(one.red - other.red) + std::abs(one.green - other.green) +
           std::abs(one.blue - other.blue);
  };
  for (int a = 0; a < 12; ++a)
    for (int b = 0; b < a; ++b)
      CHECK(apart(a, b) > 50);
}

TEST_CASE("a field of one axis is a strip") {
  Grid<1> const grid(world(), {.cells = {40}, .neighborhood = von_neumann(3)});
  check_picture(numbered<float>(grid), grays(), 40, 32,
                [](auto x, auto) { return cell_index<1>{x}; });
}

TEST_CASE("a field of three axes is shown by a slice") {
  Grid<3> const grid(world(), {.cells = {9, 8, 11}});
  auto options = grays();
  auto const field = numbered<int>(grid);
  check_picture(field, options, 11, 8, [](auto x, auto y) { return cell_index<3>{4, 7 - y, x}; });
  options.slice_axis = 1;
  options.slice = 7;
  check_picture(field, options, 11, 9, [](auto x, auto y) { return cell_index<3>{8 - y, 7, x}; });
  options.slice_axis = 2;
  options.slice = 0;
  check_picture(field, options, 8, 9, [](auto x, auto y) { return cell_index<3>{8 - y, x, 0}; });
}

TEST_CASE("what cannot be drawn or written is refused on all ranks") {
  Grid<3> const grid(world(), {.cells = {9, 8, 11}});
  auto const field = numbered<int>(grid);
  auto wrong = grays();
  wrong.slice = 9;
  CHECK_THAT(refusal(field, "no.png", wrong), Contains("slice 9 across axis 0 (expected 0 to 8)"));
  wrong = grays();
  wrong.slice_axis = 3;
  CHECK_THAT(refusal(field, "no.png", wrong), Contains("axis 3 (expected 0 to 2)"));
  wrong = grays();
  wrong.range = {{1, 1}};
  CHECK_THAT(refusal(field, "no.png", wrong), Contains("from 1 to 1 (expected ascending)"));
  wrong = grays();
  wrong.largest_side = 0;
  CHECK_THAT(refusal(field, "no.png", wrong), Contains("largest side 0"));
  CHECK_THAT(refusal(field, "nowhere/no.png", grays()), Contains("'nowhere/no.png'"));
  {
    file_size_limit const limit(64);
    CHECK_THAT(refusal(field, "u-0017.png", grays()),
               Contains("picture: cannot write 'u-0017.png': File too large"));
  }
  mpi::barrier(grid.base());
  CHECK_FALSE(std::filesystem::exists("no.png"));
  CHECK_FALSE(std::filesystem::exists("u-0017.png"));
}

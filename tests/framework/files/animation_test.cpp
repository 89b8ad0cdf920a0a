// Animations are read back with libwebp by rank 0, frame by frame.
#include <support/catch.hpp>
#include <support/files.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/files/animation.hpp>

#include <webp/demux.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

using namespace seam;
using namespace seam::testing;

namespace {

using Catch::Contains;

/// A frame and when it ends.
struct read_frame {
  picture shown;
  int end; ///< [ms]
};

std::vector<read_frame> read_webp(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  std::string const bytes(std::istreambuf_iterator<char>(file), {});
  WebPAnimDecoderOptions options;
  WebPAnimDecoderOptionsInit(&options);
  options.color_mode = MODE_RGBA;
  WebPData const data{reinterpret_cast<std::uint8_t const*>(bytes.data()), bytes.size()};
  std::unique_ptr<WebPAnimDecoder, decltype(&WebPAnimDecoderDelete)> const decoder(
      WebPAnimDecoderNew(&data, &options), WebPAnimDecoderDelete);
  REQUIRE(decoder != nullptr);
  WebPAnimInfo info;
  REQUIRE(WebPAnimDecoderGetInfo(decoder.get(), &info) != 0);
  std::vector<read_frame> frames;
  while (WebPAnimDecoderHasMoreFrames(decoder.get()) != 0) {
    std::uint8_t* pixels = nullptr;
    int end = 0;
    REQUIRE(WebPAnimDecoderGetNext(decoder.get(), &pixels, &end) != 0);
    picture shown{info.canvas_width, info.canvas_height, {}};
    for (std::int64_t k = 0; k < shown.width * shown.height; ++k, pixels += 4)
      shown.pixels.push_back({pixels[0], pixels[1], pixels[2]});
    frames.push_back({std::move(shown), end});
  }
  return frames;
}

bool are_same(picture const& a, picture const& b) {
  return a.width == b.width && a.height == b.height && a.pixels == b.pixels;
}

bool is_first() { return mpi::comm_view(MPI_COMM_WORLD).rank() == 0; }

/// Numbers of which none recurs, on rank 0.
shown_numbers numbers_of(int frame) {
  shown_numbers numbers{7, 5, {}};
  if (is_first())
    for (int k = 0; k < 35; ++k)
      numbers.values.push_back(std::sin(0.3 * k) + frame);
  return numbers;
}

shown_numbers scaled(double by) {
  shown_numbers numbers = numbers_of(0);
  for (double& value : numbers.values)
    value *= by;
  return numbers;
}

/// No frames on other ranks.
std::vector<read_frame> read_by_rank_0(std::string const& path) {
  return is_first() ? read_webp(path) : std::vector<read_frame>();
}

} // namespace

TEST_CASE("an animation shows each frame for its time, in the colors that were drawn") {
  auto const all = world();
  picture_options const fixed{.range = {{-1, 5}}, .wanted_width = 20};
  animation frames(all, "frames.webp", 40);
  for (int frame = 0; frame < 5; ++frame)
    frames.add(numbers_of(frame), fixed);
  frames.finish();
  auto const read = read_by_rank_0("frames.webp");
  CHECK(read.size() == (all.rank() == 0 ? 5 : 0));
  for (int frame = 0; frame < std::ssize(read); ++frame) {
    CHECK(are_same(read[frame].shown, draw(numbers_of(frame), fixed)));
    CHECK(read[frame].end == 40 * (frame + 1));
  }
  mpi::barrier(all);
}

TEST_CASE("without a range colors reach over all numbers so far") {
  auto const all = world();
  animation frames(all, "grows.webp");
  for (double const scale : {1.0, 0.5, 4.0, std::nan("")})
    frames.add(scaled(scale));
  frames.finish();
  auto const read = read_by_rank_0("grows.webp");
  CHECK(read.size() == (all.rank() == 0 ? 4 : 0));
  if (read.size() == 4) {
    auto const [least, largest] = std::ranges::minmax(scaled(1).values);
    picture_options const options{.range = {{least, largest}}};
    CHECK(are_same(read[0].shown, draw(scaled(1), options)));
    CHECK(are_same(read[1].shown, draw(scaled(0.5), options)));
    CHECK(are_same(read[2].shown, read[0].shown)); // both reach over their whole range
  }
  mpi::barrier(all);
}

TEST_CASE("an animation of a field is the same bytes on any ranks") {
  auto const all = world(), single = Communicator::dup(MPI_COMM_SELF);
  auto const film = [](Communicator const& over, std::string const& path) {
    Grid<2> const grid(over, {.cells = {30, 23}});
    auto u = grid.field<double>("u");
    animation frames(over, path);
    for (int step = 0; step < 3; ++step) {
      u.fill([=](auto x) { return std::cos(7 * x[0] - step) * x[1]; });
      frames.add(u);
    }
    frames.finish();
  };
  auto const path = "alone" + std::to_string(all.rank()) + ".webp";
  film(all, "together.webp");
  film(single, path);
  CHECK((content_of("together.webp") == content_of(path)));
  mpi::barrier(all);
}

TEST_CASE("frames that do not fit are refused by all ranks, and leave an older file") {
  auto const all = world();
  if (all.rank() == 0)
    std::ofstream("older.webp") << "older";
  mpi::barrier(all);
  {
    animation frames(all, "older.webp");
    CHECK_THAT(refusal_of([&] { frames.finish(); }), Contains("no frames (expected at least 1)"));
    frames.add(numbers_of(0));
    CHECK_THAT(refusal_of([&] {
                 frames.add(shown_numbers{3, 3, std::vector<double>(9)});
               }),
               Contains("(expected 518 x 370, as the first)"));
  }
  CHECK(content_of("older.webp") == "older");
  CHECK_THAT(refusal_of([&] { animation(all, "nowhere/u.webp"); }), Contains("nowhere/u.webp"));
  CHECK_THAT(refusal_of([&] { animation(all, "u.webp", 0); }),
             Contains("0 ms (expected 1 or more)"));
  animation wide(all, "wide.webp");
  picture const row{20000, 1, std::vector<color>(20000)};
  CHECK_THAT(refusal_of([&] { wide.add(row); }),
             Contains("20000 x 1 pixels (expected at most 16383"));
  CHECK(!std::filesystem::exists("wide.webp"));
  mpi::barrier(all);
}

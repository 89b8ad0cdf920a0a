// When a run is drawn: by times that no clock has measured. What the terminal shows is tested by
// programs on terminals (solve/watched).
#include <support/catch.hpp>

#include <seam/framework/solve/live_picture.hpp>

using namespace seam;
using namespace seam::testing;

using detail::watch_pace;

TEST_CASE("drawing takes its share of the time and no more") {
  for (double const cost : {0.0001, 0.003, 0.2, 1.0})
    for (double const share : {0.01, 0.05, 0.5, 1.0}) {
      watch_pace pace(share, 0);
      double now = 0, spent = 0;
      int num_pictures = 0;
      pace.count(now, now + cost); // the first picture, which is always drawn
      now += cost;
      spent = now;
      while (now < 300) {
        now += 0.01; // of computation
        if (!pace.is_time(now))
          continue;
        pace.count(now, now + cost);
        now += cost;
        spent += cost;
        ++num_pictures;
        REQUIRE(spent <= share * now + 1e-9);
      }
      CHECK(num_pictures >= 1);
    }
}

TEST_CASE("there are at most 25 pictures in a second") {
  watch_pace pace(1, 0);
  pace.count(0, 0);
  CHECK(!pace.is_time(0.039));
  CHECK(pace.is_time(0.041));
}

TEST_CASE("looks are some hundredths of a second apart") {
  CHECK(watch_pace::better_steps(8, 0.001) == 16);
  CHECK(watch_pace::better_steps(8, 0.02) == 8);
  CHECK(watch_pace::better_steps(8, 1) == 4);
  CHECK(watch_pace::better_steps(1, 1) == 1);
  CHECK(watch_pace::better_steps(1 << 20, 0) == 1 << 20);
}

TEST_CASE("pictures fit into the terminal by whole factors") {
  auto const size_of = [](std::int64_t width, std::int64_t height, detail::terminal_size size) {
    shown_numbers const numbers{width, height, std::vector<double>(width * height)};
    auto const drawn = detail::draw_for_terminal(numbers, {.range = {{0, 1}}}, size);
    return std::pair(drawn.width, drawn.height);
  };
  CHECK(size_of(80, 46, {80, 24}) == std::pair<std::int64_t, std::int64_t>{80, 46});
  CHECK(size_of(8, 8, {80, 24}) == std::pair<std::int64_t, std::int64_t>{40, 40});
  CHECK(size_of(81, 46, {80, 24}) == std::pair<std::int64_t, std::int64_t>{41, 23});
  CHECK(size_of(100, 1000, {80, 24}) == std::pair<std::int64_t, std::int64_t>{5, 46});
  CHECK(size_of(7, 3, {1, 1}) == std::pair<std::int64_t, std::int64_t>{1, 1});
}

TEST_CASE("a character has two pixels, and colors that change") {
  color const red{255, 0, 0}, blue{0, 0, 255};
  CHECK(detail::half_blocks({2, 3, {red, red, red, blue, blue, blue}}) ==
        "\033[38;2;255;0;0m\033[48;2;255;0;0m\u2580\033[48;2;0;0;255m\u2580\033[0m\033[K\n"
        "\033[38;2;0;0;255m\u2580\u2580\033[0m\033[K\n");
}

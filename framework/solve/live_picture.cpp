#include <seam/framework/solve/live_picture.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/framework/program/terminal.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>

namespace seam::detail {
namespace {

std::int64_t quotient_up(std::int64_t dividend, std::int64_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

void append_color(std::string& to, int layer, color const& of) {
  fmt::format_to(std::back_inserter(to), "\033[{};2;{};{};{}m", layer, of.red, of.green, of.blue);
}

} // namespace

picture draw_for_terminal(shown_numbers const& numbers, picture_options options,
                          terminal_size const& size) {
  std::int64_t const width = std::max(1, size.columns), height = std::max(2, 2 * (size.rows - 1));
  std::int64_t const longest = std::max(numbers.width, numbers.height);
  std::int64_t const reduced =
      std::max(quotient_up(numbers.width, width), quotient_up(numbers.height, height));
  std::int64_t const enlarged =
      std::max<std::int64_t>(1, std::min(width / numbers.width, height / numbers.height));
  options.largest_side = reduced > 1 ? quotient_up(longest, reduced) : longest * enlarged;
  options.wanted_width = reduced > 1 ? 1 : numbers.width * enlarged;
  return draw(numbers, options);
}

std::string half_blocks(picture const& drawn) {
  constexpr int foreground = 38, background = 48;
  std::string lines;
  for (std::int64_t y = 0; y < drawn.height; y += 2) {
    color const* const upper = &drawn.pixels[y * drawn.width];
    bool const has_lower = y + 1 < drawn.height;
    for (std::int64_t x = 0; x < drawn.width; ++x) {
      if (x == 0 || !(upper[x] == upper[x - 1]))
        append_color(lines, foreground, upper[x]);
      if (has_lower && (x == 0 || !(upper[drawn.width + x] == upper[drawn.width + x - 1])))
        append_color(lines, background, upper[drawn.width + x]);
      lines += "\u2580";
    }
    lines += "\033[0m\033[K\n";
  }
  return lines;
}

} // namespace seam::detail

namespace seam {
using namespace detail;

namespace {

constexpr int watched_stream = 2; // stderr, as progress

} // namespace

bool detail::watch_pace::is_time(double now) const {
  constexpr double shortest = 0.04; // [s] 25 pictures in a second
  return now - last_drawn_ >= shortest && spent_ + last_cost_ <= share_ * (now - begin_);
}

void detail::watch_pace::count(double begin, double end) {
  last_cost_ = end - begin;
  spent_ += last_cost_;
  last_drawn_ = end;
}

std::int64_t detail::watch_pace::better_steps(std::int64_t steps, double seconds) {
  constexpr std::int64_t most = 1 << 20;
  constexpr double short_time = 0.01, long_time = 0.04;
  if (seconds < short_time)
    return std::min(most, 2 * steps);
  return seconds > long_time ? std::max<std::int64_t>(1, steps / 2) : steps;
}

void watch_options::add_options(option_list cli) {
  cli.add_flag("--watch", is_wanted, "draw the state in the terminal");
  cli.add("--watch-share", percent, "largest share of the time for drawing, in percent")
      .between(0.01, 100.0)
      .needs("--watch");
}

watch::watch(mpi::comm_view over, watch_options const& wanted, picture_options options)
    : over_(over), options_(std::move(options)), is_on_(false), pace_(wanted.percent / 100, 0) {
  if (!wanted.is_wanted)
    return;
  int const is_seen = over_.rank() == 0 && reaches_terminal(watched_stream) ? 1 : 0;
  is_on_ = largest_of_all(over_, is_seen) != 0;
  if (!is_on_ && over_.rank() == 0)
    write_to_stderr("watch: stderr is not shown on a terminal: nothing is drawn\n");
}

double watch::now() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - origin_).count();
}

std::int64_t watch::until_look(std::int64_t step, std::int64_t most) const noexcept {
  return is_on_ ? std::clamp<std::int64_t>(last_look_ + steps_at_once_ - step, 1, most) : most;
}

void watch::look(std::int64_t step, gatherer const& gather) {
  if (!is_on_ || step - last_look_ < steps_at_once_)
    return;
  std::array<std::int64_t, 2> agreed{
      pace_.is_time(now()) ? 1 : 0,
      watch_pace::better_steps(steps_at_once_, now() - time_of_look_)};
  mpi::bcast(over_, std::span<std::int64_t>(agreed), 0);
  if (agreed[0] != 0)
    draw(gather);
  steps_at_once_ = agreed[1];
  last_look_ = step;
  time_of_look_ = now();
}

void watch::draw(gatherer const& gather) {
  if (!is_on_)
    return;
  double const begin = now();
  auto const numbers = gather();
  collectively(over_, [&] {
    if (over_.rank() != 0)
      return;
    auto const drawn = draw_for_terminal(numbers, options_, size_of_terminal(watched_stream));
    draw_lines(half_blocks(drawn), num_lines_of(drawn));
  });
  pace_.count(begin, now());
}

} // namespace seam

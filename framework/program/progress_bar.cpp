#include <seam/framework/program/progress_bar.hpp>

#include <seam/framework/program/print.hpp>
#include <seam/framework/program/terminal.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace seam {
using namespace detail;

namespace {

using namespace std::chrono_literals;

constexpr auto between_drawings = 100ms;
constexpr auto between_looks = 10ms;

std::string rate_in_words(double rate) {
  constexpr char const* prefixes[] = {"", "k", "M", "G", "T"};
  int p = 0;
  for (; rate >= 1000 && p + 1 < std::ssize(prefixes); ++p)
    rate /= 1000;
  return fmt::format("{:.3g}{}/s", rate, prefixes[p]);
}

std::string time_in_words(double seconds) {
  constexpr double longest_shown = 1e6;
  auto const whole = std::llround(std::min(seconds, longest_shown));
  if (whole >= 3600)
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string bar_of(double fraction) {
  constexpr int width = 20;
  auto const full = std::lround(width * fraction);
  return std::string(full, '#') + std::string(width - full, '.');
}

} // namespace

std::string detail::progress_in_words(std::string const& what, std::int64_t done,
                                      std::int64_t total, double seconds) {
  double const rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  if (total <= 0)
    return fmt::format("{} {} {} {}", what, done, rate_in_words(rate), time_in_words(seconds));
  double const fraction =
      std::clamp(static_cast<double>(done) / static_cast<double>(total), 0., 1.);
  double const left = static_cast<double>(std::max<std::int64_t>(total - done, 0));
  return fmt::format("{} {}/{} {}% [{}] {} {} left", what, done, total,
                     static_cast<int>(100 * fraction), bar_of(fraction), rate_in_words(rate),
                     rate > 0 ? time_in_words(left / rate) : "?");
}

progress::progress(mpi::comm_view over, std::string what, std::int64_t total)
    : what_(std::move(what)),
      total_(total),
      is_shown_(over.rank() == 0 && detail::reaches_terminal(2)),
      next_look_(is_shown_ ? 1 : std::numeric_limits<std::int64_t>::max()) {}

progress::~progress() {
  if (is_shown_)
    detail::erase_foot();
}

void progress::look() {
  auto const now = clock::now();
  // Reads the clock about once in every between_looks: the stride doubles while steps are fast.
  stride_ = now - last_look_ < between_looks ? stride_ * 2 : std::max<std::int64_t>(stride_ / 2, 1);
  last_look_ = now;
  next_look_ = done_ + stride_;
  if (now - last_drawn_ < between_drawings)
    return;
  last_drawn_ = now;
  std::chrono::duration<double> const elapsed = now - begin_;
  detail::draw_foot(detail::progress_in_words(what_, done_, total_, elapsed.count()));
}

void print(mpi::comm_view over, std::string_view text) {
  if (over.rank() != 0)
    return;
  auto const before = detail::before_line_on_stdout();
  std::fwrite(before.data(), 1, before.size(), stdout);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

} // namespace seam

// Line plots are drawn by gnuplot as SVG, in which rank 0 looks for the curves and the words.
#include <support/catch.hpp>
#include <support/files.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/framework/files/line_plot.hpp>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <regex>
#include <string>

using namespace seam;
using namespace seam::testing;

namespace {

using Catch::Contains;

/// How many points the longest curve of an SVG file has: it moves to the first, and draws lines to
/// all others.
std::ptrdiff_t points_of_longest_curve(std::string const& svg) {
  std::regex const curve("<path [^>]*d='([^']*)'"), place("[0-9.]+,[0-9.]+");
  std::ptrdiff_t longest = 0;
  for (std::sregex_iterator each(svg.begin(), svg.end(), curve), end; each != end; ++each) {
    std::string const drawn = (*each)[1];
    longest = std::max(longest,
                       std::distance(std::sregex_iterator(drawn.begin(), drawn.end(), place), end));
  }
  return longest;
}

/// The file on rank 0, nothing elsewhere.
std::string read_by_rank_0(Communicator const& all, std::string const& path) {
  std::string const read = all.rank() == 0 ? content_of(path) : "";
  mpi::barrier(all);
  return read;
}

/// Hides all programs while it lives.
class without_programs {
public:
  without_programs() : path_(std::getenv("PATH")) { setenv("PATH", "/nowhere", 1); }
  without_programs(without_programs const&) = delete;
  without_programs& operator=(without_programs const&) = delete;
  ~without_programs() { setenv("PATH", path_.c_str(), 1); }

private:
  std::string path_;
};

} // namespace

TEST_CASE("a plot has a panel for each quantity, with its points, and decades where they are") {
  auto const all = world();
  constexpr int num_points = 73;
  line_plot plot(all, "two's_plots.svg", "iterations");
  for (int n = 0; n < num_points; ++n) {
    plot.add("residual", n, std::pow(0.9, n));
    plot.add("seconds_per_step", n, 2 + std::sin(n));
  }
  plot.add("residual", num_points, std::numeric_limits<double>::quiet_NaN());
  plot.finish();
  auto const svg = read_by_rank_0(all, "two's_plots.svg");
  if (all.rank() != 0)
    return;
  CHECK_THAT(svg, Contains("<svg") && Contains("</svg>"));
  CHECK_THAT(svg, Contains("iterations") && Contains("residual") && Contains("seconds_per_step"));
  CHECK_THAT(svg, Contains("1e-03") && Contains("3.5"));
  CHECK(points_of_longest_curve(svg) == num_points);
}

TEST_CASE("a plot may have one point, zeros and negative numbers, and be a PNG file") {
  auto const all = world();
  line_plot plot(all, "point.png", "steps");
  plot.add("change", 5, 0.0);
  plot.finish();
  line_plot negative(all, "negative.svg", "steps");
  for (int n = 0; n < 3; ++n)
    negative.add("balance", n, n * 1000 - 1);
  negative.finish();
  if (all.rank() == 0)
    CHECK(content_of("point.png").substr(1, 3) == "PNG");
  auto const svg = read_by_rank_0(all, "negative.svg");
  if (all.rank() == 0)
    CHECK_THAT(svg, Contains("2000") && !Contains("1e+03"));
}

TEST_CASE("plots that cannot be drawn are refused on all ranks, before anything is computed") {
  auto const all = world();
  CHECK_THAT(refusal_of([&] { line_plot(all, "u.pdf", "steps"); }),
             Contains("plot: 'u.pdf' (expected a name that ends with .svg or .png)"));
  CHECK_THAT(refusal_of([&] { line_plot(all, "no/where/u.svg", "steps"); }), Contains("no/where"));
  CHECK_THAT(refusal_of([&] { line_plot(all, "empty.svg", "steps").finish(); }),
             Contains("plot: no points (expected at least 1)"));
  without_programs const now;
  CHECK_THAT(
      refusal_of([&] { require_plot(all, "u.svg", "--plot"); }),
      Contains("--plot 'u.svg': gnuplot, which draws it, does not run (expected it on PATH)"));
}

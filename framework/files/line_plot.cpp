#include <seam/framework/files/line_plot.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/framework/files/output_file.hpp>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace seam {
using namespace detail;

namespace {

/// Runs gnuplot without the user's settings on the file `input`; its messages are lost. Returns its exit
/// status, as shells do.
int run_gnuplot(std::string const& input) {
  int const status =
      std::system(("gnuplot --default-settings " + input + " >/dev/null 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Carries out a script, from a file in memory that gnuplot inherits.
/// @throws usage_error  gnuplot does not run, or refuses the script
/// Local.
/// Cost: waits for the child.
void carry_out(std::string const& script) {
  int const number = memfd_create("gnuplot", 0);
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const file(fdopen(number, "w"), std::fclose);
  if (!file || std::fwrite(script.data(), 1, script.size(), file.get()) != script.size() ||
      std::fflush(file.get()) != 0)
    refuse("plot: no memory for gnuplot's script");
  if (int const status = run_gnuplot(fmt::format("/dev/fd/{}", number)); status != 0)
    refuse(fmt::format("plot: gnuplot ended with {} (expected 0)", status));
}

constexpr int panel_width = 800, panel_height = 300; ///< [pixels]

/// Fewer points are marked each.
constexpr std::ptrdiff_t few_points = 50;

/// The text as a string of gnuplot.
std::string gnuplot_string(std::string_view text) {
  std::string quoted = "'";
  for (char const character : text)
    quoted += character == '\'' ? "''" : std::string(1, character);
  return quoted + "'";
}

bool spans_decades(std::vector<std::pair<double, double>> const& points) {
  constexpr double two_decades = 100;
  auto const [least, largest] =
      std::ranges::minmax_element(points, {}, [](auto const& point) { return point.second; });
  return least->second > 0 && largest->second >= two_decades * least->second;
}

} // namespace

void require_plot(mpi::comm_view over, std::string const& path, std::string const& option) {
  collectively(over, [&] {
    if (!path.ends_with(".svg") && !path.ends_with(".png"))
      refuse(fmt::format("{} '{}' (expected a name that ends with .svg or .png)", option, path));
    if (over.rank() == 0 && run_gnuplot("/dev/null") != 0)
      refuse(fmt::format("{} '{}': gnuplot, which draws it, does not run (expected it on PATH)",
                         option, path));
  });
}

line_plot::line_plot(mpi::comm_view over, std::string path, std::string along)
    : over_(over), path_(std::move(path)), along_(std::move(along)) {
  call_scope const here("plot");
  require_plot(over_, path_);
  require_writable(over_, path_);
}

void line_plot::add(std::string_view quantity, double at, double value) {
  if (over_.rank() != 0 || !std::isfinite(at) || !std::isfinite(value))
    return;
  auto found = std::ranges::find(panels_, quantity, &panel::quantity);
  if (found == panels_.end())
    found = panels_.insert(found, {std::string(quantity), {}});
  found->points.emplace_back(at, value);
}

std::string line_plot::script_of(panel const& drawn) {
  bool const is_logarithmic = spans_decades(drawn.points);
  std::string text = "$points << end_of_points\n";
  for (auto const& [at, value] : drawn.points)
    text += fmt::format("{:.17g} {:.17g}\n", at, value);
  return text + fmt::format("end_of_points\n"
                            "set ylabel {}\n{}\n"
                            "plot $points with {}\n",
                            gnuplot_string(drawn.quantity),
                            is_logarithmic ? "set logscale y; set format y '%.0e'"
                                           : "unset logscale y; set format y '%g'",
                            std::ssize(drawn.points) < few_points ? "linespoints" : "lines");
}

std::string line_plot::script(std::string const& output) const {
  std::string text = fmt::format("set terminal {} noenhanced size {}, {} background 'white'\n"
                                 "set output {}\n"
                                 "set grid; unset key; set xlabel {}\n"
                                 "set multiplot layout {}, 1\n",
                                 path_.ends_with(".svg") ? "svg" : "png", panel_width,
                                 panel_height * panels_.size(), gnuplot_string(output),
                                 gnuplot_string(along_), panels_.size());
  for (panel const& each : panels_)
    text += script_of(each);
  return text + "unset multiplot\nunset output\n";
}

void line_plot::finish() {
  call_scope const here("plot");
  output_file(over_, path_).write_on_rank_0([&](std::string const& temporary) {
    if (panels_.empty())
      refuse("plot: no points (expected at least 1)");
    carry_out(script(temporary));
  });
}

} // namespace seam

/// Line plots: numbers of a run over its steps, such as residuals and times, drawn by gnuplot.
///
///     line_plot plot(grid.base(), "residual.svg", "iterations");
///     while (...) {
///       ...
///       plot.add("residual", n, residual);
///       plot.add("seconds", n, seconds);
///     }
///     plot.finish();                     // two panels, one above the other
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seam {

/// One picture, with a panel for each quantity. Rank 0 keeps the points until finish(): a run that is
/// killed leaves no file.
/// Threads: one at a time.
class line_plot {
public:
  /// @param path   of the picture: FILE.svg or FILE.png
  /// @param along  what the horizontal axis counts: "iterations"
  /// @throws usage_error  another suffix, the file cannot be written, or rank 0 finds no gnuplot (on
  ///         all ranks)
  /// Collective: over `over`, which outlives this object.
  line_plot(mpi::comm_view over, std::string path, std::string along);

  /// Adds a point to the panel of `quantity`, which is made with its first point. Numbers that are
  /// not finite are left out. Points of other ranks than 0 are not drawn.
  /// Local.
  void add(std::string_view quantity, double at, double value);

  /// Draws the picture, which replaces an older one. The axis of a quantity is logarithmic if its
  /// numbers are positive and the largest is at least 100 times the least.
  /// @throws usage_error  there are no points, gnuplot refuses them, or the file cannot be written (on
  ///         all ranks)
  /// Collective: over `over`.
  /// Cost: rank 0 runs gnuplot.
  void finish();

private:
  struct panel {
    std::string quantity;
    std::vector<std::pair<double, double>> points;
  };

  std::string script(std::string const& output) const;
  static std::string script_of(panel const& drawn);

  mpi::comm_view over_;
  std::string path_, along_;
  std::vector<panel> panels_; ///< on rank 0
};

/// Checks, before a program computes, that it can draw its plot: by the suffix of its file, and by
/// looking for gnuplot on rank 0.
/// @param option  that names the file: "--plot"
/// @throws usage_error  another suffix, or no gnuplot (on all ranks)
/// Collective: over `over`.
void require_plot(mpi::comm_view over, std::string const& path,
                  std::string const& option = "plot:");

} // namespace seam

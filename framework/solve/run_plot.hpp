/// Plots of a run: its residuals and the time of its steps, as --plot asks for.
///
///     run_plot plot(grid.base(), wanted.plot, "iterations");
///     plot.begin(0);
///     while (...) {
///       ...                                  // computes some steps
///       plot.look(num_steps);                // the time that a step of these has taken
///       plot.note("residual", num_steps, residual);
///     }
///     plot.finish();
#pragma once

#include <seam/framework/files/line_plot.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace seam {

/// The plot of one run. Without a path it does nothing.
/// Threads: one at a time.
class run_plot {
public:
  /// @param path   of the picture, see line_plot; empty: none is drawn
  /// @param along  what the steps are: "iterations"
  /// @throws usage_error  as line_plot (on all ranks)
  /// Collective: over `over`, which outlives this object.
  run_plot(mpi::comm_view over, std::string const& path, std::string along);

  /// Begins to measure.
  /// @param step  that is done
  /// Local.
  void begin(std::int64_t step);

  /// How many steps to do until the next look, at most `most`: a long run gets a point in each
  /// hundredth of it.
  /// @param last  the step after which the run ends; 0 if that is not known
  /// Local. The same on all ranks.
  std::int64_t until_look(std::int64_t most, std::int64_t last) const noexcept {
    constexpr std::int64_t num_points = 100;
    return plot_ && last > num_points ? std::min(most, last / num_points) : most;
  }

  /// Notes the seconds for each step since begin(), or the last resume(). Local.
  void look(std::int64_t step);

  /// Measures from here on: what lies between look() and this is no part of a step. Local.
  void resume();

  /// Notes a number of the run. Local.
  void note(std::string_view quantity, std::int64_t step, double value);

  /// Draws the picture, if there has been a step.
  /// @throws usage_error  as line_plot::finish() (on all ranks)
  /// Collective: over the ranks of the plot.
  void finish();

private:
  using clock = std::chrono::steady_clock;

  std::optional<line_plot> plot_;
  std::int64_t first_ = 0, step_ = 0; ///< done at begin(), and at the last look
  clock::time_point since_;
};

} // namespace seam

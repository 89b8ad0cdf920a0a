/// Simulations: what programs that run steps on a grid have in common. Options of the command line,
/// progress, and pictures.
///
///     seam::simulation wanted{.cells = 256, .steps = 2000};
///     run_program(argc, argv, [&](CLI::App& cli) { wanted.add_options(cli, "the pressure"); },
///                 [&](Runtime& runtime) {
///                   wanted.check_outputs(runtime);    // before the long computation
///                   ...
///                   wanted.run(step, p);
///                   wanted.draw(p);
///                 });
#pragma once

#include <seam/framework/files/output_file.hpp>
#include <seam/framework/files/picture.hpp>
#include <seam/framework/program/progress.hpp>
#include <seam/framework/program/runtime.hpp>
#include <seam/stencil/steps.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace seam {

/// Size, length, fusion and pictures of a simulation. A value; first values are the defaults of the
/// options.
struct simulation {
  int cells = 256;             ///< on each axis
  int fewest_cells = 3;        ///< that the user may ask for
  std::int64_t steps = 0;      ///< 0: the length is a time, or the program's own
  double time = 0;             ///< 0: the length is a number of steps, or the program's own
  std::int64_t every = 0;      ///< steps between two pictures of a series; 0: there is none
  std::string fusion = "auto"; ///< off, auto (by measurement), or how many steps are fused
  std::string picture = {};

  /// Adds --cells and --picture; if `steps` or `time` is not 0, --steps or --time, and --fusion and
  /// --every. `cli` keeps a reference to this.
  /// @param shown  what pictures show
  /// Local.
  void add_options(CLI::App& cli, std::string const& shown);

  /// Checks that the pictures can be written.
  /// @throws usage_error  as require_writable() (on all ranks)
  /// Collective: over the runtime.
  void check_outputs(Runtime& runtime) const;

  /// Fuses steps as wanted.
  template <int D>
  void fuse(Steps<D>& step) const {
    if (fusion == "auto")
      step.fuse_by_measurement();
    else
      step.fuse(fusion == "off" ? 1 : std::stoi(fusion));
  }

  /// Fuses steps, runs `count` of them, or all, and draws the series.
  /// Collective: over the grid.
  template <class T, int D>
  void run(Steps<D>& step, Field<T, D> const& shown, std::int64_t count) const {
    progress bar(shown.grid().base(), "steps", count);
    fuse(step);
    for (std::int64_t const end = step.num_steps() + count; step.num_steps() < end;) {
      auto const until_look = every > 0 ? every - step.num_steps() % every : steps_between_looks;
      auto const part = std::min(until_look, end - step.num_steps());
      step.run(part);
      bar.advance(part);
      if (every > 0 && step.num_steps() % every == 0 && !picture.empty())
        write_png(shown, numbered_path(picture, step.num_steps()));
    }
  }
  template <class T, int D>
  void run(Steps<D>& step, Field<T, D> const& shown) const {
    run(step, shown, steps);
  }

  /// Runs steps, some at a time, until a value that they change has reached `time`, and draws the
  /// series.
  /// Collective: over the grid.
  template <class T, int D>
  void run_until(Steps<D>& step, Field<T, D> const& shown, Value<double> const& now) const {
    while (now < time)
      run(step, shown, steps_between_looks_at_time);
  }

  /// Draws the picture, if one is wanted.
  /// Collective: over the field's grid.
  template <class T, int D>
  void draw(Field<T, D> const& shown) const {
    if (!picture.empty())
      write_png(shown, picture);
  }

private:
  static constexpr std::int64_t steps_between_looks = 1000, steps_between_looks_at_time = 8;
};

} // namespace seam

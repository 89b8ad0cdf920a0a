/// Simulations: what programs that run steps on a grid or a mesh have in common. Options of the command
/// line, progress, outputs and checkpoints.
///
///     seam::simulation wanted{.cells = 256, .steps = 2000};
///     run_program(argc, argv, [&](option_list cli) { wanted.add_options(cli, "the pressure"); },
///                 [&](Runtime& runtime) {
///                   wanted.begin(runtime);            // before the long computation
///                   ...
///                   run_outputs seen = wanted.outputs_of(p);
///                   checkpoints kept(grid.base(), wanted.restart, p);
///                   wanted.run(step, seen, kept);
///                   seen.finish(step.num_steps());
///                   wanted.finish(p);
///                 });
///
/// On a mesh there are no cells on each axis: simulation wanted{.cells = 0, .time = 1}, and fields are
/// MeshFields.
#pragma once

#include <seam/framework/checkpoint/checkpoints.hpp>
#include <seam/framework/program/option_list.hpp>
#include <seam/framework/program/progress_bar.hpp>
#include <seam/framework/program/runtime.hpp>
#include <seam/framework/solve/outputs.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace seam {

/// Size, length, fusion, outputs and checkpoints of a simulation. A value; first values are the
/// defaults of the options.
struct simulation {
  int cells = 256;             ///< on each axis; 0: of a mesh
  int fewest_cells = 3;        ///< that the user may ask for
  std::int64_t steps = 0;      ///< 0: the length is a time
  double time = 0;             ///< 0: the length is a number of steps
  std::string fusion = "auto"; ///< off, auto (by measurement), or how many steps are fused
  output_options outputs = {};
  checkpoint_options restart = {};

  /// Adds --cells (64 or 64x64), --steps and --time, those which are not 0, --fusion, and the options of
  /// outputs and checkpoints. `cli` keeps a reference to this.
  /// @param shown  what outputs show
  /// Local.
  void add_options(option_list cli, std::string const& shown);

  /// Checks that the outputs can be written, and prints on how many ranks and threads the program runs.
  /// @param input  the file that the program reads; may be empty
  /// @throws usage_error  as output_options::check() (on all ranks)
  /// Collective: over the runtime.
  void begin(Runtime& runtime, std::string const& input = "") const;

  /// Fuses steps as wanted.
  template <int D>
  void fuse(Steps<D>& step) const {
    if (fusion == "auto")
      step.fuse_by_measurement();
    else
      step.fuse(fusion == "off" ? 1 : std::stoi(fusion));
  }

  /// The outputs of a run that shows `field`.
  /// Local.
  template <class FieldOfAnyKind>
  run_outputs outputs_of(FieldOfAnyKind const& field) const {
    return {outputs, field, steps};
  }

  /// Fuses steps, runs them until `end` of them are done, counted from that of the checkpoint that
  /// `kept` has read, and writes the series.
  /// @param kept  of the state that the steps change
  /// @throws usage_error  if the checkpoint has more steps than the run is to have (on all ranks)
  /// Collective: over the grid.
  template <int D>
  void run_to(std::int64_t end, Steps<D>& step, run_outputs& seen, checkpoints& kept) const {
    kept.require_end(std::max(end, steps), steps > 0 ? "--steps" : "--time");
    if (step.num_steps() < kept.first_step())
      step.continue_at(kept.first_step());
    seen.begin(step.num_steps());
    progress bar(seen.over(), "steps", std::max<std::int64_t>(0, end - step.num_steps()));
    fuse(step);
    while (step.num_steps() < end) {
      auto const most = std::min(steps_between_looks, end - step.num_steps());
      auto const part = kept.until_look(step.num_steps(), seen.until_look(step.num_steps(), most));
      step.run(part);
      bar.advance(part);
      seen.look(step.num_steps());
      kept.look(step.num_steps());
    }
  }

  /// Runs all steps.
  /// @throws usage_error  as run_to()
  /// Collective: over the grid.
  template <int D>
  void run(Steps<D>& step, run_outputs& seen, checkpoints& kept) const {
    run_to(steps, step, seen, kept);
  }

  /// Runs steps, some at a time, until a value that they change has reached `time`, and writes the
  /// series. It looks at the time at the same steps after a restart, so that a run ends at the same step
  /// however often it has been stopped.
  /// @param now, looked  the time, and that of the last look, which this sets; of the state that `kept`
  ///                     keeps
  /// @throws usage_error  the checkpoint is of a run that has gone on beyond `time` (on all ranks)
  /// Collective: over the grid.
  template <int D>
  void run_until(Steps<D>& step, run_outputs& seen, Value<double> const& now, Value<double>& looked,
                 checkpoints& kept) const {
    constexpr std::int64_t at_once = steps_between_looks_at_time;
    kept.require_end_time(looked, time, "--time");
    if (step.num_steps() < kept.first_step())
      step.continue_at(kept.first_step());
    for (auto done = step.num_steps(); now < time || done % at_once != 0; done = step.num_steps()) {
      if (done % at_once == 0)
        looked.set(now);
      run_to(done + at_once - done % at_once, step, seen, kept);
    }
  }

  /// Draws the picture, if one is wanted, and prints the names of all files that were written.
  /// Collective: over the field's ranks.
  template <class FieldOfAnyKind>
  void finish(FieldOfAnyKind const& shown) const {
    if (!outputs.picture.empty())
      write_png(shown, outputs.picture, {.with_scale = true});
    outputs.print_names(make_shown(detail::field_to_show<FieldOfAnyKind>{shown}).over);
  }

private:
  static constexpr std::int64_t steps_between_looks = 1000, steps_between_looks_at_time = 8;
};

} // namespace seam

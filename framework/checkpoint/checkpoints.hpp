/// Checkpoints of a program that runs for long: as often as its user wants, after a signal, and
/// read again with --resume.
///
///     checkpoint_options wanted;                          // wanted.add_options(cli)
///     checkpoints kept(grid.base(), wanted, u, next);     // reads u and next with --resume
///     Iterate loop(grid, u, next);
///     kept.require_end(end, "--sweeps");
///     loop.continue_at(kept.first_step());
///     while (loop.num_sweeps() < end) {
///       loop.sweeps(kept.until_look(loop.num_sweeps(), end - loop.num_sweeps()), kernel);
///       kept.look(loop.num_sweeps());                     // writes u and next if it is time
///     }
///
/// The signals SIGTERM and SIGUSR1 to any rank have one more checkpoint written and end the program.
#pragma once

#include <seam/framework/checkpoint/checkpoint.hpp>
#include <seam/framework/program/option_list.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace seam {

/// The options of a user on the command line. The same on all ranks.
struct checkpoint_options {
  std::string every; ///< "1000steps", "30s", "10min" or "2h"; empty: only with `resumes`
  std::string path;  ///< of the series; empty: the program's name with ".h5"
  bool resumes = false;

  /// Adds --checkpoint, --checkpoint-file and --resume. `cli` keeps a reference to this.
  /// Local.
  void add_options(option_list cli);
};

/// The checkpoints of one loop. Without options it does nothing.
/// Threads: one at a time.
class checkpoints {
public:
  /// None are written.
  checkpoints() = default;

  /// Reads the newest checkpoint if the options ask for it.
  /// @param over   all ranks of the state; outlives this
  /// @param state  as in save(); lives as long as this. "step" is the name of the number of steps
  /// @throws usage_error  as load(), also for files of other programs; or there are files of this
  ///         name and the program is not to go on from them, or another job writes them (on all ranks)
  /// Collective: over `over`.
  template <class... State>
  checkpoints(Communicator const& over, checkpoint_options const& wanted, State const&... state) {
    if (!wanted.every.empty() || wanted.resumes)
      begin(over, wanted, detail::all_stored(state...));
  }
  checkpoints(checkpoints&&) noexcept;
  checkpoints& operator=(checkpoints&&) noexcept;
  ~checkpoints();

  /// The step that the state has: that of the checkpoint that was read, or 0.
  std::int64_t first_step() const noexcept;

  /// Refuses to continue from a checkpoint with more steps than the run. Does nothing without
  /// checkpoints.
  /// @param end     the steps of the run, counted from the first run on
  /// @param option  of the command line that says so: "--steps"
  /// @throws usage_error  if first_step() is beyond `end` (on all ranks)
  /// Local. The same on all ranks.
  void require_end(std::int64_t end, std::string_view option) const;

  /// The same of a run that ends at a time.
  /// @param looked  the time when the run that wrote the checkpoint last went on
  /// @param end     at which the run is to end
  /// @throws usage_error  if a checkpoint was read, and `looked` is `end` or later (on all ranks)
  /// Local. The same on all ranks.
  void require_end_time(double looked, double end, std::string_view option) const;

  /// How many steps to do until the next look, at most `most`: enough to make looks rare, but few
  /// enough to notice signals soon.
  /// @param step  that is done
  /// Local. The same on all ranks.
  std::int64_t until_look(std::int64_t step, std::int64_t most) const noexcept;

  /// Writes a checkpoint if it is time, or if a signal has come, and ends the program then.
  /// @param step  that is done, the same on all ranks
  /// @throws usage_error  as save()
  /// Collective: over the ranks, if there are checkpoints.
  /// Cost: an allreduce of a few numbers.
  void look(std::int64_t step);

private:
  struct kept;

  void begin(Communicator const& over, checkpoint_options const& wanted,
             std::vector<detail::stored_array> arrays);

  std::shared_ptr<kept> kept_;
};

} // namespace seam

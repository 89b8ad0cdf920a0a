/// Planned runs: the graphs of a program's steps, each of which is made when it is run first.
#pragma once

#include <seam/exchange/steps/run/step_runner.hpp>
#include <seam/exchange/steps/run/step_storage.hpp>

#include <cstdint>
#include <map>
#include <memory>

namespace seam::detail {

struct step_settings;

/// What is known of copies, and a key of it.
struct known_copies {
  copy_histories all;
  std::uint64_t key = 0;
};

/// A graph of some steps; the buffers that its fields have after them, and what is known of copies then.
struct planned_run {
  std::unique_ptr<step_runner> runner;
  buffer_order after;
  std::shared_ptr<known_copies const> copies;
};

class planned_runs {
public:
  /// @param program, space, storage  outlive this
  planned_runs(step_program const& program, step_space const& space, step_storage& storage)
      : program_(program), space_(space), storage_(storage) {}

  /// Forgets all, when the program or its arrays are others.
  void clear();

  /// Own values may have been changed by others since the last steps: no copies are current.
  void begin_series() { copies_ = unknown_; }

  /// The graph of some steps that begin with the buffers that fields have now, and with the copies of
  /// the steps that were asked for last since begin_series().
  /// Collective: over the space, if it is new; else local.
  planned_run& of(step_range const& steps, step_settings const& settings);

private:
  planned_run made(step_range const& steps, step_settings const& settings);

  step_program const& program_;
  step_space const& space_;
  step_storage& storage_;
  kept_exchanges kept_;
  std::shared_ptr<known_copies const> unknown_ = std::make_shared<known_copies const>();
  std::shared_ptr<known_copies const> copies_ = unknown_; ///< now
  std::map<std::uint64_t, planned_run> by_key_;
};

} // namespace seam::detail

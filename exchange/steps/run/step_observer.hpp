/// Step observers: measure what each thread does in a run of steps, and tell Kokkos' profiling tools.
#pragma once

#include <seam/exchange/steps/flow/step_graph.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace seam::detail {

/// What a kernel has done, or ghosts, messages or waits. [thread seconds]
struct observed_work {
  std::int64_t calls = 0, cells = 0, bytes = 0;
  double seconds = 0;
};

/// The work by names, in the order in which these came.
class work_by_name {
public:
  observed_work& operator[](std::string const& name);
  std::vector<std::pair<std::string, observed_work>> const& all() const noexcept { return all_; }

private:
  std::vector<std::pair<std::string, observed_work>> all_;
};

/// What steps of this thread have done. [seconds of a rank]
/// Threads: between runs.
work_by_name const& profiled_work();

/// Observes the runs of one program. Members of one worker are called by one thread at a time.
class step_observer {
public:
  using clock = std::chrono::steady_clock;

  /// True if a profile or a tool asks for one. Local.
  static bool is_wanted();

  step_observer(step_program const& program, int num_workers);
  step_observer(step_observer const&) = delete;
  step_observer& operator=(step_observer const&) = delete;
  ~step_observer();

  /// Before a run of a graph, by the thread that calls run().
  void begin_run(step_graph const& graph);

  /// Around a task; around work on messages, in which there may be tasks.
  void begin_task(step_task const& task, step_graph const& graph, int worker);
  void end_task(step_task const& task, step_graph const& graph, int worker);
  void begin_messages(int worker);
  void end_messages(int worker);

  /// A worker finds nothing to do, perhaps again; it goes on, or ends.
  void begin_wait(int worker);
  void end_wait(int worker);

private:
  /// A worker's measurements, in cache lines of its own.
  struct alignas(128) worker_state {
    std::vector<observed_work> work; ///< [kernels], of ghosts, messages, waits
    clock::time_point task, messages, wait;
    double busy = 0; ///< of tasks and messages, to be taken off what is around them
    double busy_before_messages = 0, busy_before_wait = 0;
    bool is_waiting = false, is_at_messages = false;
  };

  friend work_by_name const& profiled_work();
  void move_work(work_by_name& to);
  int row_of(step_task const& task, step_graph const& graph) const;
  void push(int worker, std::string const& name) const;
  void pop(int worker) const;

  std::vector<std::string> names_;            ///< [rows]
  std::vector<std::int64_t> bytes_;           ///< [kernels] for each cell
  std::map<step_kernel const*, int> numbers_; ///< of kernels
  std::vector<worker_state> workers_;
  bool has_tool_, is_profiled_;
};

/// A task that is observed while this lives, if there is an observer.
class observed_task {
public:
  observed_task(step_observer* by, step_task const& task, step_graph const& graph, int worker)
      : by_(by), task_(task), graph_(graph), worker_(worker) {
    if (by_ != nullptr)
      by_->begin_task(task_, graph_, worker_);
  }
  observed_task(observed_task const&) = delete;
  observed_task& operator=(observed_task const&) = delete;
  ~observed_task() {
    if (by_ != nullptr)
      by_->end_task(task_, graph_, worker_);
  }

private:
  step_observer* by_;
  step_task const& task_;
  step_graph const& graph_;
  int worker_;
};

} // namespace seam::detail

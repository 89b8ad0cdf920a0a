/// Traffic of steps: the exchanges and reductions of a step graph while it runs. An exchange starts when
/// its receive buffers are free, opens the gate of each message whose values are computed, and ends
/// tasks when messages have come; reductions start one after another, in the same order on all ranks.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/engine/operation.hpp>
#include <seam/exchange/steps/flow/step_graph.hpp>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seam::detail {

/// Threads: one at a time, but for let_start() and merge().
class step_traffic {
public:
  /// The other tasks of the graph.
  class tasks {
  public:
    virtual void end(int task, int worker) = 0;
    virtual void fail() = 0; ///< keeps the exception that is being handled

  protected:
    ~tasks() = default;
  };

  /// @param graph, pending, others  outlive this
  /// @param pending  for how many tasks each one waits [tasks of the graph]
  /// @param name     of the call, in reports of stalls; lives as long as the program
  /// Collective: over `over`, if the graph reduces values.
  step_traffic(step_graph const& graph, std::vector<std::atomic<int>> const& pending,
               Communicator const& over, char const* name, tasks& others);

  bool is_empty() const { return exchange_states_.empty() && reduction_states_.empty(); }

  /// Begins a run: exchanges that wait for no task can start.
  void reset();

  /// Puts an exchange among those that can be started. Threads: any.
  void let_start(int exchange);

  /// Merges what workers have contributed to a reduction. Threads: any.
  void merge(int reduction);

  /// Starts what can start, and ends the tasks of what has arrived or left.
  /// @throws mpi_error  no message can be awaited any more
  void advance(int worker);

  /// The messages that have not come, in words.
  std::string missing() const;

private:
  enum class run_state : std::uint8_t { waiting, started, done };

  struct reducing {
    std::vector<std::int64_t> own, all;
    std::unique_ptr<operation> combine;
    std::optional<in_flight> flying;
  };

  bool is_free(int task) const { return pending_[task].load(std::memory_order_acquire) == 0; }
  void prepare(step_reduction& reduction);
  void take_started();
  bool advance(exchange_run const& run, int number, int worker);
  bool advance(reduction_run const& run, int number, int worker);

  step_graph const& graph_;
  std::vector<std::atomic<int>> const& pending_;
  Communicator over_;
  tasks& others_;
  std::map<step_reduction*, std::unique_ptr<reducing>> reductions_;
  // The state of the present run.
  std::vector<run_state> exchange_states_;          ///< of exchanges
  std::vector<std::vector<bool>> opened_, arrived_; ///< [exchanges][edges]
  std::vector<run_state> reduction_states_;
  std::vector<std::atomic<int>>
      can_start_; ///< exchanges whose tasks before have ended; -1: none yet
  std::atomic<int> num_can_start_ = 0;
  std::vector<int> under_way_; ///< exchanges that can be started, or have been, and are not done
  int num_taken_ = 0;          ///< of can_start_ to under_way_
  int first_reduction_ = 0;
};

} // namespace seam::detail

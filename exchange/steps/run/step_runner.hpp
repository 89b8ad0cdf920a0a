/// Step runners: carry out step graphs by all threads.
///
/// A thread takes the first column of tiles whose next tile can start, and computes its tiles until
/// one has to wait. Each thread has a share of columns side by side, so that it finds in its caches
/// what it has written before; columns of no share are for all. It takes a tile of another
/// thread's share only if it has had nothing to do for as long as a tile of its own took: what moves
/// from core to core costs more than a short wait.
/// Small tasks, such as ghosts beyond borders, are done by the thread that ends the last task they
/// wait for. Between tiles threads look after messages, one at a time; where only one thread may
/// call MPI, that one alone. A thread waits for neighbors only if no task can start.
///
/// If a kernel throws, the graph is carried out to its end without computing, so that no neighbor
/// waits for this rank for ever, and the exception is thrown again.
#pragma once

#include <seam/exchange/ground/kept_error.hpp>
#include <seam/exchange/steps/flow/step_graph.hpp>
#include <seam/exchange/steps/run/step_columns.hpp>
#include <seam/exchange/steps/run/step_observer.hpp>
#include <seam/exchange/steps/run/step_traffic.hpp>
#include <seam/exchange/waiting/stall.hpp>

#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace seam::detail {

/// Runs one graph any number of times.
/// Threads: one thread calls run(), which employs Kokkos' host threads.
class step_runner final : private step_traffic::tasks {
public:
  /// @param name  of the call, in reports of stalls; lives as long as the program
  /// Collective: over `over`, if the graph reduces values.
  step_runner(step_graph graph, Communicator const& over, char const* name);

  /// Carries out all tasks. Returns the exception of a kernel, or null.
  /// @param first    step of the graph
  /// @param series   of runs between which no other code writes to the fields: ghosts that are the
  ///                 same in all of them are filled in the first
  /// @param is_idle  no kernel is called, but all messages are exchanged
  /// @param observer of the run, or null
  /// @throws mpi_error  of messages
  /// Local to the neighborhood. No allocation.
  std::exception_ptr run(std::int64_t first, std::int64_t series, bool is_idle,
                         step_observer* observer = nullptr);

  step_graph const& graph() const noexcept { return graph_; }

private:
  using clock = std::chrono::steady_clock;

  /// What a thread knows of itself alone, in cache lines of its own.
  struct alignas(128) worker_state {
    int tasks_ended = 0; ///< not yet taken off tasks_left_
    clock::duration of_tile{};
    clock::time_point idle_since{};
  };

  struct tiles_of_worker;

  void reset();
  void work(int worker);
  bool is_complete(int worker);
  bool has_waited(int worker);
  int compute_tiles(std::vector<int> const& tiles, int first, std::atomic<int>& next, int worker);
  bool take_loose(int worker);
  void carry_out(int task, int worker);
  void compute(int task, int worker);
  void fill(int number);
  void end(int task, int worker) override;
  void fail() override;
  void look_after_messages(int worker);
  bool is_free(int task) const { return pending_[task].load(std::memory_order_acquire) == 0; }
  std::string missing();

  step_graph graph_;
  char const* name_;
  bool all_may_call_;

  std::vector<worker_state> workers_;
  std::int64_t first_step_ = 0, series_ = 0;
  step_observer* observer_ = nullptr;
  std::vector<std::int64_t> filled_in_; ///< [fills] series
  // The state of the present run.
  std::vector<std::atomic<int>> pending_; ///< [tasks] that each waits for
  step_columns columns_;
  std::vector<int> loose_first_; ///< loose tasks that wait for none
  std::vector<bool> is_loose_;   ///< [tasks]
  std::atomic<int> next_loose_ = 0, tasks_left_ = 0;
  std::atomic_flag looking_;
  step_traffic traffic_;
  std::thread::id caller_;
  std::atomic<bool> has_failed_ = false, is_given_up_ = false;
  std::optional<kept_error> failure_;
};

} // namespace seam::detail

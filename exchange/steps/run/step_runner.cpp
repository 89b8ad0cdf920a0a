#include <seam/exchange/steps/run/step_runner.hpp>

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/steps/run/parallel.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>

#include <algorithm>
#include <utility>

namespace seam::detail {

step_runner::step_runner(step_graph graph, Communicator const& over, char const* name)
    : graph_(std::move(graph)),
      name_(name),
      all_may_call_(mpi::thread_level() == MPI_THREAD_MULTIPLE),
      workers_(graph_.columns.size() > 1 ? num_loop_threads() : 1),
      filled_in_(graph_.fills.size()),
      pending_(graph_.tasks.size()),
      columns_(graph_),
      is_loose_(graph_.tasks.size()),
      traffic_(graph_, pending_, over, name, *this) {
  for (int const task : graph_.loose) {
    is_loose_[task] = true;
    if (graph_.order.num_before[task] == 0)
      loose_first_.push_back(task);
  }
}

void step_runner::reset() {
  for (int t = 0; t < std::ssize(pending_); ++t)
    pending_[t].store(graph_.order.num_before[t], std::memory_order_relaxed);
  columns_.reset();
  for (worker_state& worker : workers_)
    worker.tasks_ended = 0;
  next_loose_ = 0;
  tasks_left_ = std::ssize(pending_);
  traffic_.reset();
  has_failed_ = is_given_up_ = false;
  failure_.emplace();
}

std::exception_ptr step_runner::run(std::int64_t first, std::int64_t series, bool is_idle,
                                    step_observer* observer) {
  call_scope const here(name_);
  reset();
  observer_ = observer;
  if (observer_ != nullptr)
    observer_->begin_run(graph_);
  has_failed_ = is_idle;
  first_step_ = first;
  series_ = series;
  caller_ = std::this_thread::get_id();
  int const num_workers = std::ssize(workers_);
  if (num_workers == 1) // no thread is worth waking for one tile at a time
    work(0);
  else
    parallel_for_parts("seam::steps", num_workers, [this](int worker) { work(worker); });
  if (is_given_up_)
    failure_->rethrow();
  return failure_->get();
}

/// The tiles of the graph, as one thread computes them.
struct step_runner::tiles_of_worker {
  step_runner& runner;
  int worker;

  bool is_free(int task) const { return runner.is_free(task); }
  int compute(std::vector<int> const& tiles, int first, std::atomic<int>& next) const {
    return runner.compute_tiles(tiles, first, next, worker);
  }
};

void step_runner::work(int worker) {
  tiles_of_worker const tiles{*this, worker};
  patience wait;
  stall_watch watch;
  bool const may_call_mpi = all_may_call_ || std::this_thread::get_id() == caller_;
  workers_[worker].idle_since = {};
  while (!is_given_up_.load(std::memory_order_relaxed)) {
    bool const has_worked =
        take_loose(worker) ||
        columns_.work_on_own(tiles, worker, static_cast<int>(std::ssize(workers_))) ||
        (has_waited(worker) && columns_.work_on_others(tiles, worker));
    look_after_messages(worker);
    if (has_worked) {
      wait.end();
      workers_[worker].idle_since = {};
      continue;
    }
    bool const is_at_end = is_complete(worker);
    if (observer_ != nullptr)
      is_at_end ? observer_->end_wait(worker) : observer_->begin_wait(worker);
    if (is_at_end)
      return;
    if (watch.is_due())
      watch.tell(missing());
    may_call_mpi ? wait.pause() : std::this_thread::yield(); // a pause moves other operations
  }
}

/// True if all tasks have ended, those of the worker counted.
bool step_runner::is_complete(int worker) {
  int const ended = std::exchange(workers_[worker].tasks_ended, 0);
  if (ended > 0)
    return tasks_left_.fetch_sub(ended, std::memory_order_acq_rel) == ended;
  return tasks_left_.load(std::memory_order_acquire) == 0;
}

/// True if the worker has had nothing to do for as long as a tile of its own took.
bool step_runner::has_waited(int worker) {
  worker_state& own = workers_[worker];
  auto const now = clock::now();
  if (own.idle_since == clock::time_point{})
    own.idle_since = now;
  return now - own.idle_since >= own.of_tile;
}

bool step_runner::take_loose(int worker) {
  int const count = std::ssize(loose_first_);
  int const n = next_loose_.load(std::memory_order_relaxed) < count ? next_loose_++ : count;
  if (n < count)
    carry_out(loose_first_[n], worker);
  return n < count;
}

int step_runner::compute_tiles(std::vector<int> const& tiles, int first, std::atomic<int>& next,
                               int worker) {
  auto const begin = clock::now();
  int n = first;
  for (; n < std::ssize(tiles) && is_free(tiles[n]); ++n) {
    carry_out(tiles[n], worker);
    next.store(n + 1, std::memory_order_relaxed);
    look_after_messages(worker);
  }
  if (n > first)
    workers_[worker].of_tile = (clock::now() - begin) / (n - first);
  return n - first;
}

void step_runner::carry_out(int task, int worker) {
  if (!has_failed_.load(std::memory_order_relaxed) ||
      graph_.tasks[task].kind == task_kind::reduce) {
    try {
      observed_task const observed(observer_, graph_.tasks[task], graph_, worker);
      compute(task, worker);
    } catch (...) {
      fail();
    }
  }
  end(task, worker);
}

/// Keeps the first exception, inside a catch block.
void step_runner::fail() {
  failure_->keep();
  has_failed_ = true;
}

void step_runner::compute(int task, int worker) {
  step_task const& what = graph_.tasks[task];
  switch (what.kind) {
  case task_kind::tile:
  case task_kind::set: return compute_task(graph_, what, first_step_, worker);
  case task_kind::copy: return graph_.copies[what.item]->run(0);
  case task_kind::fill: return fill(what.item);
  case task_kind::reduce: return traffic_.merge(what.item);
  default: return;
  }
}

/// Fills ghosts beyond a border. Checked mode fills fixed ones each time, since it may have poisoned
/// them.
void step_runner::fill(int number) {
  ghost_work const& filled = *graph_.fills[number];
  if (filled.is_fixed() && !program_is_checked() &&
      std::exchange(filled_in_[number], series_) == series_)
    return;
  filled.run(graph_.time == nullptr ? 0.0 : graph_.time->as_double());
}

/// Notes the end of a task, and carries out the small tasks that waited for it alone; exchanges that
/// waited for it start in advance_all().
void step_runner::end(int task, int worker) {
  auto const& order = graph_.order;
  for (int k = order.tasks2after[task]; k < order.tasks2after[task + 1]; ++k) {
    int const after = order.after[k];
    if (pending_[after].fetch_sub(1, std::memory_order_acq_rel) != 1)
      continue;
    if (is_loose_[after])
      carry_out(after, worker);
    else if (graph_.tasks[after].kind == task_kind::start)
      traffic_.let_start(graph_.tasks[after].item);
  }
  ++workers_[worker].tasks_ended;
}

void step_runner::look_after_messages(int worker) {
  if (traffic_.is_empty())
    return;
  if (!all_may_call_ && std::this_thread::get_id() != caller_)
    return;
  if (looking_.test_and_set(std::memory_order_acquire))
    return;
  if (observer_ != nullptr)
    observer_->begin_messages(worker);
  try {
    traffic_.advance(worker);
  } catch (...) { // of MPI: no message can be awaited any more
    fail();
    is_given_up_ = true;
  }
  if (observer_ != nullptr)
    observer_->end_messages(worker);
  looking_.clear(std::memory_order_release);
}

/// Describes the messages that have not come. Any thread.
std::string step_runner::missing() {
  if (looking_.test_and_set(std::memory_order_acquire))
    return "";
  std::string text = traffic_.missing();
  looking_.clear(std::memory_order_release);
  return text;
}

} // namespace seam::detail

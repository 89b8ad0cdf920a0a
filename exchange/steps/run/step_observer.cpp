#include <seam/exchange/steps/run/step_observer.hpp>

#include <seam/exchange/steps/program/step_program.hpp>
#include <seam/exchange/steps/run/step_profile.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <set>

namespace seam::detail {
namespace {

double seconds_since(step_observer::clock::time_point begin) {
  return std::chrono::duration<double>(step_observer::clock::now() - begin).count();
}

/// What observers of a thread have measured, and those that live.
struct observed_by_thread {
  work_by_name all;
  std::vector<step_observer*> living;
};
thread_local observed_by_thread work_of_thread;

/// The bytes that a kernel declares to read and write at a place: each field's once for each.
std::int64_t bytes_of_cell(step_program const& program, step_kernel const& kernel) {
  std::set<std::tuple<int, int, int, bool>> counted; // field, level, component, written
  std::int64_t bytes = 0;
  for (step_access const& access : kernel.accesses)
    for (int c = access.first; c < access.first + access.count; ++c)
      for (bool const is_write : {false, true})
        if ((is_write ? access.is_written() : access.is_read()) &&
            counted.insert({access.field, access.level, c, is_write}).second)
          bytes += program.fields[access.field]->element_bytes;
  return bytes;
}

} // namespace

observed_work& work_by_name::operator[](std::string const& name) {
  for (auto& [known, work] : all_)
    if (known == name)
      return work;
  return all_.emplace_back(name, observed_work{}).second;
}

bool step_observer::is_wanted() {
  return Kokkos::Tools::profileLibraryLoaded() || steps_are_profiled();
}

step_observer::step_observer(step_program const& program, int num_workers)
    : workers_(num_workers),
      has_tool_(Kokkos::Tools::profileLibraryLoaded()),
      is_profiled_(steps_are_profiled()) {
  for (step_kernel const& kernel : program.kernels) {
    numbers_[&kernel] = std::ssize(names_);
    names_.push_back(kernel.name);
    bytes_.push_back(bytes_of_cell(program, kernel));
  }
  for (char const* const other : {"seam::ghosts", "seam::messages", "seam::waits"})
    names_.emplace_back(other);
  for (worker_state& worker : workers_)
    worker.work.resize(names_.size());
  work_of_thread.living.push_back(this);
}

step_observer::~step_observer() {
  move_work(work_of_thread.all);
  std::erase(work_of_thread.living, this);
}

work_by_name const& profiled_work() {
  for (step_observer* const observer : work_of_thread.living)
    observer->move_work(work_of_thread.all);
  return work_of_thread.all;
}

/// Adds what has been done to the work of all, and begins anew.
void step_observer::move_work(work_by_name& to) {
  for (int row = 0; row < std::ssize(names_) && is_profiled_; ++row) {
    observed_work& all =
        to[row < std::ssize(bytes_) ? "'" + names_[row] + "'" : names_[row].substr(6)];
    for (worker_state& worker : workers_) {
      observed_work const own = std::exchange(worker.work[row], {});
      all.calls += own.calls;
      all.cells += own.cells;
      all.bytes += own.bytes;
      all.seconds += own.seconds / static_cast<double>(workers_.size());
    }
  }
}

void step_observer::begin_run(step_graph const& graph) {
  auto& own = workers_.front().work;
  for (step_kernel const* const kernel : graph.kernels)
    ++own[numbers_.find(kernel)->second].calls;
  observed_work& messages = own[own.size() - 2];
  for (exchange_run const& run : graph.exchanges) {
    messages.calls += run.kept->prepared->num_messages();
    messages.bytes += run.kept->prepared->num_bytes();
  }
}

/// The row of a task: its kernel's, or that of ghosts.
int step_observer::row_of(step_task const& task, step_graph const& graph) const {
  return task.instance < 0 ? static_cast<int>(std::ssize(bytes_))
                           : numbers_.find(graph.kernels[task.instance])->second;
}

/// Regions of tools are those of one thread, which calls run() and is worker 0.
void step_observer::push(int worker, std::string const& name) const {
  if (has_tool_ && worker == 0)
    Kokkos::Tools::pushRegion(name);
}

void step_observer::pop(int worker) const {
  if (has_tool_ && worker == 0)
    Kokkos::Tools::popRegion();
}

void step_observer::begin_task(step_task const& task, step_graph const& graph, int worker) {
  if (!workers_[worker].is_at_messages)
    end_wait(worker);
  push(worker, names_[row_of(task, graph)]);
  workers_[worker].task = clock::now();
}

void step_observer::end_task(step_task const& task, step_graph const& graph, int worker) {
  worker_state& own = workers_[worker];
  double const taken = seconds_since(own.task);
  int const row = row_of(task, graph);
  own.work[row].seconds += taken;
  own.busy += taken;
  if (task.kind == task_kind::tile) {
    std::int64_t const cells = graph.tiles[task.item].computed.size();
    own.work[row].cells += cells;
    own.work[row].bytes += cells * bytes_[row];
  }
  pop(worker);
}

void step_observer::begin_messages(int worker) {
  push(worker, names_[names_.size() - 2]);
  workers_[worker].is_at_messages = true;
  workers_[worker].busy_before_messages = workers_[worker].busy;
  workers_[worker].messages = clock::now();
}

void step_observer::end_messages(int worker) {
  worker_state& own = workers_[worker];
  double const taken = seconds_since(own.messages) - (own.busy - own.busy_before_messages);
  own.work[names_.size() - 2].seconds += taken;
  own.is_at_messages = false;
  own.busy += taken;
  pop(worker);
}

void step_observer::begin_wait(int worker) {
  worker_state& own = workers_[worker];
  if (std::exchange(own.is_waiting, true))
    return;
  push(worker, names_.back());
  own.busy_before_wait = own.busy;
  own.wait = clock::now();
}

void step_observer::end_wait(int worker) {
  worker_state& own = workers_[worker];
  if (!std::exchange(own.is_waiting, false))
    return;
  own.work.back().seconds += seconds_since(own.wait) - (own.busy - own.busy_before_wait);
  pop(worker);
}

} // namespace seam::detail

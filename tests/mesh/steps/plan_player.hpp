/// A player of plans: carries out the graph of some steps, task by task, with messages of its own, and
/// leaves out what it is told to.
#pragma once

#include <support/catch.hpp>

#include <mesh/steps/stirring_program.hpp>

#include <seam/exchange/steps/flow/step_graph.hpp>
#include <seam/exchange/steps/run/step_storage.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sched.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace seam::testing {

using namespace detail;

constexpr int num_played_steps = 2;

/// What is left out of a plan: of the rank `rank`, a copy or all of what a message brings, or a link.
struct mutant {
  enum { nothing, message, copy, link } what = nothing;
  int rank = -1;
  int moment = -1, source = -1, copy_number = -1;
  int before = -1, after = -1; ///< tasks
};

/// Carries out the graph of some steps, task by task, with messages of its own.
class plan_player {
public:
  explicit plan_player(stirring_program& program)
      : program_(program), over_(program.of_cells.mesh().base()) {
    program.step.machine().settings().tile_extent = 7;
    program.step.plan();
    step_program const& declared = program.step.machine().program();
    space_ = space_of(program.of_cells.mesh());
    storage_.emplace(declared, *space_);
    step_range const steps{0, num_played_steps, 0, num_played_steps};
    storage_->widen(buffers_of(declared), {steps});
    storage_->number_buffers();
    after_ = storage_->order();
    flow_.emplace(declared, storage_->layouts(), after_, steps);
    graph_ = make_step_graph(*flow_, storage_->arrays(), *space_, kept_, {.extent = 7});
    number_moments();
    gather_links();
  }

  /// The own values of all fields after the steps without something. Counts what the order of an
  /// exchange's tasks forbids in `faults`.
  std::vector<double> play(mutant const& without);

  /// All that can be left out of the plans of all ranks, in the same order on all.
  std::vector<mutant> mutants() const;

  /// True if the later task of a link waits for the other one by other links, too, or if it is the start
  /// of an exchange whose messages do.
  /// Collective: over the mesh.
  bool is_implied(mutant const& without) const;

  std::string in_words(mutant const& of) const;

  int faults = 0;

private:
  static constexpr int tasks_of_rank = 1 << 14;
  static int node(int rank, int task) { return rank * tasks_of_rank + task; }
  int node_of_message(int moment, int from, int to) const {
    return (over_.size() + moment) * tasks_of_rank + from * over_.size() + to;
  }

  void number_moments();
  void gather_links();
  std::vector<bool> reached_from(int rank, int task, mutant const& without) const;
  void set_values();
  bool try_task(int task, mutant const& without);
  double* values_of(int moment, travelling_part const& part) const {
    int const array = flow_->supplies()[flow_->moments()[moment].supplies[part.number]].array;
    return reinterpret_cast<double*>(storage_->arrays()[array].memory.get());
  }
  std::vector<double> wire_of(exchange_run const& run, int moment, int edge) const;
  void send(exchange_run const& run, int moment, int edge);
  bool receive(exchange_run const& run, int moment, int edge, mutant const& without);
  void note_order(step_task const& task);
  std::vector<std::pair<int, int>> own_links() const;
  std::vector<int> gathered(std::vector<int> const& own) const;

  stirring_program& program_;
  Communicator const& over_;
  std::shared_ptr<mesh_space const> space_;
  std::optional<step_storage> storage_;
  std::optional<step_dataflow> flow_;
  buffer_order after_;
  kept_exchanges kept_;
  step_graph graph_;
  std::vector<int> moments_;               ///< [exchanges of the graph]
  std::vector<std::pair<int, int>> links_; ///< of all ranks, between nodes
  std::vector<std::vector<int>> received_; ///< messages: rank, moment, source, copies
  std::vector<std::vector<double>> wires_; ///< messages that have left
  std::map<std::pair<int, int>, std::vector<double>> sent_; ///< the last one by moments and edges
  std::vector<MPI_Request> leaving_;
  std::vector<bool> is_started_; ///< [exchanges of the graph]
  std::vector<int> ended_;       ///< [exchanges of the graph] gates and arrivals
};

/// Finds the moment of each exchange; those without messages on this rank have none.
inline void plan_player::number_moments() {
  for (int m = 0; m < std::ssize(flow_->moments()); ++m) {
    kept_exchange const& kept = *kept_.by_moment.at(flow_->moments()[m].key);
    if (!kept.sources.empty() || !kept.destinations.empty())
      moments_.push_back(m);
  }
  REQUIRE(moments_.size() == graph_.exchanges.size());
}

inline std::vector<std::pair<int, int>> plan_player::own_links() const {
  std::vector<std::pair<int, int>> links;
  for (int t = 0; t < std::ssize(graph_.tasks); ++t)
    for (int k = graph_.order.tasks2after[t]; k < graph_.order.tasks2after[t + 1]; ++k)
      links.emplace_back(t, graph_.order.after[k]);
  return links;
}

/// The lists of all ranks, one behind the other.
inline std::vector<int> plan_player::gathered(std::vector<int> const& own) const {
  auto const comm = over_.context().native();
  int const count = static_cast<int>(own.size());
  std::vector<int> counts(over_.size()), first(over_.size() + 1);
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  for (int r = 0; r < over_.size(); ++r)
    first[r + 1] = first[r] + counts[r];
  std::vector<int> all(first.back());
  MPI_Allgatherv(own.data(), count, MPI_INT, all.data(), counts.data(), first.data(), MPI_INT,
                 comm);
  return all;
}

inline void plan_player::gather_links() {
  int const rank = over_.rank();
  std::vector<int> links, received;
  for (auto const& [before, after] : own_links())
    links.insert(links.end(), {node(rank, before), node(rank, after)});
  for (int x = 0; x < std::ssize(graph_.exchanges); ++x) {
    exchange_run const& run = graph_.exchanges[x];
    for (int g = 0; g < std::ssize(run.gates); ++g)
      links.insert(links.end(), {node(rank, run.gates[g]),
                                 node_of_message(moments_[x], rank, run.kept->destinations[g])});
    for (int a = 0; a < std::ssize(run.arrivals); ++a) {
      int const source = run.kept->sources[a];
      links.insert(links.end(),
                   {node_of_message(moments_[x], source, rank), node(rank, run.arrivals[a])});
      int copies = 0;
      for (travelling_part const& part : run.kept->partners.arriving.at(source))
        copies += static_cast<int>(part.needed.size());
      received.insert(received.end(), {rank, moments_[x], source, copies});
    }
  }
  auto const all = gathered(links);
  for (std::size_t k = 0; k < all.size(); k += 2)
    links_.emplace_back(all[k], all[k + 1]);
  auto const of_all = gathered(received);
  for (std::size_t k = 0; k < of_all.size(); k += 4)
    received_.emplace_back(of_all.begin() + static_cast<std::ptrdiff_t>(k),
                           of_all.begin() + static_cast<std::ptrdiff_t>(k + 4));
}

inline std::vector<mutant> plan_player::mutants() const {
  std::vector<mutant> all;
  for (auto const& message : received_) {
    all.push_back({mutant::message, message[0], message[1], message[2]});
    for (int copy = 0; copy < message[3]; ++copy)
      all.push_back({mutant::copy, message[0], message[1], message[2], copy});
  }
  for (auto const& [before, after] : links_)
    if (int const rank = before / tasks_of_rank;
        rank < over_.size() && after / tasks_of_rank == rank)
      all.push_back({mutant::link, rank, -1, -1, -1, before % tasks_of_rank,
                     after % tasks_of_rank});
  return all;
}

/// The tasks of all ranks that wait for one. [nodes]
inline std::vector<bool> plan_player::reached_from(int rank, int task,
                                                   mutant const& without) const {
  std::vector<bool> is_reached((over_.size() + flow_->moments().size() + 1) * tasks_of_rank);
  std::multimap<int, int> links(links_.begin(), links_.end());
  std::queue<int> next;
  for (next.push(node(rank, task)); !next.empty(); next.pop()) {
    auto const [begin, end] = links.equal_range(next.front());
    for (auto link = begin; link != end; ++link) {
      bool const is_left_out = without.what == mutant::link &&
                               link->first == node(without.rank, without.before) &&
                               link->second == node(without.rank, without.after);
      if (is_left_out || is_reached[link->second])
        continue;
      is_reached[link->second] = true;
      next.push(link->second);
    }
  }
  return is_reached;
}

inline bool plan_player::is_implied(mutant const& without) const {
  auto const is_reached = reached_from(without.rank, without.before, without);
  int is_awaited = is_reached[node(without.rank, without.after)] ? 1 : 0;
  if (without.rank == over_.rank() && graph_.tasks[without.after].kind == task_kind::start) {
    auto const& arrivals = graph_.exchanges[graph_.tasks[without.after].item].arrivals;
    if (std::ranges::all_of(arrivals, [&](int a) { return is_reached[node(over_.rank(), a)]; }))
      is_awaited = 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, &is_awaited, 1, MPI_INT, MPI_MAX, over_.context().native());
  return is_awaited != 0;
}

/// Own entities get their first values, in the fields' own memory; all else is no number.
inline void plan_player::set_values() {
  for (step_array const& array : storage_->arrays()) {
    auto const& field = *program_.step.machine().program().fields[array.field];
    auto* const values = reinterpret_cast<double*>(array.memory.get());
    std::fill_n(values, field.stored().size(), std::numeric_limits<double>::quiet_NaN());
  }
  for (auto const& field : program_.fields())
    for (local_id e = 0; e < field.entities().num_owned; ++e)
      field(e) = first_value(field.entities().ids[e]);
}

inline std::vector<double> plan_player::play(mutant const& without) {
  set_values();
  faults = 0;
  sent_.clear();
  is_started_.assign(graph_.exchanges.size(), false);
  ended_.assign(graph_.exchanges.size(), 0);
  auto num_before = graph_.order.num_before;
  bool const is_mine = without.what == mutant::link && without.rank == over_.rank();
  if (is_mine)
    --num_before[without.after];
  // What does not wait for the first task of the link comes before it, on all ranks.
  std::vector<bool> is_late;
  if (without.what == mutant::link) {
    is_late = reached_from(without.rank, without.before, without);
    is_late[node(without.rank, without.before)] = true;
  }
  for (bool const late : {false, true}) {
    std::vector<int> ready;
    auto const is_now = [&](int t) {
      return (!is_late.empty() && is_late[node(over_.rank(), t)]) == late;
    };
    int left = 0;
    for (int t = 0; t < std::ssize(num_before); ++t)
      if (is_now(t)) {
        ++left;
        if (num_before[t] == 0)
          ready.push_back(t);
      }
    for (std::size_t k = 0; left > 0; k = ready.empty() ? 0 : (k + 1) % ready.size()) {
      REQUIRE(!ready.empty());
      int const task = ready[k % ready.size()];
      if (!try_task(task, without)) {
        sched_yield();
        continue;
      }
      ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(k % ready.size()));
      --left;
      for (int n = graph_.order.tasks2after[task]; n < graph_.order.tasks2after[task + 1]; ++n) {
        int const after = graph_.order.after[n];
        if (is_mine && task == without.before && after == without.after)
          continue;
        if (--num_before[after] == 0 && is_now(after))
          ready.push_back(after);
      }
    }
  }
  MPI_Waitall(static_cast<int>(leaving_.size()), leaving_.data(), MPI_STATUSES_IGNORE);
  leaving_.clear();
  wires_.clear();
  std::vector<double> values;
  for (int f = 0; f < std::ssize(after_); ++f) {
    auto const& field = *program_.step.machine().program().fields[f];
    auto const* const newest =
        reinterpret_cast<double const*>(storage_->arrays()[after_[f].front()].memory.get());
    values.insert(values.end(), newest, newest + space_->owned_values(field.kind()).size());
  }
  return values;
}

/// Counts a task of an exchange that comes before its start, or ends it too early.
inline void plan_player::note_order(step_task const& task) {
  auto const same = [&](int x) {
    return graph_.exchanges[x].kept == graph_.exchanges[task.item].kept;
  };
  exchange_run const& run = graph_.exchanges[task.item];
  auto const num_edges = std::ssize(run.gates) + std::ssize(run.arrivals);
  switch (task.kind) {
  case task_kind::start:
    is_started_[task.item] = true;
    for (int x = 0; x < task.item; ++x) // its run before has to be over
      faults += same(x) && is_started_[x] ? 1 : 0;
    return;
  case task_kind::done:
    faults += !is_started_[task.item] || ended_[task.item] != num_edges ? 1 : 0;
    for (int g = 0; g < std::ssize(run.gates); ++g) // until then they may be read
      faults += wire_of(run, moments_[task.item], g) != sent_[{moments_[task.item], g}] ? 1 : 0;
    is_started_[task.item] = false;
    return;
  default: faults += is_started_[task.item] ? 0 : 1; ++ended_[task.item];
  }
}

/// Carries out a task; false if its message has not come.
inline bool plan_player::try_task(int number, mutant const& without) {
  step_task const& task = graph_.tasks[number];
  if (task.kind == task_kind::tile) {
    compute_task(graph_, task, 0, 0);
    return true;
  }
  exchange_run const& run = graph_.exchanges[task.item];
  if (task.kind == task_kind::arrival && !receive(run, moments_[task.item], task.edge, without))
    return false;
  if (task.kind == task_kind::gate)
    send(run, moments_[task.item], task.edge);
  note_order(task);
  return true;
}

/// What leaves along an edge, as it is now.
inline std::vector<double> plan_player::wire_of(exchange_run const& run, int moment,
                                                int edge) const {
  std::vector<double> wire;
  for (travelling_part const& part : run.kept->partners.leaving.at(run.kept->destinations[edge])) {
    double const* const values = values_of(moment, part);
    for (local_id const id : part.owned.ids())
      wire.push_back(values[id]);
  }
  return wire;
}

inline void plan_player::send(exchange_run const& run, int moment, int edge) {
  auto const& wire = wires_.emplace_back(wire_of(run, moment, edge));
  sent_[{moment, edge}] = wire;
  MPI_Isend(wire.data(), static_cast<int>(wire.size()), MPI_DOUBLE, run.kept->destinations[edge],
            moment, over_.context().native(), &leaving_.emplace_back());
}

inline bool plan_player::receive(exchange_run const& run, int moment, int edge,
                                 mutant const& without) {
  int const from = run.kept->sources[edge];
  auto const comm = over_.context().native();
  int has_come = 0, count = 0;
  MPI_Status status;
  MPI_Iprobe(from, moment, comm, &has_come, &status);
  if (has_come == 0)
    return false;
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  std::vector<double> wire(count);
  MPI_Recv(wire.data(), count, MPI_DOUBLE, from, moment, comm, MPI_STATUS_IGNORE);
  bool const is_wrong =
      without.rank == over_.rank() && without.moment == moment && without.source == from;
  int number = 0;
  for (travelling_part const& part : run.kept->partners.arriving.at(from)) {
    double* const values = values_of(moment, part);
    for (local_id const id : part.needed.ids()) {
      bool const is_left_out =
          is_wrong && (without.what == mutant::message || number == without.copy_number);
      if (!is_left_out)
        values[id] = wire[number];
      ++number;
    }
  }
  CHECK(number == count);
  return true;
}

/// A mutant in words, those of its rank's tasks.
inline std::string plan_player::in_words(mutant const& of) const {
  auto const task = [&](int number) -> std::string {
    constexpr char const* kinds[] = {"tile",    "copy",  "fill", "set",     "reduce",
                                     "reduced", "start", "gate", "arrival", "done"};
    step_task const& what = graph_.tasks[number];
    if (what.kind != task_kind::tile)
      return fmt::format("{} of exchange {}", kinds[static_cast<int>(what.kind)], what.item);
    return fmt::format("'{}' at {}", graph_.kernels[what.instance]->name,
                       fmt::join(graph_.tiles[what.item].places.ids(), " "));
  };
  if (of.what != mutant::link) {
    step_moment const& moment = flow_->moments()[of.moment];
    return fmt::format("{} for '{}' from rank {} to rank {}",
                       of.what == mutant::copy ? fmt::format("copy {}", of.copy_number) : "all",
                       flow_->kernel_of(moment.before).name, of.source, of.rank);
  }
  return of.rank == over_.rank() ? task(of.before) + " before " + task(of.after) : "";
}

} // namespace seam::testing

#include <seam/exchange/steps/run/step_traffic.hpp>

#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/steps/run/parallel.hpp>

#include <algorithm>

namespace seam::detail {

step_traffic::step_traffic(step_graph const& graph, std::vector<std::atomic<int>> const& pending,
                           Communicator const& over, char const* name, tasks& others)
    : graph_(graph),
      pending_(pending),
      over_(over.base()),
      others_(others),
      exchange_states_(graph.exchanges.size()),
      reduction_states_(graph.reductions.size()),
      can_start_(graph.exchanges.size()) {
  for (exchange_run const& run : graph.exchanges) {
    opened_.emplace_back(run.gates.size());
    arrived_.emplace_back(run.arrivals.size());
    run.kept->prepared->rename(name);
  }
  under_way_.reserve(graph.exchanges.size());
  for (reduction_run const& run : graph.reductions)
    prepare(*run.reduction);
}

/// Prepares the operation of a reduction that may run several times.
void step_traffic::prepare(step_reduction& reduction) {
  reduction.prepare_workers(num_loop_threads());
  auto& made = reductions_[&reduction];
  if (made)
    return;
  made = std::make_unique<reducing>();
  made->own.resize(reduction.num_words());
  made->all = made->own;
  auto const type = reduction.type();
  std::int64_t const count = type == MPI_INT64_T ? reduction.num_words() : 1;
  if (over_.size() > 1)
    made->combine = std::make_unique<operation>(seam::prepare(
        over_, seam::allreduce(elements{made->own.data(), count, type},
                               elements{made->all.data(), count, type}, reduction.op())));
}

void step_traffic::reset() {
  for (std::atomic<int>& exchange : can_start_)
    exchange.store(-1, std::memory_order_relaxed);
  num_can_start_ = num_taken_ = 0;
  under_way_.clear();
  for (int x = 0; x < std::ssize(exchange_states_); ++x) {
    exchange_states_[x] = run_state::waiting;
    opened_[x].assign(opened_[x].size(), false);
    arrived_[x].assign(arrived_[x].size(), false);
    if (graph_.order.num_before[graph_.exchanges[x].start] == 0)
      let_start(x);
  }
  std::ranges::fill(reduction_states_, run_state::waiting);
  first_reduction_ = 0;
}

void step_traffic::let_start(int exchange) {
  int const number = num_can_start_.fetch_add(1, std::memory_order_relaxed);
  can_start_[number].store(exchange, std::memory_order_release);
}

void step_traffic::merge(int reduction) {
  step_reduction* const merged = graph_.reductions[reduction].reduction;
  merged->take(reductions_.find(merged)->second->own.data());
}

void step_traffic::take_started() {
  while (num_taken_ < std::ssize(can_start_)) {
    int const exchange = can_start_[num_taken_].load(std::memory_order_acquire);
    if (exchange < 0)
      return;
    under_way_.push_back(exchange);
    ++num_taken_;
  }
}

void step_traffic::advance(int worker) {
  take_started();
  for (std::size_t k = 0; k < under_way_.size(); ++k) { // the end of one may let others start
    int& exchange = under_way_[k];
    if (advance(graph_.exchanges[exchange], exchange, worker))
      exchange = -1;
    take_started();
  }
  std::erase(under_way_, -1);
  // All ranks start reductions in the same order.
  while (first_reduction_ < std::ssize(reduction_states_) &&
         advance(graph_.reductions[first_reduction_], first_reduction_, worker))
    ++first_reduction_;
}

/// Starts an exchange, opens gates, and notes arrivals. True if it is complete.
bool step_traffic::advance(exchange_run const& run, int number, int worker) {
  run_state& state = exchange_states_[number];
  if (state == run_state::done)
    return true;
  if (state == run_state::waiting) {
    if (!is_free(run.start))
      return false;
    run.kept->flying.reset();
    run.kept->flying.emplace(run.kept->prepared->start_gated());
    state = run_state::started;
    others_.end(run.start, worker);
  }
  in_flight& flying = *run.kept->flying;
  for (int g = 0; g < std::ssize(run.gates); ++g)
    if (!opened_[number][g] && is_free(run.gates[g])) {
      opened_[number][g] = true;
      flying.open(g);
      others_.end(run.gates[g], worker);
    }
  for (int a = 0; a < std::ssize(run.arrivals); ++a)
    if (!arrived_[number][a] && flying.arrived(a)) {
      arrived_[number][a] = true;
      others_.end(run.arrivals[a], worker);
    }
  if (!is_free(run.done) || !flying.test())
    return false;
  state = run_state::done;
  others_.end(run.done, worker);
  return true;
}

bool step_traffic::advance(reduction_run const& run, int number, int worker) {
  run_state& state = reduction_states_[number];
  if (state == run_state::done)
    return true;
  reducing& own = *reductions_.find(run.reduction)->second;
  if (state == run_state::waiting) {
    if (!is_free(run.reduced))
      return false;
    if (own.combine) {
      own.flying.reset();
      own.flying.emplace(own.combine->start());
    }
    state = run_state::started;
  }
  if (own.flying && !own.flying->test())
    return false;
  try {
    run.reduction->finish(own.combine ? own.all.data() : own.own.data());
  } catch (...) {
    others_.fail();
  }
  state = run_state::done;
  others_.end(run.reduced, worker);
  return true;
}

std::string step_traffic::missing() const {
  std::string text;
  for (int x = 0; x < std::ssize(exchange_states_); ++x)
    if (exchange_states_[x] == run_state::started)
      text += (text.empty() ? "" : "; ") + graph_.exchanges[x].kept->flying->missing();
  return text;
}

} // namespace seam::detail

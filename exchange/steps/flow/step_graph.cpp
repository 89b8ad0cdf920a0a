#include <seam/exchange/steps/flow/step_graph.hpp>

#include <seam/exchange/ground/error.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

/// A graph in the making.
struct graph_draft {
  graph_draft(step_dataflow const& its_flow, std::vector<step_array> const& arrays, int num_axes)
      : flow(its_flow), links(arrays.size() + flow.program().values.size(), num_axes) {
    for (step_array const& array : arrays)
      buffers.push_back(array.memory);
  }

  int add(step_task const& task) {
    made.tasks.push_back(task);
    return links.add();
  }

  int add_tile(task_kind kind, int instance, computed_tile tile) {
    made.tiles.push_back(std::move(tile));
    return add({kind, instance, static_cast<int>(std::ssize(made.tiles)) - 1});
  }

  /// Notes that a task accesses a part of an array, which may be ghosts.
  void access(int task, int array, step_region const& part, bool writes) {
    auto const& field = flow.layout(array);
    SEAM_ASSERT(holds(field.stored(), part),
                "steps reach beyond the ghosts of '" + field.name + "'");
    for (step_region const& apart : field.parts_of(part))
      links.access(task, array, apart, writes);
  }

  step_dataflow const& flow;
  std::vector<std::shared_ptr<std::byte>> buffers; ///< [arrays]
  task_graph links;
  step_graph made;
};

using array_parts = std::vector<std::pair<int, step_region>>; ///< arrays, and parts of them

/// Adds the tasks of moments: messages, and copies of own values to ghosts.
class moment_tasks {
public:
  /// @param draft, exchanges  outlive this
  moment_tasks(graph_draft& draft, step_exchanges& exchanges, int rank)
      : draft_(draft), exchanges_(exchanges), rank_(rank) {}

  void add(step_moment const& moment);

private:
  void add_messages(step_moment const& moment, kept_exchange& kept);
  array_parts add_arrivals(exchange_run& run, step_moment const& moment, int number);
  void add_gates(exchange_run& run, step_moment const& moment, int number);
  void add_end_of(exchange_run& run);
  void add_copies(step_moment const& moment, kept_exchange const& kept);

  graph_draft& draft_;
  step_exchanges& exchanges_;
  int rank_;
  std::map<kept_exchange*, int> last_done_; ///< task that ends the last run of an exchange
};

void moment_tasks::add(step_moment const& moment) {
  kept_exchange& kept = exchanges_.of(moment);
  if (!kept.sources.empty() || !kept.destinations.empty())
    add_messages(moment, kept);
  add_copies(moment, kept);
}

/// One run of an exchange: a message leaves when its values are computed, and is received when the
/// ghosts that it fills have been read.
void moment_tasks::add_messages(step_moment const& moment, kept_exchange& kept) {
  int const number = std::ssize(draft_.made.exchanges);
  exchange_run run{&kept, draft_.add({task_kind::start, -1, number}), -1, {}, {}};
  auto const filled = add_arrivals(run, moment, number);
  add_gates(run, moment, number);
  add_end_of(run);
  draft_.links.end_group(filled);
}

/// Adds a task for each message that arrives, and returns the ghosts that they fill.
auto moment_tasks::add_arrivals(exchange_run& run, step_moment const& moment, int number)
    -> array_parts {
  auto const numbers = exchanges_.numbers_of(moment);
  array_parts filled;
  for (int const source : run.kept->sources) {
    int const edge = std::ssize(run.arrivals);
    int const arrival = draft_.add({task_kind::arrival, -1, number, edge});
    draft_.links.link(run.start, arrival);
    run.arrivals.push_back(arrival);
    for (travelling_part const& part : run.kept->partners.arriving.at(source)) {
      int const array = exchanges_.array_of(moment, numbers[part.number]);
      draft_.links.wait_for(run.start, array, part.needed, true);
      draft_.links.access(arrival, array, part.needed, true);
      filled.emplace_back(array, part.needed);
    }
  }
  return filled;
}

/// Adds a task for each message that leaves, and the end of all.
void moment_tasks::add_gates(exchange_run& run, step_moment const& moment, int number) {
  auto const numbers = exchanges_.numbers_of(moment);
  for (int g = 0; g < std::ssize(run.kept->destinations); ++g) {
    run.gates.push_back(draft_.add({task_kind::gate, -1, number, g}));
    draft_.links.link(run.start, run.gates.back());
  }
  run.done = draft_.add({task_kind::done, -1, number});
  for (int g = 0; g < std::ssize(run.gates); ++g)
    for (travelling_part const& part : run.kept->partners.leaving.at(run.kept->destinations[g])) {
      int const array = exchanges_.array_of(moment, numbers[part.number]);
      draft_.links.wait_for(run.gates[g], array, part.owned, false);
      draft_.links.access(run.done, array, part.owned, false);
    }
}

/// Links the task that ends a run, and keeps the run.
void moment_tasks::add_end_of(exchange_run& run) {
  draft_.links.link(run.start, run.done);
  for (int const task : run.gates)
    draft_.links.link(task, run.done);
  for (int const task : run.arrivals)
    draft_.links.link(task, run.done);
  if (auto const before = last_done_.find(run.kept); before != last_done_.end())
    draft_.links.link(before->second, run.start);
  last_done_[run.kept] = run.done;
  draft_.made.exchanges.push_back(std::move(run));
}

/// Copies of own values to ghosts.
void moment_tasks::add_copies(step_moment const& moment, kept_exchange const& kept) {
  auto const numbers = exchanges_.numbers_of(moment);
  array_parts filled;
  if (auto const own = kept.partners.arriving.find(rank_); own != kept.partners.arriving.end())
    for (travelling_part const& part : own->second) {
      auto const& which = numbers[part.number];
      int const array = exchanges_.array_of(moment, which);
      for (auto& piece : which.layout->copies(draft_.buffers[array], which.component, part)) {
        int const task =
            draft_.add({task_kind::copy, -1, static_cast<int>(draft_.made.copies.size())});
        draft_.made.copies.push_back(std::move(piece.work));
        draft_.links.access(task, array, piece.reads, false);
        draft_.links.access(task, array, piece.writes, true);
        draft_.made.loose.push_back(task);
      }
      filled.emplace_back(array, part.needed);
    }
  draft_.links.end_group(filled);
}

/// Builds one graph.
class graph_builder {
public:
  graph_builder(step_dataflow const& flow, std::vector<step_array> const& arrays,
                step_space const& over, kept_exchanges& kept, tile_settings const& tiles)
      : flow_(flow),
        draft_(flow, arrays, over.num_axes()),
        exchanges_(flow, arrays, over.base(), kept),
        moments_(draft_, exchanges_, over.rank()),
        own_regions_(exchanges_.regions_of(over.rank())),
        tiles_(over.tiling(flow, own_regions_, tiles)) {}

  step_graph make();

private:
  /// The tasks of the last run of a reduction: threads' contributions are merged, the value is set.
  struct reduction_tasks {
    int merged, value_set;
  };

  /// The region that tasks access of a value, which the graph numbers behind the arrays.
  static constexpr box3 unit{{}, {1, 1, 1}};
  int number_of_value(int value) const { return std::ssize(draft_.buffers) + value; }
  void access_value(int task, int value, bool writes) {
    draft_.links.access(task, number_of_value(value), unit, writes);
  }
  void end_group_of_values(std::vector<int> const& written, array_parts arrays = {});

  void add_fills(step_fill const& fill);
  void add_fill(step_fill const& fill, int array, planned_fill& piece);
  void add_instance(int instance);
  void add_setting(int instance);
  void add_reductions(int instance, int first, int end);
  void add_reduction(int instance, int r);
  void add_tiles(int instance);
  void add_tile(int instance, step_region const& places, step_region const& computed, int column);
  bool moves(int instance) const;
  void bind(int instance);

  step_dataflow const& flow_;
  graph_draft draft_;
  step_exchanges exchanges_;
  moment_tasks moments_;
  computed_regions const& own_regions_;
  std::unique_ptr<step_tiling> tiles_;
  std::map<step_reduction*, reduction_tasks> last_reduced_;
  std::vector<int> contributing_; ///< tiles of the passes of a kernel that reduces
};

step_graph graph_builder::make() {
  draft_.made.time = flow_.program().time.get();
  auto moment = flow_.moments().begin();
  for (int i = 0; i < std::ssize(flow_.instances()); ++i) {
    for (; moment != flow_.moments().end() && moment->before == i; ++moment)
      moments_.add(*moment);
    for (step_fill const& fill : flow_.fills())
      if (fill.first_reader() == i)
        add_fills(fill);
    add_instance(i);
  }
  draft_.made.order = draft_.links.finish();
  return std::move(draft_.made);
}

/// Ghosts beyond the ends of the space, group after group.
void graph_builder::add_fills(step_fill const& fill) {
  int const array = flow_.supplies()[fill.supply].array;
  auto const& by = *flow_.program().fields[fill.field];
  for (fill_group& group : by.fills(flow_, fill, own_regions_, draft_.buffers, *tiles_)) {
    for (planned_fill& piece : group.pieces)
      add_fill(fill, array, piece);
    array_parts whole;
    for (step_region const& filled : group.whole)
      whole.emplace_back(array, filled);
    draft_.links.end_group(whole);
  }
}

void graph_builder::add_fill(step_fill const& fill, int array, planned_fill& piece) {
  int const task = draft_.add({task_kind::fill, -1, static_cast<int>(draft_.made.fills.size())});
  draft_.made.loose.push_back(task);
  draft_.made.fills.push_back(std::move(piece.work));
  if (piece.beside >= 0)
    draft_.access(task, piece.beside, piece.read_beside, false);
  draft_.access(task, array, piece.reads, false);
  for (int const value : fill.values)
    access_value(task, value, false);
  draft_.links.access(task, array, piece.writes, true);
}

/// Notes where the arguments of an instance lie.
void graph_builder::bind(int instance) {
  auto const& flow = flow_.instances()[instance];
  auto const& kernel = flow_.kernel_of(instance);
  draft_.made.kernels.push_back(&kernel);
  draft_.made.passes.push_back(flow.pass);
  draft_.made.steps.push_back(flow.step - flow_.steps().first);
  std::vector<bound_access>& all = draft_.made.bound.emplace_back();
  auto const buffer = [&](int array) { return array < 0 ? nullptr : draft_.buffers[array]; };
  for (int a = 0; a < std::ssize(kernel.accesses); ++a) {
    auto const& field = flow_.layout(flow.reads[a] >= 0 ? flow.reads[a] : flow.writes[a]);
    all.push_back(field.bound(kernel, kernel.accesses[a], buffer(flow.reads[a]),
                              buffer(flow.writes[a])));
  }
}

void graph_builder::add_instance(int instance) {
  bind(instance);
  auto const& kernel = flow_.kernel_of(instance);
  if (kernel.is_on_values)
    return add_setting(instance);
  int const first = std::ssize(draft_.made.tasks);
  add_tiles(instance);
  add_reductions(instance, first, std::ssize(draft_.made.tasks));
  array_parts written;
  auto const& flow = flow_.instances()[instance];
  for (int a = 0; a < std::ssize(kernel.accesses); ++a)
    if (int const to = flow.writes[a];
        to >= 0 && (!kernel.is_restricted() || (flow.reads[a] >= 0 && flow.reads[a] != to)))
      written.emplace_back(to, flow_.layout(to).values_at(own_regions_[instance]));
  bool const is_last = flow.pass + 1 == num_passes(kernel);
  end_group_of_values(is_last ? kernel.reduces : std::vector<int>{}, std::move(written));
}

/// Ends a group that sets values, and has written parts of arrays as a whole.
void graph_builder::end_group_of_values(std::vector<int> const& written, array_parts arrays) {
  for (int const value : written)
    arrays.emplace_back(number_of_value(value), unit);
  draft_.links.end_group(arrays);
}

/// A kernel on values alone.
void graph_builder::add_setting(int instance) {
  auto const& kernel = flow_.kernel_of(instance);
  int const task = draft_.add_tile(task_kind::set, instance, {{}, {}, true, nullptr});
  for (int const v : kernel.reads_values)
    access_value(task, v, false);
  for (int const v : kernel.sets)
    access_value(task, v, true);
  draft_.made.loose.push_back(task);
  end_group_of_values(kernel.sets);
}

/// The reductions of a kernel, behind its last pass. The tasks from `first` to `end` contribute, as
/// soon as the contributions of the run before have been merged; the value may still have readers.
void graph_builder::add_reductions(int instance, int first, int end) {
  auto const& kernel = flow_.kernel_of(instance);
  int const pass = flow_.instances()[instance].pass;
  if (pass == 0)
    contributing_.clear();
  for (int tile = first; tile < end; ++tile)
    contributing_.push_back(tile);
  for (auto const& reduction : kernel.reductions)
    if (auto const before = last_reduced_.find(reduction.get()); before != last_reduced_.end())
      for (int tile = first; tile < end; ++tile)
        draft_.links.link(before->second.merged, tile);
  if (pass + 1 == num_passes(kernel))
    for (int r = 0; r < std::ssize(kernel.reduces); ++r)
      add_reduction(instance, r);
}

void graph_builder::add_reduction(int instance, int r) {
  auto const& kernel = flow_.kernel_of(instance);
  step_reduction* const reduction = kernel.reductions[r].get();
  int const number = std::ssize(draft_.made.reductions);
  int const reduce = draft_.add({task_kind::reduce, instance, number});
  int const reduced = draft_.add({task_kind::reduced, instance, number});
  draft_.made.loose.push_back(reduce);
  draft_.made.reductions.push_back({reduction, reduced});
  for (int const tile : contributing_)
    draft_.links.link(tile, reduce);
  if (auto const before = last_reduced_.find(reduction); before != last_reduced_.end())
    draft_.links.link(before->second.value_set, reduce);
  last_reduced_[reduction] = {reduce, reduced};
  draft_.links.link(reduce, reduced);
  access_value(reduced, kernel.reduces[r], true);
}

/// Adds the tiles of one instance, column by column.
void graph_builder::add_tiles(int instance) {
  auto const& kernel = flow_.kernel_of(instance);
  step_region const region = own_regions_[instance];
  auto const tiles = tiles_->of(instance);
  draft_.made.columns.resize(tiles_->num_columns());
  draft_.made.shares = tiles_->shares();
  auto const computed = kernel.space->computed(kernel, region);
  draft_.made.num_computed += region.size();
  bool const copies_rest = kernel.is_restricted() && moves(instance);
  for (auto const& [column, tile] : tiles) {
    for (step_region const& part : computed)
      if (step_region const places = intersection(tile, part); !places.is_empty())
        add_tile(instance, places, places, column);
    if (copies_rest)
      for (step_region const& piece : rest_of(tile, computed))
        add_tile(instance, piece, {}, column);
  }
}

/// True if an instance updates values into other memory.
bool graph_builder::moves(int instance) const {
  auto const& flow = flow_.instances()[instance];
  for (int a = 0; a < std::ssize(flow.reads); ++a)
    if (flow.reads[a] >= 0 && flow.writes[a] >= 0 && flow.reads[a] != flow.writes[a])
      return true;
  return false;
}

/// Adds a tile; what other ranks count is a tile of its own.
void graph_builder::add_tile(int instance, step_region const& places, step_region const& computed,
                             int column) {
  auto const& kernel = flow_.kernel_of(instance);
  auto const& flow = flow_.instances()[instance];
  step_region const counted = intersection(places, kernel.space->owned_values(kernel.kind));
  bool const counts = counted == places;
  if (!kernel.reduces.empty() && !counts && !counted.is_empty()) {
    add_tile(instance, counted, intersection(computed, counted), column);
    for (step_region const& piece : difference(places, counted))
      add_tile(instance, piece, intersection(computed, piece), column);
    return;
  }
  int const task = draft_.add_tile(task_kind::tile, instance,
                                   {places, computed, counts,
                                    kernel.body ? kernel.body->plan(kernel, computed) : nullptr});
  for (int a = 0; a < std::ssize(kernel.accesses); ++a) {
    if (flow.reads[a] >= 0) {
      draft_.access(task, flow.reads[a],
                    kernel.space->read_by(kernel, kernel.accesses[a], computed), false);
      if (flow.writes[a] >= 0 && flow.writes[a] != flow.reads[a])
        draft_.access(task, flow.reads[a], flow_.layout(flow.reads[a]).values_at(places), false);
    }
    if (flow.writes[a] >= 0)
      draft_.access(task, flow.writes[a], flow_.layout(flow.writes[a]).values_at(places), true);
  }
  for (int const v : kernel.reads_values)
    access_value(task, v, false);
  draft_.made.columns[column].push_back(task);
}

} // namespace

void compute_task(step_graph const& graph, step_task const& task, std::int64_t first, int worker) {
  step_kernel const& kernel = *graph.kernels[task.instance];
  computed_tile const& tile = graph.tiles[task.item];
  kernel.body->compute(kernel, {tile.places, tile.computed, graph.bound[task.instance].data(),
                                worker, graph.passes[task.instance],
                                first + graph.steps[task.instance], tile.counts, tile.plan.get()});
}

step_graph make_step_graph(step_dataflow const& flow, std::vector<step_array> const& arrays,
                           step_space const& over, kept_exchanges& kept,
                           tile_settings const& tiles) {
  return graph_builder(flow, arrays, over, kept, tiles).make();
}

} // namespace seam::detail

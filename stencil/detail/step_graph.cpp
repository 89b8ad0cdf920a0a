#include <seam/stencil/detail/step_graph.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/detail/domain_images.hpp>
#include <seam/stencil/detail/step_exchanges.hpp>
#include <seam/stencil/detail/step_tiles.hpp>
#include <seam/stencil/detail/step_turns.hpp>
#include <seam/stencil/detail/tiles.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

/// The parts of `all` outside `parts`, which are disjoint.
std::vector<box3> rest_of(box3 const& all, std::vector<box3> const& parts) {
  std::vector<box3> rest{all};
  for (box3 const& part : parts) {
    std::vector<box3> left;
    for (box3 const& piece : rest)
      std::ranges::copy(difference(piece, intersection(piece, part)), std::back_inserter(left));
    rest = std::move(left);
  }
  std::erase_if(rest, [](box3 const& piece) { return piece.is_empty(); });
  return rest;
}

/// Builds one graph.
class graph_builder {
public:
  graph_builder(step_dataflow const& flow, std::vector<step_array> const& arrays,
                Communicator const& over, kept_exchanges& kept, tile_shape const& shape)
      : flow_(flow),
        arrays_(arrays),
        over_(over),
        exchanges_(flow, arrays, over, kept),
        tiles_(flow, exchanges_.regions_of(over.rank()), shape),
        graph_(arrays.size() + flow.program().values.size(), flow.program().num_axes) {}

  step_graph make();

private:
  using array_parts = std::vector<std::pair<int, box3>>; ///< arrays, and boxes of them

  /// The tasks of the last run of a reduction: threads' contributions are merged, the value is set.
  struct reduction_tasks {
    int merged, value_set;
  };

  /// The box that tasks access of a value, which the graph numbers behind the arrays.
  static constexpr box3 unit{{}, {1, 1, 1}};
  int number_of_value(int value) const { return std::ssize(arrays_) + value; }
  void access_value(int task, int value, bool writes) {
    graph_.access(task, number_of_value(value), unit, writes);
  }
  void end_group_of_values(std::vector<int> const& written, array_parts arrays = {});

  box3 owned(int array) const;
  std::vector<box3> const& own_regions() { return exchanges_.regions_of(over_.rank()); }
  int add(step_task const& task);
  void access(int task, int array, box3 const& part, bool writes);
  void add_moment(step_moment const& moment);
  void add_messages(step_moment const& moment);
  array_parts add_arrivals(exchange_run& run, step_moment const& moment, int number);
  void add_end_of(exchange_run& run);
  void add_copies(step_moment const& moment);
  void add_fills(step_fill const& fill);
  void add_fill(step_fill const& fill, int component, border_ghosts const& beyond,
                filled_border const& by, array_parts& filled);
  void add_fill_of_piece(step_fill const& fill, int component, border_ghosts const& piece,
                         filled_border const& by);
  component_memory read_beside_fill(int task, step_fill const& fill, border_source const& source,
                                    box3 const& ghosts);
  void add_instance(int instance);
  void add_setting(int instance);
  void add_reductions(int instance, int first, int end);
  void add_reduction(int instance, int r);
  void add_tiles(int instance);
  void add_tile(int instance, box3 const& cells, box3 const& where, int column);
  bool moves(int instance) const;
  void bind(int instance);
  bound_access bound(step_kernel const& kernel, step_access const& access, int from, int to) const;

  step_dataflow const& flow_;
  std::vector<step_array> const& arrays_;
  Communicator const& over_;
  step_exchanges exchanges_;
  step_tiles tiles_;
  task_graph graph_;
  std::map<kept_exchange*, int> last_done_; ///< task that ends the last run of an exchange
  std::map<step_reduction*, reduction_tasks> last_reduced_;
  std::vector<int> contributing_; ///< tiles of the passes of a kernel that reduces
  step_graph made_;
};

step_graph graph_builder::make() {
  made_.time = flow_.program().time.get();
  auto moment = flow_.moments().begin();
  for (int i = 0; i < std::ssize(flow_.instances()); ++i) {
    for (; moment != flow_.moments().end() && moment->before == i; ++moment)
      add_moment(*moment);
    for (step_fill const& fill : flow_.fills())
      if (fill.first_reader() == i)
        add_fills(fill);
    add_instance(i);
  }
  made_.order = graph_.finish();
  return std::move(made_);
}

box3 graph_builder::owned(int array) const {
  auto const& field = flow_.layout(array);
  return field.space->owned(field.options.on);
}

int graph_builder::add(step_task const& task) {
  made_.tasks.push_back(task);
  return graph_.add();
}

void graph_builder::access(int task, int array, box3 const& part, bool writes) {
  auto const& field = flow_.layout(array);
  SEAM_ASSERT(part.is_empty() ||
                  intersection(part, shift(field.local(), field.space->owned().lo)) == part,
              "steps reach beyond the ghosts of '" + field.name + "'");
  for (box3 const& zone : cut_by_zones(part, owned(array)))
    graph_.access(task, array, zone, writes);
}

void graph_builder::add_moment(step_moment const& moment) {
  if (over_.size() > 1)
    add_messages(moment);
  add_copies(moment);
}

/// One run of an exchange: a message leaves when its values are computed, and is received when the
/// ghosts that it fills have been read.
void graph_builder::add_messages(step_moment const& moment) {
  int const number = std::ssize(made_.exchanges);
  kept_exchange& kept = exchanges_.of(moment);
  if (kept.sources.empty() && kept.destinations.empty())
    return;
  exchange_run run{&kept, add({task_kind::start, -1, number}), -1, {}, {}};
  auto const filled = add_arrivals(run, moment, number);
  for (int g = 0; g < std::ssize(run.kept->destinations); ++g) {
    run.gates.push_back(add({task_kind::gate, -1, number, g}));
    graph_.link(run.start, run.gates.back());
  }
  run.done = add({task_kind::done, -1, number});
  auto const numbers = exchanges_.numbers_of(moment);
  for (int g = 0; g < std::ssize(run.gates); ++g)
    for (auto const& [component, part] :
         exchanges_.needed_of(over_.rank(), run.kept->destinations[g], moment)) {
      graph_.wait_for(run.gates[g], numbers[component].array, part.owned, false);
      graph_.access(run.done, numbers[component].array, part.owned, false);
    }
  add_end_of(run);
  graph_.end_group(filled);
}

/// Adds a task for each message that arrives, and returns the ghosts that they fill.
auto graph_builder::add_arrivals(exchange_run& run, step_moment const& moment, int number)
    -> array_parts {
  auto const numbers = exchanges_.numbers_of(moment);
  auto own = exchanges_.needed_by(over_.rank(), moment);
  array_parts filled;
  for (int const source : run.kept->sources) {
    int const edge = std::ssize(run.arrivals);
    int const arrival = add({task_kind::arrival, -1, number, edge});
    graph_.link(run.start, arrival);
    run.arrivals.push_back(arrival);
    for (auto const& [component, part] : own[source]) {
      int const array = numbers[component].array;
      graph_.wait_for(run.start, array, part.needed, true);
      graph_.access(arrival, array, part.needed, true);
      filled.emplace_back(array, part.needed);
    }
  }
  return filled;
}

/// Links the task that ends a run, and keeps the run.
void graph_builder::add_end_of(exchange_run& run) {
  graph_.link(run.start, run.done);
  for (int const task : run.gates)
    graph_.link(task, run.done);
  for (int const task : run.arrivals)
    graph_.link(task, run.done);
  if (auto const before = last_done_.find(run.kept); before != last_done_.end())
    graph_.link(before->second, run.start);
  last_done_[run.kept] = run.done;
  made_.exchanges.push_back(std::move(run));
}

/// Copies of own values to ghosts.
void graph_builder::add_copies(step_moment const& moment) {
  auto const numbers = exchanges_.numbers_of(moment);
  array_parts filled;
  auto const own = exchanges_.needed_of(over_.rank(), over_.rank(), moment);
  for (auto const& [number, part] : own) {
    auto const [place, array, component] = numbers[number];
    auto const& field = flow_.layout(array);
    index3 back{};
    for (int a = 0; a < 3; ++a)
      back[a] = part.owned.lo[a] - part.needed.lo[a];
    for (box3 const& piece : cut(part.needed, ghosts_of_a_piece(part.needed.num_cells()))) {
      int const task = add({task_kind::copy, -1, static_cast<int>(made_.copies.size())});
      made_.copies.push_back({field.component(arrays_[array].memory, component),
                              field.element_bytes, field.space->relative(piece), back});
      graph_.access(task, array, shift(piece, back), false);
      graph_.access(task, array, piece, true);
      made_.loose.push_back(task);
    }
    filled.emplace_back(array, part.needed);
  }
  graph_.end_group(filled);
}

/// Ghosts beyond borders, axis by axis.
void graph_builder::add_fills(step_fill const& fill) {
  int const array = flow_.supplies()[fill.supply].array;
  auto const& field = flow_.layout(array);
  std::vector<std::vector<border_ghosts>> components2borders;
  bool const is_uniform = flow_.is_uniform(array, fill.readers);
  for (int c = 0; c < field.options.components; ++c)
    components2borders.push_back(
        c > 0 && is_uniform
            ? components2borders.front()
            : flow_.needed(over_.rank(), own_regions(), array, fill.readers, c).beyond_borders());
  for (int k = 0; k < std::ssize(flow_.field_of(fill).borders); ++k) {
    array_parts ghosts;
    for (int c = 0; c < field.options.components; ++c) {
      auto const& filled = flow_.border_of(fill, k, c);
      for (border_ghosts const& beyond : components2borders[c])
        if (beyond.axis == filled.where.axis && beyond.side == filled.where.side)
          add_fill(fill, c, beyond, filled, ghosts);
    }
    graph_.end_group(ghosts);
  }
}

/// Adds tasks that fill ghosts of a component beyond one border, and notes what they fill.
void graph_builder::add_fill(step_fill const& fill, int component, border_ghosts const& beyond,
                             filled_border const& by, array_parts& filled) {
  int const array = flow_.supplies()[fill.supply].array;
  for (box3 const& zone : cut_by_zones(beyond.ghosts, owned(array))) {
    for (box3 const& piece :
         tiles_.pieces_of(zone, *flow_.layout(array).space, fill.first_reader()))
      add_fill_of_piece(fill, component, {beyond.axis, beyond.side, piece}, by);
    filled.emplace_back(array, zone);
  }
}

/// True if other conditions than a field's own fill its ghosts in a program: those of kernels, or of the
/// fields to which swaps give its memory.
bool is_filled_by_others(step_program const& program, int field) {
  auto const swaps = [&](step_statement const& statement) {
    return statement.kernel < 0 && (statement.swapped[0] == field || statement.swapped[1] == field);
  };
  return std::ranges::any_of(program.statements, swaps) ||
         std::ranges::find(program.borders, field, &kernel_borders::field) != program.borders.end();
}

void graph_builder::add_fill_of_piece(step_fill const& fill, int component,
                                      border_ghosts const& piece, filled_border const& by) {
  int const array = flow_.supplies()[fill.supply].array;
  auto const& field = flow_.layout(array);
  int const task = add({task_kind::fill, -1, static_cast<int>(made_.fills.size())});
  made_.loose.push_back(task);
  auto const beside = read_beside_fill(task, fill, by.conditions[component].source, piece.ghosts);
  made_.fills.push_back({&by.fills[component], field.component(arrays_[array].memory, component),
                         beside, field.space->relative(piece.ghosts), &flow_.field_of(fill),
                         component, !is_filled_by_others(flow_.program(), fill.field)});
  access(task, array, mirror_image(*field.space, field.options.on, piece), false);
  for (int const value : fill.values)
    access_value(task, value, false);
  graph_.access(task, array, piece.ghosts, true);
}

/// Notes that a fill reads another field, and returns the memory of what it reads.
component_memory graph_builder::read_beside_fill(int task, step_fill const& fill,
                                                 border_source const& source, box3 const& ghosts) {
  if (!source.is_used())
    return {};
  auto const other = source.field.lock();
  for (auto const& [number, array] : fill.beside)
    if (flow_.program().fields[number] == other) {
      auto const& field = flow_.layout(array);
      domain_images const images(*field.space, field.options.on);
      access(task, array, images.inside(ghosts), false);
      return field.component(arrays_[array].memory, source.component);
    }
  return {};
}

/// Notes where the arguments of an instance lie.
void graph_builder::bind(int instance) {
  auto const& flow = flow_.instances()[instance];
  auto const& kernel = flow_.kernel_of(instance);
  made_.kernels.push_back(&kernel);
  made_.passes.push_back(flow.pass);
  std::vector<bound_access>& all = made_.bound.emplace_back();
  for (int a = 0; a < std::ssize(kernel.accesses); ++a)
    all.push_back(bound(kernel, kernel.accesses[a], flow.reads[a], flow.writes[a]));
}

/// @param from, to  arrays, or -1
bound_access graph_builder::bound(step_kernel const& kernel, step_access const& access, int from,
                                  int to) const {
  auto const& field = flow_.layout(from >= 0 ? from : to);
  auto const address = [&](int array) {
    return array < 0 ? nullptr : field.component(arrays_[array].memory, access.first).origin;
  };
  bound_access made;
  made.read = address(from);
  made.write = address(to);
  made.component_stride = 1;
  for (int axis = 2; axis >= 0; --axis) {
    made.stride[axis] = made.component_stride;
    made.component_stride *= field.local().extent(axis);
  }
  made.multiplier = access.multiplier;
  made.divisor = access.divisor;
  made.field_first = field.space->owned().lo;
  if (kernel.space)
    made.kernel_first = kernel.space->owned().lo;
  return made;
}

void graph_builder::add_instance(int instance) {
  bind(instance);
  auto const& kernel = flow_.kernel_of(instance);
  if (kernel.is_on_values)
    return add_setting(instance);
  int const first = std::ssize(made_.tasks);
  add_tiles(instance);
  add_reductions(instance, first, std::ssize(made_.tasks));
  array_parts written;
  auto const& flow = flow_.instances()[instance];
  for (int a = 0; a < std::ssize(kernel.accesses); ++a)
    if (int const to = flow.writes[a];
        to >= 0 && (!kernel.where || (flow.reads[a] >= 0 && flow.reads[a] != to)))
      written.emplace_back(to, own_regions()[instance]);
  bool const is_last = flow.pass + 1 == num_passes(kernel);
  end_group_of_values(is_last ? kernel.reduces : std::vector<int>{}, std::move(written));
}

/// Ends a group that sets values, and has written parts of arrays as a whole.
void graph_builder::end_group_of_values(std::vector<int> const& written, array_parts arrays) {
  for (int const value : written)
    arrays.emplace_back(number_of_value(value), unit);
  graph_.end_group(arrays);
}

/// A kernel on values alone.
void graph_builder::add_setting(int instance) {
  auto const& kernel = flow_.kernel_of(instance);
  int const task = add({task_kind::set, instance});
  for (int const v : kernel.reads_values)
    access_value(task, v, false);
  for (int const v : kernel.sets)
    access_value(task, v, true);
  made_.loose.push_back(task);
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
        graph_.link(before->second.merged, tile);
  if (pass + 1 == num_passes(kernel))
    for (int r = 0; r < std::ssize(kernel.reduces); ++r)
      add_reduction(instance, r);
}

void graph_builder::add_reduction(int instance, int r) {
  auto const& kernel = flow_.kernel_of(instance);
  step_reduction* const reduction = kernel.reductions[r].get();
  int const number = std::ssize(made_.reductions);
  int const reduce = add({task_kind::reduce, instance, number});
  int const reduced = add({task_kind::reduced, instance, number});
  made_.loose.push_back(reduce);
  made_.reductions.push_back({reduction, reduced});
  for (int const tile : contributing_)
    graph_.link(tile, reduce);
  if (auto const before = last_reduced_.find(reduction); before != last_reduced_.end())
    graph_.link(before->second.value_set, reduce);
  last_reduced_[reduction] = {reduce, reduced};
  graph_.link(reduce, reduced);
  access_value(reduced, kernel.reduces[r], true);
}

/// Adds the tiles of one instance, column by column.
void graph_builder::add_tiles(int instance) {
  auto const& kernel = flow_.kernel_of(instance);
  box3 const region = own_regions()[instance];
  bool const is_ordered = kernel.order.is_on;
  auto const& tiles =
      is_ordered ? tiles_.along(kernel.axis_of_order(), *kernel.space) : tiles_.of(*kernel.space);
  made_.columns.resize(tiles_.num_columns());
  made_.shares = tiles_.shares();
  auto const computed = flow_.computed(instance, region);
  made_.num_computed += region.num_cells();
  bool const copies_rest = kernel.where && moves(instance);
  for (int t = 0; t < std::ssize(tiles.tiles); ++t) {
    auto const& at = tiles.tiles[t];
    box3 const tile = intersection(region, is_ordered ? at.cells : tiles_.cells_of(at, instance));
    int const column = tiles.first_column + t;
    for (box3 const& part : computed)
      if (box3 const cells = intersection(tile, part); !cells.is_empty())
        add_tile(instance, cells, cells, column);
    if (copies_rest)
      for (box3 const& piece : rest_of(tile, computed))
        add_tile(instance, piece, {piece.lo, piece.lo}, column);
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
void graph_builder::add_tile(int instance, box3 const& cells, box3 const& where, int column) {
  auto const& kernel = flow_.kernel_of(instance);
  auto const& flow = flow_.instances()[instance];
  box3 const counted = intersection(cells, kernel.space->owned(kernel.on));
  bool const counts = counted == cells;
  if (!kernel.reduces.empty() && !counts && !counted.is_empty()) {
    add_tile(instance, counted, intersection(where, counted), column);
    for (box3 const& piece : difference(cells, counted))
      add_tile(instance, piece, intersection(where, piece), column);
    return;
  }
  index3 const to_local = negated(kernel.space->owned().lo);
  int const task = add({task_kind::tile, instance, -1, -1, shift(cells, to_local),
                        shift(where, to_local), counts});
  for (int a = 0; a < std::ssize(kernel.accesses); ++a) {
    step_access const& read = kernel.accesses[a];
    if (flow.reads[a] >= 0) {
      access(task, flow.reads[a], kernel.read_by(read, where), false);
      if (flow.writes[a] >= 0 && flow.writes[a] != flow.reads[a])
        access(task, flow.reads[a], cells, false);
    }
    if (flow.writes[a] >= 0)
      access(task, flow.writes[a], cells, true);
  }
  for (int const v : kernel.reads_values)
    access_value(task, v, false);
  made_.columns[column].push_back(task);
}

} // namespace

step_graph make_step_graph(step_dataflow const& flow, std::vector<step_array> const& arrays,
                           Communicator const& over, kept_exchanges& kept,
                           tile_shape const& shape) {
  return graph_builder(flow, arrays, over, kept, shape).make();
}

} // namespace seam::detail

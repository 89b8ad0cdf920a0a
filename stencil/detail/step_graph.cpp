#include <seam/stencil/detail/step_graph.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/detail/step_exchanges.hpp>
#include <seam/stencil/detail/step_tiles.hpp>
#include <seam/stencil/detail/tiles.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

/// Builds one graph.
template <int D>
class graph_builder {
public:
  graph_builder(step_dataflow<D> const& flow, std::vector<step_array> const& arrays,
                Communicator const& over, kept_exchanges& kept, tile_shape<D> const& shape)
      : flow_(flow),
        arrays_(arrays),
        over_(over),
        exchanges_(flow, arrays, over, kept),
        tiles_(flow, exchanges_.regions_of(over.rank()), shape),
        graph_(static_cast<int>(arrays.size() + flow.program().values.size())) {}

  step_graph<D> make();

private:
  box<D> owned(int array) const;
  std::vector<box<D>> const& own_regions() { return exchanges_.regions_of(over_.rank()); }
  int add(step_task<D> const& task);
  void access(int task, int array, box<D> const& part, bool writes);
  void add_moment(step_moment const& moment);
  void add_messages(step_moment const& moment);
  void add_end_of(exchange_run& run);
  void add_copies(step_moment const& moment);
  void add_fills(step_supply const& supply);
  void add_instance(int instance);
  void add_tiles(int instance);
  void add_tile(int instance, box<D> const& cells, box<D> const& where, int column);
  void bind(int instance);

  step_dataflow<D> const& flow_;
  std::vector<step_array> const& arrays_;
  Communicator const& over_;
  step_exchanges<D> exchanges_;
  step_tiles<D> tiles_;
  task_graph<D> graph_;
  std::map<kept_exchange*, int> last_done_; ///< task that ends the last run of an exchange
  step_graph<D> made_;
};

template <int D>
step_graph<D> graph_builder<D>::make() {
  made_.time = flow_.program().time.get();
  auto moment = flow_.moments().begin();
  for (int i = 0; i < static_cast<int>(flow_.instances().size()); ++i) {
    for (; moment != flow_.moments().end() && moment->before == i; ++moment)
      add_moment(*moment);
    for (step_supply const& supply : flow_.supplies())
      if (!supply.is_exchanged && supply.first_reader() == i)
        add_fills(supply);
    add_instance(i);
  }
  made_.order = graph_.finish();
  return std::move(made_);
}

template <int D>
box<D> graph_builder<D>::owned(int array) const {
  auto const& field = flow_.layout(array);
  return field.grid.owned(field.options.on);
}

template <int D>
int graph_builder<D>::add(step_task<D> const& task) {
  made_.tasks.push_back(task);
  return graph_.add();
}

template <int D>
void graph_builder<D>::access(int task, int array, box<D> const& part, bool writes) {
  auto const& field = flow_.layout(array);
  SEAM_ASSERT(part.is_empty() ||
                  intersection(part, shift(field.local(), field.grid.owned().lo)) == part,
              "steps reach beyond the ghosts of '" + field.name + "'");
  for (box<D> const& zone : cut_by_zones<D>(part, owned(array)))
    graph_.access(task, array, zone, writes);
}

template <int D>
void graph_builder<D>::add_moment(step_moment const& moment) {
  if (over_.size() > 1)
    add_messages(moment);
  add_copies(moment);
  for (int const s : moment.supplies)
    add_fills(flow_.supplies()[static_cast<std::size_t>(s)]);
}

/// One run of an exchange: a message leaves when its values are computed, and is received when the
/// ghosts that it fills have been read.
template <int D>
void graph_builder<D>::add_messages(step_moment const& moment) {
  kept_exchange& kept = exchanges_.of(moment);
  int const number = static_cast<int>(made_.exchanges.size());
  exchange_run run{&kept, add({task_kind::start, -1, number}), -1, {}, {}};
  auto const numbers = exchanges_.numbers_of(moment);
  auto const array_of = [&](int n) { return numbers[static_cast<std::size_t>(n)].array; };
  auto own = exchanges_.needed_by(over_.rank(), moment);
  std::vector<std::pair<int, box<D>>> whole;
  for (int const source : kept.sources) {
    int const arrival =
        add({task_kind::arrival, -1, number, static_cast<int>(run.arrivals.size())});
    graph_.link(run.start, arrival);
    run.arrivals.push_back(arrival);
    for (auto const& [component, part] : own[source]) {
      graph_.wait_for(run.start, array_of(component), part.needed, true);
      graph_.access(arrival, array_of(component), part.needed, true);
      whole.emplace_back(array_of(component), part.needed);
    }
  }
  for (std::size_t g = 0; g < kept.destinations.size(); ++g) {
    run.gates.push_back(add({task_kind::gate, -1, number, static_cast<int>(g)}));
    graph_.link(run.start, run.gates.back());
  }
  run.done = add({task_kind::done, -1, number});
  for (std::size_t g = 0; g < kept.destinations.size(); ++g) {
    auto const sent = exchanges_.needed_of(over_.rank(), kept.destinations[g], moment);
    for (auto const& [component, part] : sent) {
      graph_.wait_for(run.gates[g], array_of(component), part.owned, false);
      graph_.access(run.done, array_of(component), part.owned, false);
    }
  }
  add_end_of(run);
  graph_.end_group(whole);
}

/// Links the task that ends a run, and keeps the run.
template <int D>
void graph_builder<D>::add_end_of(exchange_run& run) {
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
template <int D>
void graph_builder<D>::add_copies(step_moment const& moment) {
  constexpr std::int64_t most_cells = 32 * 1024;
  auto const numbers = exchanges_.numbers_of(moment);
  std::vector<std::pair<int, box<D>>> whole;
  auto const own = exchanges_.needed_of(over_.rank(), over_.rank(), moment);
  for (auto const& [number, part] : own) {
    auto const [place, array, component] = numbers[static_cast<std::size_t>(number)];
    auto const& field = flow_.layout(array);
    cell_index<D> back{};
    for (std::size_t a = 0; a < back.size(); ++a)
      back[a] = part.owned.lo[a] - part.needed.lo[a];
    for (box<D> const& piece : cut<D>(part.needed, most_cells)) {
      int const task = add({task_kind::copy, -1, static_cast<int>(made_.copies.size())});
      made_.copies.push_back(
          {field.component(arrays_[static_cast<std::size_t>(array)].memory, component),
           field.element_bytes, shift(piece, negative<D>(field.grid.owned().lo)), back});
      graph_.access(task, array, shift(piece, back), false);
      graph_.access(task, array, piece, true);
      made_.loose.push_back(task);
    }
    whole.emplace_back(array, part.needed);
  }
  graph_.end_group(whole);
}

/// Ghosts beyond borders, axis by axis.
template <int D>
void graph_builder<D>::add_fills(step_supply const& supply) {
  constexpr std::int64_t most_cells = 16 * 1024;
  auto const& field = flow_.layout(supply.array);
  auto const& memory = arrays_[static_cast<std::size_t>(supply.array)].memory;
  std::vector<std::vector<border_ghosts<D>>> components2borders;
  bool const is_uniform = flow_.is_uniform(supply);
  for (int c = 0; c < field.options.components; ++c)
    components2borders.push_back(
        c > 0 && is_uniform
            ? components2borders.front()
            : flow_.needed(over_.rank(), own_regions(), supply, c).beyond_borders());
  cell_index<D> const to_local = negative<D>(field.grid.owned().lo);
  box<D> one;
  one.hi.fill(1);
  for (filled_border<D> const& filled : flow_.field_of(supply).borders) {
    std::vector<std::pair<int, box<D>>> whole;
    for (int c = 0; c < field.options.components; ++c)
      for (border_ghosts<D> const& beyond : components2borders[static_cast<std::size_t>(c)]) {
        if (beyond.axis != filled.where.axis || beyond.side != filled.where.side)
          continue;
        for (box<D> const& zone : cut_by_zones<D>(beyond.ghosts, owned(supply.array)))
          for (box<D> const& piece : cut<D>(zone, most_cells)) {
            int const task = add({task_kind::fill, -1, static_cast<int>(made_.fills.size())});
            made_.fills.push_back({&filled.fills[static_cast<std::size_t>(c)],
                                   field.component(memory, c), shift(piece, to_local)});
            access(task, supply.array,
                   mirror_image<D>(field.grid, field.options.on, {beyond.axis, beyond.side, piece}),
                   false);
            if (flow_.program().time)
              for (std::size_t v = 0; v < flow_.program().values.size(); ++v)
                if (flow_.program().values[v] == flow_.program().time)
                  graph_.access(task, static_cast<int>(arrays_.size() + v), one, false);
            graph_.access(task, supply.array, piece, true);
            made_.loose.push_back(task);
            whole.emplace_back(supply.array, piece);
          }
      }
    graph_.end_group(whole);
  }
}

/// The address of an argument, of values with index 0.
template <int D>
void graph_builder<D>::bind(int instance) {
  auto const& flow = flow_.instances()[static_cast<std::size_t>(instance)];
  auto const& kernel = flow_.kernel_of(instance);
  made_.kernels.push_back(&kernel);
  made_.colors.push_back(flow.color);
  std::vector<bound_access<D>>& all = made_.bound.emplace_back();
  for (std::size_t a = 0; a < kernel.accesses.size(); ++a) {
    step_access<D> const& access = kernel.accesses[a];
    bound_access<D> bound;
    int const from = flow.reads[a], to = flow.writes[a];
    auto const& field = flow_.layout(from >= 0 ? from : to);
    auto const address = [&](int array) {
      return array < 0
                 ? nullptr
                 : field.component(arrays_[static_cast<std::size_t>(array)].memory, access.first)
                       .origin;
    };
    bound.read = address(from);
    bound.write = address(to);
    box<D> const local = field.local();
    std::int64_t step = 1;
    for (int axis = D - 1; axis >= 0; --axis) {
      bound.stride[static_cast<std::size_t>(axis)] = step;
      step *= local.extent(axis);
    }
    bound.component_stride = step;
    bound.multiplier = access.multiplier;
    bound.divisor = access.divisor;
    bound.field_first = field.grid.owned().lo;
    if (kernel.grid)
      bound.kernel_first = kernel.grid->owned().lo;
    all.push_back(bound);
  }
}

template <int D>
void graph_builder<D>::add_instance(int instance) {
  bind(instance);
  auto const& kernel = flow_.kernel_of(instance);
  auto const value = [&](int v) { return static_cast<int>(arrays_.size()) + v; };
  box<D> one;
  one.hi.fill(1);
  if (kernel.set) {
    int const task = add({task_kind::set, instance});
    for (int const v : kernel.reads_values)
      graph_.access(task, value(v), one, false);
    for (int const v : kernel.sets)
      graph_.access(task, value(v), one, true);
    made_.loose.push_back(task);
    return graph_.end_group();
  }
  std::size_t const first = made_.tasks.size();
  add_tiles(instance);
  std::size_t const end = made_.tasks.size();
  for (std::size_t r = 0; r < kernel.reduces.size(); ++r) {
    int const number = static_cast<int>(made_.reductions.size());
    int const reduce = add({task_kind::reduce, instance, number});
    int const reduced = add({task_kind::reduced, instance, number});
    made_.loose.push_back(reduce);
    made_.reductions.push_back({kernel.reductions[r].get(), reduced});
    for (std::size_t t = first; t < end; ++t) {
      graph_.wait_for(static_cast<int>(t), value(kernel.reduces[r]), one, true);
      graph_.link(static_cast<int>(t), reduce);
    }
    graph_.wait_for(reduce, value(kernel.reduces[r]), one, true);
    graph_.link(reduce, reduced);
    graph_.access(reduced, value(kernel.reduces[r]), one, true);
  }
  std::vector<std::pair<int, box<D>>> whole;
  auto const& flow = flow_.instances()[static_cast<std::size_t>(instance)];
  for (std::size_t a = 0; a < kernel.accesses.size(); ++a)
    if (int const to = flow.writes[a];
        to >= 0 && (!kernel.where || flow.reads[a] != to) && !(kernel.where && flow.reads[a] < 0))
      whole.emplace_back(to, own_regions()[static_cast<std::size_t>(instance)]);
  graph_.end_group(whole);
}

/// Adds the tiles of one instance, column by column.
template <int D>
void graph_builder<D>::add_tiles(int instance) {
  auto const& kernel = flow_.kernel_of(instance);
  box<D> const region = own_regions()[static_cast<std::size_t>(instance)];
  auto const& flow = flow_.instances()[static_cast<std::size_t>(instance)];
  bool copies_others = false;
  for (std::size_t a = 0; a < kernel.accesses.size(); ++a)
    copies_others = copies_others ||
                    (flow.writes[a] >= 0 && flow.reads[a] >= 0 && flow.reads[a] != flow.writes[a]);
  auto const& tiles = tiles_.of(*kernel.grid);
  made_.columns.resize(static_cast<std::size_t>(tiles_.num_columns()));
  auto const computed = flow_.computed(instance, region);
  made_.num_computed += region.num_cells();
  for (std::size_t t = 0; t < tiles.tiles.size(); ++t) {
    box<D> const tile =
        intersection(region, shift(tiles.tiles[t], negative<D>(tiles_.shift_of(instance))));
    int const column = tiles.first_column + static_cast<int>(t);
    std::vector<box<D>> rest{tile};
    for (box<D> const& part : computed) {
      box<D> const cells = intersection(tile, part);
      if (cells.is_empty())
        continue;
      add_tile(instance, cells, cells, column);
      std::vector<box<D>> left;
      for (box<D> const& piece : rest) {
        auto const more = difference(piece, intersection(piece, cells));
        left.insert(left.end(), more.begin(), more.end());
      }
      rest = std::move(left);
    }
    if (copies_others)
      for (box<D> const& piece : rest)
        if (!piece.is_empty() && kernel.where)
          add_tile(instance, piece, {piece.lo, piece.lo}, column);
  }
}

/// Adds a tile; what other ranks count is a tile of its own.
template <int D>
void graph_builder<D>::add_tile(int instance, box<D> const& cells, box<D> const& where,
                                int column) {
  auto const& kernel = flow_.kernel_of(instance);
  auto const& flow = flow_.instances()[static_cast<std::size_t>(instance)];
  box<D> const own = kernel.grid->owned(kernel.on);
  if (!kernel.reduces.empty() && intersection(cells, own) != cells) {
    box<D> const counted = intersection(cells, own);
    if (!counted.is_empty())
      add_tile(instance, counted, intersection(where, counted), column);
    for (box<D> const& piece : difference(cells, counted))
      add_tile(instance, piece, intersection(where, piece), column);
    return;
  }
  cell_index<D> const to_local = negative<D>(kernel.grid->owned().lo);
  bool const counts = intersection(cells, own) == cells;
  int const task = add({task_kind::tile, instance, -1, -1, shift(cells, to_local),
                        shift(where, to_local), counts});
  for (std::size_t a = 0; a < kernel.accesses.size(); ++a) {
    step_access<D> const& read = kernel.accesses[a];
    if (flow.reads[a] >= 0) {
      access(task, flow.reads[a], kernel.read_by(read, where), false);
      if (flow.writes[a] >= 0 && flow.writes[a] != flow.reads[a])
        access(task, flow.reads[a], cells, false);
    }
    if (flow.writes[a] >= 0)
      access(task, flow.writes[a], cells, true);
  }
  box<D> one;
  one.hi.fill(1);
  for (int const v : kernel.reads_values)
    graph_.access(task, static_cast<int>(arrays_.size()) + v, one, false);
  made_.columns[static_cast<std::size_t>(column)].push_back(task);
}

} // namespace

template <int D>
step_graph<D> make_step_graph(step_dataflow<D> const& flow, std::vector<step_array> const& arrays,
                              Communicator const& over, kept_exchanges& kept,
                              tile_shape<D> const& shape) {
  return graph_builder<D>(flow, arrays, over, kept, shape).make();
}

#define SEAM_FOR_DIMENSION(D)                                                                      \
  template step_graph<D> make_step_graph(step_dataflow<D> const&, std::vector<step_array> const&,  \
                                         Communicator const&, kept_exchanges&,                     \
                                         tile_shape<D> const&);
SEAM_FOR_DIMENSION(1)
SEAM_FOR_DIMENSION(2)
SEAM_FOR_DIMENSION(3)
#undef SEAM_FOR_DIMENSION

} // namespace seam::detail

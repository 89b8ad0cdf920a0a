#include <seam/stencil/detail/step_graph.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/halo/exchange.hpp>
#include <seam/stencil/detail/tiles.hpp>
#include <seam/stencil/layout.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace seam::detail {
namespace {

constexpr std::int64_t far_away = std::int64_t{1} << 60;

template <int D>
cell_index<D> negative(cell_index<D> by) {
  for (auto& step : by)
    step = -step;
  return by;
}

/// Boxes that touch the ends of `all` go on without end there.
template <int D>
void open_ends(std::vector<box<D>>& boxes, box<D> const& all) {
  for (box<D>& part : boxes)
    for (std::size_t a = 0; a < all.lo.size(); ++a) {
      if (part.lo[a] == all.lo[a])
        part.lo[a] = -far_away;
      if (part.hi[a] == all.hi[a])
        part.hi[a] = far_away;
    }
}

template <int D>
ghost_width<D> reach_of(step_kernel<D> const& kernel) {
  ghost_width<D> width;
  for (step_access<D> const& access : kernel.accesses)
    for (auto const& list : access.offsets)
      for (auto const& offset : list)
        for (std::size_t a = 0; a < offset.size(); ++a) {
          width.below[a] = std::max(width.below[a], -offset[a]);
          width.above[a] = std::max(width.above[a], offset[a]);
        }
  ghost_width<D> of_added;
  for (auto const& offset : kernel.added)
    for (std::size_t a = 0; a < offset.size(); ++a) {
      of_added.below[a] = std::max(of_added.below[a], offset[a]);
      of_added.above[a] = std::max(of_added.above[a], -offset[a]);
    }
  for (std::size_t a = 0; a < width.below.size(); ++a) {
    width.below[a] += of_added.below[a];
    width.above[a] += of_added.above[a];
  }
  return width;
}

/// Builds one graph.
template <int D>
class graph_builder {
public:
  graph_builder(step_dataflow<D> const& flow, std::vector<step_array> const& arrays,
                Communicator const& over, kept_exchanges& kept, tile_shape<D> const& shape)
      : flow_(flow),
        arrays_(arrays),
        over_(over),
        kept_(kept),
        shape_(shape),
        graph_(static_cast<int>(arrays.size() + flow.program().values.size())) {}

  step_graph<D> make();

private:
  using tile_boxes = std::vector<box<D>>;
  struct grid_tiles {
    Grid<D> grid;
    tile_boxes tiles; ///< global indices; without end at the ends of the block
    int first_column;
  };

  box<D> owned(int array) const;
  int add(step_task<D> const& task);
  void access(int task, int array, box<D> const& part, bool writes);
  void add_moment(step_moment const& moment);
  kept_exchange& exchange_of(step_moment const& moment);
  void add_transfers(step_moment const& moment, int receiver,
                     std::map<int, std::vector<std::pair<int, owned_part<D>>>>& owners2parts);
  void add_copies(step_moment const& moment);
  void add_fills(step_supply const& supply);
  void add_instance(int instance);
  void add_tiles(int instance);
  void add_tile(int instance, box<D> const& cells, box<D> const& where, int column);
  void bind(int instance);
  grid_tiles const& tiles_of(Grid<D> const& grid);
  tile_boxes rim_and_interior(Grid<D> const& grid) const;
  tile_boxes skewed(Grid<D> const& grid);
  void find_shifts();
  std::vector<box<D>> const& regions_of(int rank);
  cell_index<D> reach() const;

  step_dataflow<D> const& flow_;
  std::vector<step_array> const& arrays_;
  Communicator const& over_;
  kept_exchanges& kept_;
  tile_shape<D> shape_;
  task_graph<D> graph_;
  std::map<int, std::vector<box<D>>> rank2regions_;
  std::vector<grid_tiles> tiles_;
  std::vector<cell_index<D>> shifts_;       ///< [instances]
  std::map<kept_exchange*, int> last_done_; ///< task that ends the last run of an exchange
  step_graph<D> made_;
};

template <int D>
step_graph<D> graph_builder<D>::make() {
  made_.time = flow_.program().time.get();
  find_shifts();
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
std::vector<box<D>> const& graph_builder<D>::regions_of(int rank) {
  auto const [place, is_new] = rank2regions_.try_emplace(rank);
  if (is_new)
    place->second = flow_.regions(rank);
  return place->second;
}

/// A bound of the distance between a block and what its rank needs. The same on all ranks.
template <int D>
cell_index<D> graph_builder<D>::reach() const {
  std::map<int, cell_index<D>> segment2sum;
  cell_index<D> most{};
  for (step_instance const& instance : flow_.instances()) {
    auto const width =
        reach_of<D>(flow_.program().kernels[static_cast<std::size_t>(instance.kernel)]);
    cell_index<D>& sum = segment2sum[instance.segment];
    for (std::size_t a = 0; a < most.size(); ++a) {
      sum[a] += width.of(static_cast<int>(a)) + 1;
      most[a] = std::max(most[a], sum[a] + 2);
    }
  }
  return most;
}

/// The parts that `receiver` needs, by owner and in an order on which both agree. Supplies and
/// their components are numbered together.
template <int D>
void graph_builder<D>::add_transfers(
    step_moment const& moment, int receiver,
    std::map<int, std::vector<std::pair<int, owned_part<D>>>>& owners2parts) {
  int number = 0;
  for (int const s : moment.supplies) {
    step_supply const& supply = flow_.supplies()[static_cast<std::size_t>(s)];
    auto const& field = flow_.layout(supply.array);
    bool const is_uniform = flow_.is_uniform(supply);
    std::vector<box<D>> needed;
    for (int c = 0; c < field.options.components; ++c, ++number) {
      if (c == 0 || !is_uniform)
        needed = flow_.needed(receiver, regions_of(receiver), supply, c).received();
      for (box<D> const& zone : needed)
        for (owned_part<D> const& part : owned_parts<D>(field.grid, field.options.on, zone))
          owners2parts[part.owner].emplace_back(number, part);
    }
  }
}

template <int D>
kept_exchange& graph_builder<D>::exchange_of(step_moment const& moment) {
  if (auto const found = kept_.find(moment.key); found != kept_.end())
    return *found->second;
  int const me = over_.rank();
  std::vector<exchanged_array> arrays;
  std::vector<std::pair<int, region>> numbers; // [supplies' components] array, first component
  std::vector<int> components2supplies;
  for (std::size_t k = 0; k < moment.supplies.size(); ++k) {
    auto const& supply = flow_.supplies()[static_cast<std::size_t>(moment.supplies[k])];
    auto const& field = flow_.layout(supply.array);
    exchanged_array array;
    array.data = arrays_[static_cast<std::size_t>(supply.array)].memory.get();
    array.element_bytes = field.element_bytes;
    array.name = field.name;
    arrays.push_back(array);
    for (int c = 0; c < field.options.components; ++c) {
      region first;
      first.offset = c * field.local().num_cells();
      numbers.emplace_back(static_cast<int>(k), first);
      components2supplies.push_back(moment.supplies[k]);
    }
  }
  auto const region_at = [&](int number, box<D> const& global) {
    auto const n = static_cast<std::size_t>(number);
    auto const& supply = flow_.supplies()[static_cast<std::size_t>(components2supplies[n])];
    auto const& field = flow_.layout(supply.array);
    region where = region_of(shift(global, negative<D>(field.grid.owned().lo)), field.local());
    where.offset += numbers[n].second.offset;
    return array_region{numbers[n].first, where};
  };
  std::vector<edge> sources, destinations;
  std::vector<std::vector<array_region>> sends, receives;
  std::vector<int> source_ranks, destination_ranks;
  Grid<D> const& grid = flow_.layout(0).grid;
  for (int const other : ranks_within<D>(grid, me, reach())) {
    if (other == me)
      continue;
    std::map<int, std::vector<std::pair<int, owned_part<D>>>> parts;
    add_transfers(moment, other, parts);
    if (parts[me].empty())
      continue;
    destinations.push_back({other});
    destination_ranks.push_back(other);
    sends.emplace_back();
    for (auto const& [number, part] : parts[me])
      sends.back().push_back(region_at(number, part.owned));
  }
  std::map<int, std::vector<std::pair<int, owned_part<D>>>> own;
  add_transfers(moment, me, own);
  for (auto const& [owner, parts] : own) {
    if (owner == me)
      continue;
    sources.push_back({owner});
    source_ranks.push_back(owner);
    receives.emplace_back();
    for (auto const& [number, part] : parts)
      receives.back().push_back(region_at(number, part.needed));
  }
  operation made =
      make_exchange(over_, Topology::graph(sources, destinations), sends, receives, arrays);
  auto& kept = kept_[moment.key];
  kept = std::make_unique<kept_exchange>(kept_exchange{std::move(made), std::nullopt, source_ranks,
                                                       destination_ranks});
  return *kept;
}

template <int D>
void graph_builder<D>::add_moment(step_moment const& moment) {
  if (over_.size() > 1) {
    kept_exchange& kept = exchange_of(moment);
    int const number = static_cast<int>(made_.exchanges.size()), me = over_.rank();
    exchange_run run{&kept, add({task_kind::start, -1, number}), -1, {}, {}};
    std::vector<int> supply_of_component;
    for (int const s : moment.supplies)
      supply_of_component.insert(
          supply_of_component.end(),
          static_cast<std::size_t>(
              flow_.layout(flow_.supplies()[static_cast<std::size_t>(s)].array).options.components),
          s);
    auto const array_of = [&](int component) {
      return flow_
          .supplies()[static_cast<std::size_t>(
              supply_of_component[static_cast<std::size_t>(component)])]
          .array;
    };
    std::map<int, std::vector<std::pair<int, owned_part<D>>>> own;
    add_transfers(moment, me, own);
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
    std::vector<int> gates;
    int done = -1;
    for (int const destination : kept.destinations) {
      int const gate = add({task_kind::gate, -1, number, static_cast<int>(run.gates.size())});
      graph_.link(run.start, gate);
      run.gates.push_back(gate);
      std::map<int, std::vector<std::pair<int, owned_part<D>>>> parts;
      add_transfers(moment, destination, parts);
      if (done < 0)
        done = add({task_kind::done, -1, number});
      for (auto const& [component, part] : parts[me]) {
        graph_.wait_for(gate, array_of(component), part.owned, false);
        graph_.access(done, array_of(component), part.owned, false);
      }
    }
    run.done = done < 0 ? add({task_kind::done, -1, number}) : done;
    graph_.link(run.start, run.done);
    for (int const task : run.gates)
      graph_.link(task, run.done);
    for (int const task : run.arrivals)
      graph_.link(task, run.done);
    if (auto const before = last_done_.find(&kept); before != last_done_.end())
      graph_.link(before->second, run.start);
    last_done_[&kept] = run.done;
    made_.exchanges.push_back(std::move(run));
    graph_.end_group(whole);
  }
  add_copies(moment);
  for (int const s : moment.supplies)
    add_fills(flow_.supplies()[static_cast<std::size_t>(s)]);
}

/// Copies of own values to ghosts.
template <int D>
void graph_builder<D>::add_copies(step_moment const& moment) {
  constexpr std::int64_t most_cells = 32 * 1024;
  int const me = over_.rank();
  std::map<int, std::vector<std::pair<int, owned_part<D>>>> own;
  add_transfers(moment, me, own);
  std::vector<std::pair<int, int>> numbers; // array, component
  for (int const s : moment.supplies) {
    int const array = flow_.supplies()[static_cast<std::size_t>(s)].array;
    for (int c = 0; c < flow_.layout(array).options.components; ++c)
      numbers.emplace_back(array, c);
  }
  std::vector<std::pair<int, box<D>>> whole;
  for (auto const& [number, part] : own[me]) {
    auto const [array, component] = numbers[static_cast<std::size_t>(number)];
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
            : flow_.needed(over_.rank(), regions_of(over_.rank()), supply, c).beyond_borders());
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
      whole.emplace_back(to, regions_of(over_.rank())[static_cast<std::size_t>(instance)]);
  graph_.end_group(whole);
}

/// Adds the tiles of one instance, column by column.
template <int D>
void graph_builder<D>::add_tiles(int instance) {
  auto const& kernel = flow_.kernel_of(instance);
  box<D> const region = regions_of(over_.rank())[static_cast<std::size_t>(instance)];
  auto const& flow = flow_.instances()[static_cast<std::size_t>(instance)];
  bool copies_others = false;
  for (std::size_t a = 0; a < kernel.accesses.size(); ++a)
    copies_others = copies_others ||
                    (flow.writes[a] >= 0 && flow.reads[a] >= 0 && flow.reads[a] != flow.writes[a]);
  grid_tiles const& tiles = tiles_of(*kernel.grid);
  auto const computed = flow_.computed(instance, region);
  made_.num_computed += region.num_cells();
  for (std::size_t t = 0; t < tiles.tiles.size(); ++t) {
    box<D> const tile = intersection(
        region, shift(tiles.tiles[t], negative<D>(shifts_[static_cast<std::size_t>(instance)])));
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

template <int D>
auto graph_builder<D>::tiles_of(Grid<D> const& grid) -> grid_tiles const& {
  for (grid_tiles const& known : tiles_)
    if (known.grid == grid)
      return known;
  bool const is_skewed = shape_.extent != cell_index<D>{};
  tiles_.push_back({grid, is_skewed ? skewed(grid) : rim_and_interior(grid),
                    static_cast<int>(made_.columns.size())});
  made_.columns.resize(made_.columns.size() + tiles_.back().tiles.size());
  return tiles_.back();
}

/// Tiles of the rim, which read ghosts that messages bring, first; then the others.
template <int D>
auto graph_builder<D>::rim_and_interior(Grid<D> const& grid) const -> tile_boxes {
  box<D> const own = grid.owned();
  ghost_width<D> rim;
  for (step_kernel<D> const& kernel : flow_.program().kernels)
    if (kernel.grid && *kernel.grid == grid) {
      auto const width = reach_of<D>(kernel);
      for (std::size_t a = 0; a < own.lo.size(); ++a) {
        rim.below[a] = std::max(rim.below[a], width.below[a]);
        rim.above[a] = std::max(rim.above[a], width.above[a]);
      }
    }
  for (std::size_t a = 0; a < own.lo.size(); ++a) {
    bool const alone = grid.processes()[a] == 1, wraps = grid.is_periodic(static_cast<int>(a));
    if (alone || (!wraps && own.lo[a] == 0))
      rim.below[a] = 0;
    if (alone || (!wraps && own.hi[a] == grid.cells()[a]))
      rim.above[a] = 0;
  }
  box<D> const interior = intersection(own, shrink(own, rim.below, rim.above));
  std::int64_t const most = cells_of_a_tile(own.num_cells());
  tile_boxes tiles;
  for (box<D> const& slab : difference(own, interior))
    for (box<D> const& tile : cut<D>(slab, most))
      tiles.push_back(tile);
  for (box<D> const& tile : cut<D>(interior, most))
    tiles.push_back(tile);
  open_ends<D>(tiles, own);
  return tiles;
}

/// Tiles of the given shape in memory order.
template <int D>
auto graph_builder<D>::skewed(Grid<D> const& grid) -> tile_boxes {
  box<D> own = grid.owned(), numbers;
  cell_index<D> extent = shape_.extent;
  for (box<D> const& region : regions_of(over_.rank()))
    own = hull(own, region);
  for (std::size_t a = 0; a < own.lo.size(); ++a) {
    own.hi[a] += shifts_.empty() ? 0 : shifts_.back()[a];
    if (extent[a] == 0)
      extent[a] = own.extent(static_cast<int>(a));
    numbers.hi[a] = (own.extent(static_cast<int>(a)) + extent[a] - 1) / extent[a];
  }
  tile_boxes tiles;
  for_each_cell(numbers, [&](cell_index<D> const& number) {
    box<D> tile;
    for (std::size_t a = 0; a < own.lo.size(); ++a) {
      tile.lo[a] = own.lo[a] + number[a] * extent[a];
      tile.hi[a] = std::min(own.hi[a], tile.lo[a] + extent[a]);
    }
    tiles.push_back(tile);
  });
  open_ends<D>(tiles, own);
  return tiles;
}

/// How far the tiles of each instance are moved down, along axes that tiles are cut across.
template <int D>
void graph_builder<D>::find_shifts() {
  cell_index<D> sum{};
  bool const is_skewed = shape_.extent != cell_index<D>{};
  for (int i = 0; i < static_cast<int>(flow_.instances().size()); ++i) {
    auto const width = reach_of<D>(flow_.kernel_of(i));
    for (std::size_t a = 0; a < sum.size(); ++a)
      if (is_skewed && shape_.extent[a] > 0 && i > 0)
        sum[a] += width.of(static_cast<int>(a));
    shifts_.push_back(sum);
  }
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

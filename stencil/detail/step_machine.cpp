#include <seam/stencil/detail/step_machine.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/detail/step_check.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <numeric>
#include <set>

namespace seam::detail {
namespace {

/// Mixes a number into a key of numbers that are the same on all ranks.
void mix(std::uint64_t& key, std::int64_t number) {
  key = (key ^ static_cast<std::uint64_t>(number + 1)) * 1099511628211U;
  key ^= key >> 29U;
}

template <int D>
std::string words_of_access(step_access<D> const& access, step_program<D> const& program) {
  auto const& field = *program.fields[static_cast<std::size_t>(access.field)];
  std::string text = fmt::format("{}({}", name_of(access.role), field.name);
  if (access.level != 0)
    text += fmt::format("[{}]", access.level);
  if (access.count != field.options.components)
    text += fmt::format(" components {} to {}", access.first, access.first + access.count - 1);
  if (access.reads_neighbors()) {
    std::size_t count = 0;
    for (auto const& list : access.offsets)
      count += list.size();
    box<D> const reach = access.read_by(box<D>{{}, on_every_axis<D>(std::int64_t{1})});
    cell_index<D> last = reach.hi;
    for (auto& index : last)
      --index;
    text += fmt::format(" at {} offsets from ({}) to ({})", count, fmt::join(reach.lo, ","),
                        fmt::join(last, ","));
  }
  return text + ")";
}

/// Copies the values of a tile from old memory to new, all components.
template <int D>
void carry(tile_call<D> const& call, step_access<D> const& access, bound_access<D> const& bound,
           field_state<D> const& field) {
  std::int64_t const bytes = field.element_bytes;
  for (int c = -access.first; c < field.options.components - access.first; ++c)
    for_each_row(call.cells, [&](cell_index<D> const& first, std::int64_t end) {
      std::int64_t offset = c * bound.component_stride;
      for (std::size_t a = 0; a < first.size(); ++a)
        offset += first[a] * bound.stride[a];
      std::memcpy(bound.write + offset * bytes, bound.read + offset * bytes,
                  static_cast<std::size_t>((end - first[D - 1]) * bytes));
    });
}

} // namespace

template <int D>
int step_machine<D>::number_of(std::shared_ptr<field_state<D>> const& field) {
  auto& all = program_.fields;
  auto const found = std::ranges::find(all, field);
  if (found == all.end())
    all.push_back(field);
  return static_cast<int>(std::ranges::find(all, field) - all.begin());
}

template <int D>
int step_machine<D>::number_of(std::shared_ptr<step_value> const& value) {
  auto& all = program_.values;
  auto const found = std::ranges::find(all, value);
  if (found == all.end())
    all.push_back(value);
  return static_cast<int>(std::ranges::find(all, value) - all.begin());
}

template <int D>
step_kernel<D>& step_machine<D>::add(step_kernel<D> kernel, kernel_probe<D> probe) {
  is_planned_ = false;
  program_.statements.push_back({static_cast<int>(program_.kernels.size()), {-1, -1}});
  program_.kernels.push_back(std::move(kernel));
  probes_.push_back(std::move(probe));
  return program_.kernels.back();
}

template <int D>
void step_machine<D>::add_swap(int first, int second) {
  is_planned_ = false;
  program_.statements.push_back({-1, {first, second}});
}

template <int D>
void step_machine<D>::fuse(int steps) {
  is_planned_ = is_planned_ && steps == settings_.fused_steps;
  settings_.fused_steps = steps;
}

/// The program, for comparison between ranks.
template <int D>
std::string step_machine<D>::in_words() const {
  std::string text;
  for (step_statement const& statement : program_.statements)
    if (statement.kernel < 0) {
      text += fmt::format("swap {} {}; ", statement.swapped[0], statement.swapped[1]);
    } else {
      auto const& kernel = program_.kernels[static_cast<std::size_t>(statement.kernel)];
      text += fmt::format("'{}':", kernel.name);
      for (step_access<D> const& access : kernel.accesses)
        text.append(1, ' ').append(words_of_access<D>(access, program_));
      text += fmt::format(" values {} {} {}, colors {}, every {}; ", kernel.reads_values,
                          kernel.reduces, kernel.sets, kernel.num_colors, kernel.every);
    }
  return text + fmt::format("fused {}", settings_.fused_steps);
}

template <int D>
void step_machine<D>::plan() {
  if (is_planned_ && !is_stale())
    return;
  auto const over = grid_.base().context();
  call_scope const here("Steps", *grid_.base().calls());
  require_same(over, "steps:", in_words());
  collectively(over, [&] { check_program<D>(program_, grid_); });
  collectively(over, [&] { probe(); });
  runs_.clear();
  kept_.clear();
  arrays_.clear();
  layouts_.clear();
  widen();
  is_planned_ = true;
  seam::explain(over, [&] { return plan_in_words(); });
}

/// Calls each kernel on a recorder, and puts recorders into kernels in checked mode.
template <int D>
void step_machine<D>::probe() {
  unread_.clear();
  for (std::size_t k = 0; k < program_.kernels.size(); ++k) {
    step_kernel<D>& kernel = program_.kernels[k];
    std::vector<std::string> names;
    for (step_access<D> const& access : kernel.declared)
      names.push_back(program_.fields[static_cast<std::size_t>(access.field)]->name);
    step_recorder<D> recorder(kernel.name, kernel.declared, names);
    if (probes_[k]) {
      probes_[k](recorder);
      unread_ += recorder.unread();
    }
    if (!kernel.watch || !checks_are_on())
      continue;
    recorder.is_probe = false;
    kernel.carries = false;
    kernel.compute =
        [watch = kernel.watch,
         recorders = std::make_shared<std::vector<step_recorder<D>>>(
             static_cast<std::size_t>(num_loop_threads()), recorder)](tile_call<D> const& call) {
          watch(call, (*recorders)[static_cast<std::size_t>(call.worker)]);
        };
  }
  for (step_kernel<D>& kernel : program_.kernels)
    carry_others(kernel);
}

/// Kernels that write only some of the values of new memory copy the others first.
template <int D>
void step_machine<D>::carry_others(step_kernel<D>& kernel) {
  if (kernel.carries || !kernel.compute)
    return;
  std::vector<std::size_t> carried;
  for (std::size_t a = 0; a < kernel.accesses.size(); ++a)
    if (auto const& field = *program_.fields[static_cast<std::size_t>(kernel.accesses[a].field)];
        kernel.accesses[a].role == access_role::updates &&
        kernel.is_partial(kernel.accesses[a], field))
      carried.push_back(a);
  if (carried.empty())
    return;
  kernel.carries = true;
  kernel.compute = [this, &kernel, carried, inner = kernel.compute](tile_call<D> const& call) {
    for (std::size_t const a : carried)
      if (call.accesses[a].read != call.accesses[a].write)
        carry<D>(call, kernel.accesses[a], call.accesses[a],
                 *program_.fields[static_cast<std::size_t>(kernel.accesses[a].field)]);
    if (!call.where.is_empty())
      inner(call);
  };
}

/// The values that this rank computes when `depth` steps are fused, in relation to its own.
template <int D>
double step_machine<D>::repeated_values(std::vector<int> const& layouts, buffer_order order,
                                        int depth) const {
  step_dataflow<D> const flow(program_, layouts, order, {0, depth, depth});
  auto const regions = flow.regions(grid_.rank());
  std::int64_t computed = 0, own = 0;
  for (std::size_t i = 0; i < regions.size(); ++i)
    if (auto const& kernel = flow.kernel_of(static_cast<int>(i)); kernel.grid) {
      computed += regions[i].num_cells();
      own += kernel.grid->owned(kernel.on).num_cells();
    }
  return own == 0 ? 1.0 : static_cast<double>(computed) / static_cast<double>(own);
}

/// True if a process has no neighbors, and its values stay in caches without fusion.
template <int D>
bool step_machine<D>::fits_into_cache() const {
  constexpr std::int64_t cache = 512 * 1024;
  std::int64_t bytes = 0;
  for (auto const& field : program_.fields)
    bytes += field->bytes_of_component() * field->options.components *
             static_cast<std::int64_t>(field->buffers.size());
  return grid_.base().size() == 1 && bytes <= cache;
}

/// Finds the depths of fusion among which measurement decides: those at which no rank repeats many
/// values of others.
template <int D>
void step_machine<D>::choose_depths(std::vector<int> const& layouts, buffer_order const& order) {
  constexpr double most_repeated = 1.2;
  refused_depths_.clear();
  if (settings_.fused_steps != fused_by_measurement) {
    fusion_ = fusion_choice(std::max(1, settings_.fused_steps));
    return;
  }
  std::vector<int> depths{1};
  if (fits_into_cache())
    refused_depths_ = "  fusion: the block fits into a cache, and has no neighbors\n";
  else
    for (int const depth : {2, 4, 8}) {
      double const most =
          mpi::allreduce(grid_.base().context(), repeated_values(layouts, order, depth), MPI_MAX);
      if (most <= most_repeated)
        depths.push_back(depth);
      else
        refused_depths_ += fmt::format("  fusion of {} steps: a rank computes {:.2f} times its own "
                                       "values (expected at most {})\n",
                                       depth, most, most_repeated);
    }
  fusion_ = fusion_choice(depths);
}

/// Ranges of steps that stand for all that may be run: one step with all kernels; and, if steps are
/// fused, all patterns of kernels that run now and then.
template <int D>
std::vector<step_range> step_machine<D>::ranges_to_run() const {
  std::vector<step_range> ranges{{0, 1, 0}};
  std::int64_t period = 1;
  for (step_kernel<D> const& kernel : program_.kernels)
    period = std::lcm(period, kernel.every);
  for (int const depth : fusion_.depths()) {
    std::set<std::vector<bool>> patterns;
    for (std::int64_t first = 0; depth > 1 && first < period; ++first) {
      std::vector<bool> pattern;
      for (std::int64_t s = first; s < first + depth; ++s)
        for (step_kernel<D> const& kernel : program_.kernels)
          pattern.push_back(s % kernel.every == 0);
      if (patterns.insert(pattern).second)
        ranges.push_back({first, depth, depth});
    }
  }
  return ranges;
}

/// Makes all ghosts as wide as the kernels need them, and the buffers as many.
template <int D>
void step_machine<D>::widen() {
  std::vector<int> buffers;
  buffer_order order;
  int number = 0;
  for (std::size_t f = 0; f < program_.fields.size(); ++f) {
    auto const& field = *program_.fields[f];
    int count = field.options.levels;
    for (step_kernel<D> const& kernel : program_.kernels)
      for (step_access<D> const& access : kernel.accesses)
        if (access.field == static_cast<int>(f) && access.role == access_role::updates)
          count = std::max(count, 1 + buffer_to_update<D>(kernel, access, field));
    buffers.push_back(count);
    order.emplace_back();
    for (int k = 0; k < std::max(count, static_cast<int>(field.buffers.size())); ++k) {
      order.back().push_back(number++);
      layouts_.push_back(static_cast<int>(f));
    }
  }
  choose_depths(layouts_, order);
  std::vector<ghost_width<D>> widths(program_.fields.size());
  collectively(grid_.base().context(), [&] {
    for (step_range const& steps : ranges_to_run()) {
      auto some = order;
      step_dataflow<D> const flow(program_, layouts_, some, steps);
      check_borders_of<D>(flow, grid_.rank());
      for (std::size_t f = 0; f < widths.size(); ++f)
        widths[f] = wider(widths[f], width_of(static_cast<int>(f), flow));
    }
    for (step_statement const& statement : program_.statements)
      if (statement.kernel < 0) {
        auto& a = widths[static_cast<std::size_t>(statement.swapped[0])];
        auto& b = widths[static_cast<std::size_t>(statement.swapped[1])];
        auto const& first = *program_.fields[static_cast<std::size_t>(statement.swapped[0])];
        auto const& second = *program_.fields[static_cast<std::size_t>(statement.swapped[1])];
        a = b = wider(wider(a, b), wider(first.width, second.width));
      }
  });
  for (std::size_t f = 0; f < widths.size(); ++f)
    program_.fields[f]->require(widths[f], buffers[f]);
  layouts_.clear();
  widths_.clear();
  for (auto const& field : program_.fields)
    widths_.push_back(field->width);
}

/// The ghosts that a field needs on this rank.
template <int D>
ghost_width<D> step_machine<D>::width_of(int field, step_dataflow<D> const& flow) const {
  field_state<D> const& state = *program_.fields[static_cast<std::size_t>(field)];
  box<D> const own = state.grid.owned(state.options.on);
  box<D> all = own;
  auto const regions = flow.regions(grid_.rank());
  for (step_supply const& supply : flow.supplies())
    if (&flow.layout(supply.array) == &state)
      for (int c = 0; c < state.options.components; ++c)
        all = hull(all, flow.needed(grid_.rank(), regions, supply, c).all());
  for (std::size_t i = 0; i < flow.instances().size(); ++i)
    for (step_access<D> const& access : flow.kernel_of(static_cast<int>(i)).accesses)
      if (access.field == field && access.is_written())
        all = hull(all, regions[i]);
  ghost_width<D> width;
  for (std::size_t a = 0; a < own.lo.size(); ++a) {
    width.below[a] = own.lo[a] - all.lo[a];
    width.above[a] = all.hi[a] - own.hi[a];
  }
  return width;
}

template <int D>
bool step_machine<D>::is_stale() const {
  for (std::size_t f = 0; f < program_.fields.size(); ++f)
    if (program_.fields[f]->width.below != widths_[f].below ||
        program_.fields[f]->width.above != widths_[f].above)
      return true;
  return false;
}

/// The numbers of the fields' buffers.
template <int D>
void step_machine<D>::number_buffers() {
  order_.resize(program_.fields.size());
  for (std::size_t f = 0; f < order_.size(); ++f) {
    auto const& buffers = program_.fields[f]->buffers;
    order_[f].resize(buffers.size());
    for (std::size_t k = 0; k < buffers.size(); ++k) {
      auto const known = std::ranges::find_if(arrays_, [&](step_array const& array) {
        return array.memory == buffers[k];
      });
      order_[f][k] = static_cast<int>(known - arrays_.begin());
      if (known == arrays_.end()) {
        arrays_.push_back({static_cast<int>(f), buffers[k]});
        layouts_.push_back(static_cast<int>(f));
        runs_.clear(); // graphs count arrays and values together
      }
    }
  }
}

template <int D>
void step_machine<D>::give_buffers(buffer_order const& order) {
  for (std::size_t f = 0; f < order.size(); ++f)
    for (std::size_t k = 0; k < order[f].size(); ++k)
      program_.fields[f]->buffers[k] = arrays_[static_cast<std::size_t>(order[f][k])].memory;
}

template <int D>
auto step_machine<D>::run_of(step_range const& steps) -> planned_run& {
  number_buffers();
  std::uint64_t key = 14695981039346656037U;
  mix(key, steps.count);
  mix(key, steps.steps_of_segment);
  for (auto const& buffers : order_)
    for (int const array : buffers)
      mix(key, array);
  for (std::int64_t s = steps.first; s < steps.first + steps.count; ++s)
    for (step_kernel<D> const& kernel : program_.kernels)
      mix(key, s % kernel.every == 0 ? 1 : 0);
  auto const found = runs_.find(key);
  if (found != runs_.end())
    return found->second;
  planned_run made;
  made.after = order_;
  step_dataflow<D> const flow(program_, layouts_, made.after, steps);
  tile_shape<D> shape;
  if (steps.steps_of_segment > 1)
    shape = shape_of_tiles(flow);
  made.runner = std::make_unique<step_runner<D>>(
      make_step_graph<D>(flow, arrays_, grid_.base(), kept_, shape), grid_.base(), settings_.name);
  return runs_.emplace(key, std::move(made)).first->second;
}

/// The tiles of fused steps: as large as the memory of a tile fits into a core's cache.
template <int D>
tile_shape<D> step_machine<D>::shape_of_tiles(step_dataflow<D> const& flow) const {
  if (settings_.tile_extent > 0) {
    tile_shape<D> wanted;
    for (std::size_t a = 0; a + 1 < std::max<std::size_t>(2, D); ++a)
      wanted.extent[a] = settings_.tile_extent;
    return wanted;
  }
  constexpr std::int64_t cache = 384 * 1024;
  std::int64_t bytes = 0;
  for (auto const& field : program_.fields)
    bytes += field->element_bytes * field->options.components *
             static_cast<std::int64_t>(field->buffers.size());
  box<D> const own = grid_.owned();
  std::int64_t const row = std::max<std::int64_t>(1, own.extent(D - 1)) * bytes;
  tile_shape<D> shape;
  (void)flow;
  if constexpr (D == 1) {
    shape.extent[0] = std::max<std::int64_t>(256, cache / bytes);
  } else if constexpr (D == 2) {
    shape.extent[0] = std::clamp<std::int64_t>(cache / row, 8, 4096);
  } else {
    std::int64_t const rows = std::max<std::int64_t>(64, cache / row);
    std::int64_t side = 8;
    while (side * side * 4 <= rows)
      side *= 2;
    shape.extent[0] = shape.extent[1] = side;
  }
  return shape;
}

template <int D>
void step_machine<D>::run(std::int64_t count) {
  if (count < 0)
    refuse(fmt::format("steps: {} runs (expected 0 or more)", count));
  plan();
  std::exception_ptr failure;
  for (std::int64_t const end = done_ + count; done_ < end;)
    run_chain(end - done_, failure);
  if (failure)
    std::rethrow_exception(failure);
}

/// Runs the first steps of `count`, and times them while it is not known how many to fuse.
template <int D>
void step_machine<D>::run_chain(std::int64_t count, std::exception_ptr& failure) {
  using clock = std::chrono::steady_clock;
  constexpr std::int64_t most = 4;
  int const depth = fusion_.depth();
  step_range steps{done_, count >= most ? most : 1, 0};
  if (depth > 1 && count >= depth)
    steps = {done_, depth, depth};
  planned_run& chosen = run_of(steps);
  auto const begin = clock::now();
  // After an exception the other steps exchange messages alone: neighbors wait for them.
  if (auto const thrown = chosen.runner->run(failure != nullptr); !failure)
    failure = thrown;
  if (!fusion_.is_made() && steps.count == (depth > 1 ? depth : most)) {
    std::chrono::duration<double> const taken = clock::now() - begin;
    fusion_.note(taken.count() / static_cast<double>(steps.count));
    if (fusion_.is_measured())
      decide_fusion();
  }
  give_buffers(chosen.after);
  for (step_kernel<D> const& kernel : program_.kernels) {
    for (int const v : kernel.reduces)
      program_.values[static_cast<std::size_t>(v)]->is_set = true;
    for (int const v : kernel.sets)
      program_.values[static_cast<std::size_t>(v)]->is_set = true;
  }
  done_ += steps.count;
}

/// Collective: over the grid.
template <int D>
void step_machine<D>::decide_fusion() {
  auto const over = grid_.base().context();
  call_scope const here("Steps", *grid_.base().calls());
  fusion_.decide(over);
  seam::explain(over, [&] { return "steps: " + fusion_.in_words() + "\n"; });
}

template <int D>
std::string step_machine<D>::plan_in_words() const {
  std::string text = "steps:\n";
  for (step_statement const& statement : program_.statements) {
    if (statement.kernel < 0) {
      text += fmt::format("  swap of {} and {}\n",
                          program_.fields[static_cast<std::size_t>(statement.swapped[0])]->name,
                          program_.fields[static_cast<std::size_t>(statement.swapped[1])]->name);
      continue;
    }
    auto const& kernel = program_.kernels[static_cast<std::size_t>(statement.kernel)];
    text += fmt::format("  kernel '{}'", kernel.name);
    for (step_access<D> const& access : kernel.accesses)
      text.append(1, ' ').append(words_of_access<D>(access, program_));
    for (std::size_t r = 0; r < kernel.reduces.size(); ++r)
      text += fmt::format(" {}({})", kernel.reductions[r]->how(),
                          program_.values[static_cast<std::size_t>(kernel.reduces[r])]->name);
    for (int const v : kernel.reads_values)
      text += fmt::format(" with({})", program_.values[static_cast<std::size_t>(v)]->name);
    if (kernel.num_colors > 1)
      text += fmt::format(", in {} colors", kernel.num_colors);
    if (kernel.every > 1)
      text += fmt::format(", every {} steps", kernel.every);
    text += "\n";
  }
  for (std::size_t f = 0; f < program_.fields.size(); ++f) {
    auto const& field = *program_.fields[f];
    text += fmt::format("  field {}: ghosts {} below and {} above, {} buffers\n", field.name,
                        fmt::join(field.width.below, "x"), fmt::join(field.width.above, "x"),
                        field.buffers.size());
  }
  text += "  fusion: " + fusion_.in_words() + "\n" + refused_depths_;
  return text + unread_;
}

template <int D>
std::string step_machine<D>::explain() {
  plan();
  std::string text = plan_in_words();
  int const depth = fusion_.depth();
  planned_run& chosen = run_of({done_, depth, depth > 1 ? depth : 0});
  step_graph<D> const& graph = chosen.runner->graph();
  std::int64_t messages = 0, bytes = 0;
  for (exchange_run const& run : graph.exchanges) {
    messages += run.kept->prepared.num_messages();
    bytes += run.kept->prepared.num_bytes();
  }
  std::size_t tiles = 0;
  for (auto const& column : graph.columns)
    tiles += column.size();
  text += fmt::format("  {}: rank {} sends {} messages with {} bytes; {} tiles in {} columns; {} "
                      "copies and {} border pieces; {} values computed\n",
                      depth > 1 ? fmt::format("{} steps, fused", depth) : "1 step", grid_.rank(),
                      messages, bytes, tiles, graph.columns.size(), graph.copies.size(),
                      graph.fills.size(), graph.num_computed);
  return text;
}

template class step_machine<1>;
template class step_machine<2>;
template class step_machine<3>;

} // namespace seam::detail

#include <seam/exchange/steps/flow/step_dataflow.hpp>

#include <seam/exchange/ground/error.hpp>

#include <algorithm>
#include <utility>

namespace seam::detail {

step_dataflow::step_dataflow(step_program const& program, std::vector<int> const& layouts,
                             buffer_order& order, step_range const& steps, copy_histories copies)
    : program_(program), layouts_(layouts), steps_(steps) {
  writers_.assign(layouts.size(), -1);
  own_.assign(layouts.size(), -1);
  exchanged_ = own_;
  for (std::int64_t s = 0; s < steps.count; ++s) {
    int const segment =
        steps.steps_of_segment == 0 ? 0 : static_cast<int>(s / steps.steps_of_segment);
    for (step_statement const& statement : program.statements) {
      if (statement.kernel >= 0)
        add_kernel(statement.kernel, steps.first + s, segment, order);
      else
        add_swap(statement, order);
    }
  }
  copies_ = find_copies(*this, events_, supplies_, std::move(copies));
  moments_ = moments_of(*this);
}

void step_dataflow::add_swap(step_statement const& statement, buffer_order& order) {
  auto const [first, second] = statement.swapped;
  std::swap(order[first].front(), order[second].front());
  for (int const field : statement.swapped)
    forget_fills_beside(field);
}

/// Ghosts beyond borders that depend on a field are to be filled anew, since it has changed.
void step_dataflow::forget_fills_beside(int field) {
  for (int& fill : last_fill_)
    if (fill >= 0 && std::ranges::find(fills_[fill].beside, field, &read_beside::field) !=
                         fills_[fill].beside.end())
      fill = -1;
}

/// The same of a value, such as the time.
void step_dataflow::forget_fills_by(int value) {
  for (int& fill : last_fill_)
    if (fill >= 0 && std::ranges::find(fills_[fill].values, value) != fills_[fill].values.end())
      fill = -1;
}

void step_dataflow::add_kernel(int kernel, std::int64_t step, int segment, buffer_order& order) {
  auto const& called = program_.kernels[kernel];
  if (!called.runs_in(step, steps_.end_of_run))
    return;
  int const first = std::ssize(instances_), passes = num_passes(called);
  for (int pass = 0; pass < passes; ++pass)
    instances_.push_back({kernel, step, pass, segment, {}, {}});
  if (called.order.is_on)
    read_beyond_borders(first, order);
  for (int pass = 0; pass < passes; ++pass)
    add_instance(first + pass, order);
}

/// Notes what the passes of an ordered kernel read beyond borders of the values that it modifies:
/// what the conditions make of the values before all passes.
void step_dataflow::read_beyond_borders(int first, buffer_order const& order) {
  for (int i = first; i < std::ssize(instances_); ++i)
    for (int a = 0; a < std::ssize(kernel_of(i).accesses); ++a)
      if (auto const& access = kernel_of(i).accesses[a];
          access.is_modified() && access.reads_neighbors())
        read(order[access.field].front(), i, a, values_read::beyond, order);
}

/// The fields that a kernel updates into other memory, each with the place among its buffers of the
/// one that becomes the newest: all that the kernel writes of the field goes there.
std::map<int, int> step_dataflow::moved_by(step_kernel const& kernel) const {
  std::map<int, int> moved;
  for (step_access const& access : kernel.accesses)
    if (access.is_moved())
      if (int const to = buffer_to_update(kernel, access, *program_.fields[access.field]); to > 0)
        moved[access.field] = to;
  return moved;
}

/// What a pass reads and writes.
void step_dataflow::add_instance(int number, buffer_order& order) {
  step_instance& made = instances_[number];
  auto const& called = kernel_of(number);
  auto const moved = moved_by(called);
  for (step_access const& access : called.accesses) {
    auto const& buffers = order[access.field];
    auto const to = moved.find(access.field);
    made.reads.push_back(access.is_read() ? buffers[-access.level] : -1);
    made.writes.push_back(!access.is_written() ? -1 : buffers[to == moved.end() ? 0 : to->second]);
  }
  for (int a = 0; a < std::ssize(called.accesses); ++a) {
    auto const& access = called.accesses[a];
    int const from = made.reads[a];
    int const to = made.writes[a];
    bool const is_ordered = called.order.is_on && access.is_modified();
    if (from >= 0)
      read(from, number, a, is_ordered ? values_read::inside : values_read::all, order);
    if (to >= 0 && !access.is_read() && !moved.contains(access.field) &&
        called.is_partial(access, program_.fields[access.field]->components))
      read(to, number, a, values_read::at_place, order);
  }
  note_written(number);
  for (auto const& [field, to] : moved) {
    auto& buffers = order[field];
    std::rotate(buffers.begin(), buffers.begin() + to, buffers.begin() + to + 1);
  }
}

/// Begins new versions of what a pass writes: of arrays, and behind the last pass of values.
void step_dataflow::note_written(int number) {
  step_instance const& made = instances_[number];
  auto const& called = kernel_of(number);
  for (step_access const& access : called.accesses)
    if (access.is_written())
      forget_fills_beside(access.field);
  for (int a = 0; a < std::ssize(made.writes); ++a)
    if (int const array = made.writes[a]; array >= 0) {
      writers_[array] = number;
      own_[array] = exchanged_[array] = -1;
      bool const is_in_place = made.reads[a] < 0 || made.reads[a] == array;
      if (is_in_place && steps_.steps_of_segment == 0 && called.space->knows_changes(called))
        events_.push_back({array, -1, made.kernel, made.pass});
      else
        events_.push_back({array});
    }
  if (made.pass + 1 < num_passes(called))
    return;
  for (auto const* const written : {&called.reduces, &called.sets})
    for (int const value : *written)
      forget_fills_by(value);
}

/// Notes that an instance reads the present version of an array, and with it what conditions on its
/// borders read of other fields.
void step_dataflow::read(int array, int instance, int access, values_read part,
                         buffer_order const& order) {
  supply_reader const reader{instance, access, part, kernel_of(instance).accesses[access].field};
  int const supply = note_read(array, reader);
  if (part == values_read::all || part == values_read::beyond)
    note_fill(supply, reader, order);
}

/// Notes a read of the present version of an array, and returns its supply.
int step_dataflow::note_read(int array, supply_reader const& reader) {
  int const writer = writers_[array];
  bool const is_own = steps_.steps_of_segment > 0 && writer >= 0 &&
                      instances_[writer].segment == instances_[reader.instance].segment;
  int& supply = (is_own ? own_ : exchanged_)[array];
  if (supply < 0) {
    supply = std::ssize(supplies_);
    supplies_.push_back({array, writer, !is_own, {}});
    last_fill_.push_back(-1);
    if (!is_own)
      events_.push_back({array, supply});
  }
  supplies_[supply].readers.push_back(reader);
  return supply;
}

/// Notes that a reader of a supply reads ghosts beyond borders: those of the last fill, unless that went
/// by other conditions.
void step_dataflow::note_fill(int supply, supply_reader const& reader, buffer_order const& order) {
  int const borders = kernel_of(reader.instance).accesses[reader.access].borders;
  int fill = last_fill_[supply];
  if (fill < 0 || fills_[fill].field != reader.field || fills_[fill].borders != borders) {
    fill = std::ssize(fills_);
    fills_.push_back({supply, reader.field, borders, {}, values_beside(reader.field, borders), {}});
    for (int const other : fields_beside(reader.field, borders))
      fills_.back().beside.push_back({other, order[other].front()});
    last_fill_[supply] = fill;
  }
  fills_[fill].readers.push_back(reader);
  for (read_beside const& other : fills_[fill].beside)
    note_read(other.array, {reader.instance, reader.access, values_read::for_borders, other.field});
}

/// The fields that conditions on a field's borders read.
/// @param borders  of a kernel's own, or -1
std::vector<int> step_dataflow::fields_beside(int field, int borders) const {
  auto const& all = program_.fields;
  std::vector<int> numbers;
  for (auto const& source : all[field]->beyond(program_.conditions(borders)).fields) {
    auto const found = std::ranges::find(all, source);
    SEAM_ASSERT(found != all.end(), "steps lack a field that a condition reads");
    int const number = found - all.begin();
    if (std::ranges::find(numbers, number) == numbers.end())
      numbers.push_back(number);
  }
  return numbers;
}

/// The program's values that conditions on a field's borders may read: the time, or all.
/// @param borders  of a kernel's own, or -1
std::vector<int> step_dataflow::values_beside(int field, int borders) const {
  auto const read = program_.fields[field]->beyond(program_.conditions(borders));
  std::vector<int> numbers;
  for (int v = 0; v < std::ssize(program_.values); ++v)
    if (read.reads_values || (read.reads_time && program_.values[v] == program_.time))
      numbers.push_back(v);
  return numbers;
}

computed_regions step_dataflow::regions(int rank) const {
  computed_regions all(instances_.size());
  for (int i = 0; i < std::ssize(all); ++i)
    if (auto const& called = kernel_of(i); called.space)
      all[i] = called.space->turn_of(called, rank, instances_[i].pass);
  if (steps_.steps_of_segment == 0)
    return all;
  std::vector<std::vector<int>> writes(instances_.size());
  for (int s = 0; s < std::ssize(supplies_); ++s)
    if (auto const& supply = supplies_[s]; !supply.is_exchanged)
      writes[supply.writer].push_back(s);
  for (int i = std::ssize(all); i-- > 0;)
    for (int const s : writes[i])
      all[i] = hull(all[i], needed(rank, all, supplies_[s].array, supplies_[s].readers, -1).inside);
  return all;
}

void step_dataflow::check_fills(int rank) const {
  auto const all = regions(rank);
  for (step_fill const& fill : fills_)
    program_.fields[fill.field]->check(*this, fill, rank, all);
}

bool step_dataflow::is_uniform(int array, std::vector<supply_reader> const& readers) const {
  int const all = layout(array).components;
  return std::ranges::all_of(readers, [&](supply_reader const& reader) {
    auto const& access = kernel_of(reader.instance).accesses[reader.access];
    if (reader.part == values_read::for_borders)
      return all == 1;
    return reader.part == values_read::at_place ||
           (access.offsets.size() == 1 && access.count == all);
  });
}

} // namespace seam::detail

/// Random programs of steps: fields on cells, faces and corners, with components and levels;
/// kernels that write, update, modify or add, in boxes, under masks, in colors, in order or now and
/// then; swaps of two fields;
/// values that are reduced and used; borders, some of which read other fields; processes; fusion. Some
/// are two programs in turn on the same fields, and in some the fields, or the conditions on borders,
/// are changed by hand between two runs. A seed and a number
/// determine a problem, and in_words() describes it.
///
/// It consists of plain numbers, without types of the library under test.
#pragma once

#include <support/stencil_problem.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace seam::testing {

/// The number of a field that a computed one becomes: fractions of 1/64 of small integers count, and
/// large ones wrap, so that neither they nor what borders make of them leave the type.
template <class T>
T stored(double computed) {
  if constexpr (std::integral<T>)
    return static_cast<T>(std::fmod(64 * computed, 4096));
  else
    return static_cast<T>(computed);
}

/// What a place holds after a change by hand.
template <class T>
T changed_by_hand(T value, double more) {
  return stored<T>(0.5 * static_cast<double>(value) + more);
}

enum class number_type { doubles, floats, small_integers };

/// Another field that a condition reads; its number, or -1.
struct problem_source {
  int field = -1, component = 0;
};

/// The value that a condition gives a ghost which reads another field.
inline double condition_beside(double value, double inside, double other) {
  return value + 0.5 * inside - 0.25 * other;
}

/// The conditions on all borders.
struct problem_borders {
  std::array<std::array<border_condition, 2>, 3> borders{}; ///< [axes][low, high]
  std::array<std::array<problem_source, 2>, 3> sources{};   ///< of the conditions
};

struct problem_field : problem_borders {
  unsigned low_axes = 0; ///< bit a: values lie on the low sides of cells along axis a
  int components = 1;
  int levels = 1;
};

/// A kernel's read of one field: of component c at the offsets lists[c % lists.size()].
struct problem_read {
  int field = 0, level = 0;
  std::vector<std::vector<axis_entries>> lists;
  double coefficient = 0;
};

/// A field of integers that lets kernels run where it is not zero.
struct problem_mask {
  unsigned low_axes = 0;
  int pattern = 0;    ///< see is_set()
  bool moves = false; ///< each step begins with mask = mask(by)
  axis_entries by{};  ///< at most one step on each axis
  int beyond = 0;     ///< value beyond borders
  static constexpr int num_patterns = 6;

  /// The first values: scattered ones of one in two, of one in eight; stripes across the first and
  /// the last axis; all, none.
  int is_set(axis_entries const& place, int axes) const {
    std::uint64_t number = 7;
    for (int a = 0; a < axes; ++a)
      number = (number ^ static_cast<std::uint64_t>(place[a] + 5)) * 0x9e3779b97f4a7c15U;
    number >>= 40U;
    switch (pattern) {
    case 0: return static_cast<int>(number % 2);
    case 1: return number % 8 == 0 ? 1 : 0;
    case 2: return place[0] % 3 == 1 ? 2 : 0;
    case 3: return place[axes - 1] % 3 != 1 ? -1 : 0;
    default: return pattern == 4 ? 1 : 0;
    }
  }
};

enum class kernel_kind { writes, updates, modifies, adds, reduces, swaps };

struct problem_kernel {
  kernel_kind kind = kernel_kind::writes;
  int field = 0;            ///< that is written
  int swapped = 0;          ///< swaps: the other field
  int first = 0, count = 1; ///< components of it
  std::array<problem_read, 2> reads{};
  problem_read own{};              ///< of the field itself: updates, modifies
  std::vector<axis_entries> added; ///< adds: offsets
  int value = 0;                   ///< that is used, or made
  double of_value = 0;             ///< coefficient of the value
  int reduction = 0;               ///< 0: minimum, 1: maximum, 2: sum
  bool is_boxed = false;
  axis_entries lo{}, hi{}; ///< box of places, where they are computed
  int every = 1, colors = 1;
  int order_axis = -1; ///< along which layers are computed one after another; -1: none
  bool is_backward = false;
  int mask = -1;     ///< number; -1: none
  int bordered = -1; ///< a field for which it has conditions of its own, on `has_own`; -1: none
  problem_borders own_borders{};
  std::array<std::array<bool, 2>, 3> has_own{}; ///< [axes][low, high]
};

struct step_problem {
  int ranks = 1;
  std::vector<problem_axis> axes; ///< one to three; without conditions
  std::vector<problem_field> fields;
  std::vector<problem_mask> masks;
  std::vector<problem_kernel> kernels;
  std::vector<int> runs; ///< steps between two comparisons
  int fused = 1;         ///< 0: as many as measurement finds
  int tile_extent = 0;   ///< of fused steps; 0: chosen by the library
  int parts = 0;         ///< of blocks whose kernels run in order; 0: chosen by the library
  number_type numbers = number_type::doubles;
  int first_program =
      0; ///< so many kernels, and masks; the others are a second program, run in turn
  bool is_changed_by_hand = false; ///< all fields, after each run
  bool turns_borders = false;      ///< after each run borders have the opposite ones' conditions

  static constexpr int num_values = 2;

  /// Places of a field along an axis.
  std::int64_t extent(auto const& field, int axis) const {
    bool const has_more = (field.low_axes >> axis & 1U) != 0 && !axes[axis].is_periodic;
    return axes[axis].cells + (has_more ? 1 : 0);
  }
};

inline std::string in_words(problem_read const& read, int axes) {
  std::string text = fmt::format("{}[{}]", read.field, read.level);
  for (auto const& list : read.lists) {
    text += " at";
    for (axis_entries const& offset : list)
      text += fmt::format(" ({})", fmt::join(std::span(offset).first(axes), ","));
  }
  return text;
}

inline std::string in_words(problem_source const& source) {
  return source.field < 0 ? "" : fmt::format(" of {}[{}]", source.field, source.component);
}

inline std::string in_words(problem_borders const& all, int axis, int end) {
  return in_words(all.borders[axis][end]) + in_words(all.sources[axis][end]);
}

inline std::string in_words(step_problem const& what) {
  constexpr char const* numbers[] = {"double", "float", "std::int16_t"};
  std::string text = fmt::format(
      "{} ranks, {}, fused {}, tiles {}, parts {}, {} kernels in the first program, {}changed by "
      "hand, borders {}:",
      what.ranks, numbers[static_cast<int>(what.numbers)], what.fused, what.tile_extent, what.parts,
      what.first_program, what.is_changed_by_hand ? "" : "not ",
      what.turns_borders ? "turned" : "as they are");
  for (problem_axis const& axis : what.axes)
    text += fmt::format(" [{} cells on {} processes{}]", axis.cells, axis.processes,
                        axis.is_periodic ? ", periodic" : "");
  for (problem_field const& field : what.fields) {
    text += fmt::format("\n  field: low axes {}, {} components, {} levels, borders", field.low_axes,
                        field.components, field.levels);
    for (int a = 0; a < std::ssize(what.axes); ++a)
      text += " " + in_words(field, a, 0) + " to " + in_words(field, a, 1);
  }
  for (problem_mask const& mask : what.masks)
    text += fmt::format("\n  mask: low axes {}, pattern {}, moves by ({}){}, {} beyond borders",
                        mask.low_axes, mask.pattern,
                        fmt::join(std::span(mask.by).first(what.axes.size()), ","),
                        mask.moves ? "" : " never", mask.beyond);
  constexpr char const* kinds[] = {"writes", "updates", "modifies", "adds", "reduces"};
  for (problem_kernel const& kernel : what.kernels) {
    if (kernel.kind == kernel_kind::swaps) {
      text += fmt::format("\n  swap of {} and {}", kernel.field, kernel.swapped);
      continue;
    }
    text += fmt::format("\n  kernel {} {} components {}+{}, reads {}; {}; own {}",
                        kinds[static_cast<int>(kernel.kind)], kernel.field, kernel.first,
                        kernel.count, in_words(kernel.reads[0], what.axes.size()),
                        in_words(kernel.reads[1], what.axes.size()),
                        in_words(kernel.own, what.axes.size()));
    text += fmt::format(", value {} times {}, reduction {}, every {}, colors {}", kernel.value,
                        kernel.of_value, kernel.reduction, kernel.every, kernel.colors);
    if (kernel.order_axis >= 0)
      text += fmt::format(", in order along axis {}{}", kernel.order_axis,
                          kernel.is_backward ? " backward" : "");
    for (axis_entries const& offset : kernel.added)
      text +=
          fmt::format(" adds at ({})", fmt::join(std::span(offset).first(what.axes.size()), ","));
    if (kernel.mask >= 0)
      text += fmt::format(" under mask {}", kernel.mask);
    for (int a = 0; a < std::ssize(what.axes) && kernel.bordered >= 0; ++a)
      for (int const end : {0, 1})
        if (kernel.has_own[a][end])
          text += fmt::format(" {} beyond {} on axis {} of {}",
                              in_words(kernel.own_borders, a, end), end, a, kernel.bordered);
    if (kernel.is_boxed)
      text += fmt::format(" in ({}) to ({})",
                          fmt::join(std::span(kernel.lo).first(what.axes.size()), ","),
                          fmt::join(std::span(kernel.hi).first(what.axes.size()), ","));
  }
  return text + fmt::format("\n  runs {}\n", fmt::join(what.runs, ", "));
}

/// Draws one program.
class step_problem_maker {
public:
  explicit step_problem_maker(problem_number const& which)
      : random_(static_cast<std::uint64_t>(which.seed) * 7'000'003U +
                static_cast<std::uint64_t>(which.number)),
        most_ranks_(which.most_ranks) {
    random_.discard(10);
  }

  step_problem make() {
    made_ = {};
    made_.ranks = std::max(pick(1, most_ranks_), pick(1, most_ranks_));
    made_.axes.resize(one_of({1, 2, 2, 2, 3}));
    if (made_.axes.size() == 2)
      made_.numbers = static_cast<number_type>(one_of({0, 0, 0, 1, 1, 2, 2}));
    made_.fused = chance(5) ? 0 : one_of({1, 1, 1, 2, 3, 4, 5, 6, 7, 8});
    made_.tile_extent = one_of({0, 0, 1, 2, 3, 5});
    made_.parts = one_of({0, 1, 2, 2, 3, 5});
    reach_ = one_of({1, 1, 2, 3});
    place_processes();
    choose_cells();
    for (int n = pick(1, 4); n > 0; --n)
      made_.fields.push_back(draw_field());
    for (problem_field& field : made_.fields)
      choose_sources(field);
    for (int n = pick(1, 5); n > 0; --n)
      made_.kernels.push_back(draw_kernel());
    for (problem_kernel& kernel : made_.kernels)
      if (chance(25))
        choose_own_borders(kernel);
    add_swaps();
    leave_orders();
    unfuse_turns();
    for (int n = pick(1, 3); n > 0; --n)
      made_.runs.push_back(one_of({0, 1, 1, 2, 3, 5, 9}));
    if (made_.fused == 0)
      made_.runs.push_back(80); // until measurement has decided
    for (problem_kernel& kernel : made_.kernels)
      if (kernel.kind != kernel_kind::swaps && chance(30))
        choose_mask(kernel);
    divide_programs();
    return made_;
  }

private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int percent) { return pick(1, 100) <= percent; }
  int one_of(std::vector<int> const& all) { return all[pick(0, static_cast<int>(all.size()) - 1)]; }
  int num_axes() const { return static_cast<int>(made_.axes.size()); }

  /// The sums of kernels that add to small integers at several places could leave the type.
  void divide_programs() {
    auto const num_kernels = static_cast<int>(made_.kernels.size());
    made_.first_program = chance(25) ? pick(1, num_kernels) : num_kernels;
    made_.is_changed_by_hand = chance(30);
    made_.turns_borders = chance(30);
    for (problem_kernel& kernel : made_.kernels)
      if (made_.numbers == number_type::small_integers && kernel.kind == kernel_kind::adds)
        kernel.added.resize(1);
  }

  void place_processes() {
    std::vector<int> divided;
    for (int a = 0; a < num_axes(); ++a)
      divided.push_back(a);
    std::ranges::shuffle(divided, random_);
    divided.resize(std::min(one_of({1, 1, 2, 3}), num_axes()));
    int next = 0;
    for (int left = made_.ranks, factor = 2; left > 1; ++factor)
      for (; left % factor == 0; left /= factor)
        made_.axes[divided[next++ % divided.size()]].processes *= factor;
  }

  /// Blocks of one cell, as thin as the reach, or thicker. An axis has at least as many cells as
  /// kernels reach beyond its borders.
  void choose_cells() {
    for (problem_axis& axis : made_.axes) {
      axis.is_periodic = chance(50);
      int const extent = one_of({1, 1, reach_, reach_ + 1, pick(2, 7)});
      axis.cells = axis.processes * extent + (chance(50) ? 0 : pick(0, axis.processes - 1));
      axis.cells = std::max<std::int64_t>(axis.cells, 2 * reach_ + 1);
      axis.length = 0.5 * pick(1, 8);
    }
  }

  problem_field draw_field() {
    problem_field field;
    unsigned const all = (1U << num_axes()) - 1;
    field.low_axes = chance(50) ? 0 : static_cast<unsigned>(pick(0, static_cast<int>(all)));
    field.components = one_of({1, 1, 1, 2, 3});
    if (!made_.fields.empty() && chance(40)) { // alike, so that they may be swapped
      field.low_axes = made_.fields.back().low_axes;
      field.components = made_.fields.back().components;
    }
    field.levels = one_of({1, 1, 1, 2, 3});
    draw_conditions(field);
    return field;
  }

  void draw_conditions(problem_borders& borders) {
    for (auto& axis : borders.borders)
      for (border_condition& condition : axis)
        condition = {static_cast<border_kind>(pick(0, 6)), 0.25 * pick(-8, 8)};
  }

  /// Lets some conditions of a field read another one that lies at the same places, or itself.
  void choose_sources(problem_field& field) {
    if (chance(35))
      choose_sources(field, field.low_axes);
  }
  void choose_sources(problem_borders& borders, unsigned low_axes) {
    for (auto& axis : borders.sources)
      for (problem_source& source : axis) {
        int const number = draw_field_number();
        problem_field const& other = made_.fields[number];
        if (other.low_axes == low_axes && chance(70))
          source = {number, pick(0, other.components - 1)};
      }
  }

  /// Gives a kernel conditions for a field that it reads.
  void choose_own_borders(problem_kernel& kernel) {
    std::vector<int> read;
    for (problem_read const& each : kernel.reads)
      if (each.field >= 0)
        read.push_back(each.field);
    if (kernel.kind == kernel_kind::updates || kernel.kind == kernel_kind::modifies)
      read.push_back(kernel.field);
    if (read.empty())
      return;
    kernel.bordered = one_of(read);
    draw_conditions(kernel.own_borders);
    if (chance(40))
      choose_sources(kernel.own_borders, made_.fields[kernel.bordered].low_axes);
    for (auto& axis : kernel.has_own)
      for (bool& has : axis)
        has = chance(60);
  }

  /// Inserts swaps of fields alike.
  void add_swaps() {
    for (int n = chance(40) ? pick(1, 2) : 0; n > 0; --n) {
      problem_kernel swap;
      swap.kind = kernel_kind::swaps;
      swap.field = draw_field_number();
      swap.swapped = draw_field_number();
      problem_field const& a = made_.fields[swap.field];
      problem_field const& b = made_.fields[swap.swapped];
      if (swap.field != swap.swapped && a.low_axes == b.low_axes && a.components == b.components)
        made_.kernels.insert(
            made_.kernels.begin() + pick(0, static_cast<int>(made_.kernels.size())), swap);
    }
  }

  /// A kernel in order changes no field that conditions on borders of what else it reads depend on.
  void leave_orders() {
    for (problem_kernel& kernel : made_.kernels)
      for (problem_read const& read : kernel.reads)
        if (kernel.order_axis >= 0 && read.field >= 0 &&
            (depends(made_.fields[read.field], kernel.field) ||
             (kernel.bordered == read.field && depends(kernel.own_borders, kernel.field)))) {
          kernel.order_axis = -1;
          kernel.own.lists = {{axis_entries{}}};
        }
  }
  static bool depends(problem_borders const& borders, int other) {
    for (auto const& axis : borders.sources)
      for (problem_source const& source : axis)
        if (source.field == other)
          return true;
    return false;
  }

  axis_entries draw_offset() {
    axis_entries offset{};
    for (int a = 0; a < num_axes(); ++a)
      offset[a] = pick(-reach_, reach_);
    return offset;
  }

  static void append_box(std::vector<axis_entries>& list, axis_entries const& lo,
                         axis_entries const& hi) {
    axis_entries at{};
    for (at[0] = lo[0]; at[0] <= hi[0]; ++at[0])
      for (at[1] = lo[1]; at[1] <= hi[1]; ++at[1])
        for (at[2] = lo[2]; at[2] <= hi[2]; ++at[2])
          list.push_back(at);
  }

  static void append_line(std::vector<axis_entries>& list, int axis, int from, int to) {
    axis_entries lo{}, hi{};
    lo[axis] = from;
    hi[axis] = to;
    append_box(list, lo, hi);
  }

  /// A box of radius 1, flat along `flat_axis` if there is such an axis.
  void append_box_around(std::vector<axis_entries>& list, int flat_axis) const {
    axis_entries lo{}, hi{};
    for (int b = 0; b < num_axes(); ++b)
      if (b != flat_axis) {
        lo[b] = -1;
        hi[b] = 1;
      }
    append_box(list, lo, hi);
  }

  /// Random offsets, or a structure: a star, a box, a plane, a line, one direction.
  std::vector<axis_entries> draw_offsets() {
    std::vector<axis_entries> list;
    int const structure = pick(0, 6), axis = pick(0, num_axes() - 1);
    int const behind = pick(0, reach_), ahead = pick(0, reach_);
    if (structure == 0)
      for (int b = 0; b < num_axes(); ++b)
        append_line(list, b, -reach_, reach_);
    else if (structure <= 2)
      append_box_around(list, structure == 1 ? -1 : axis);
    else if (structure == 3)
      append_line(list, axis, -behind, ahead);
    else if (structure == 4)
      list.push_back({});
    else
      for (int n = pick(1, 5); n > 0; --n)
        list.push_back(draw_offset());
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }

  int draw_field_number() { return pick(0, static_cast<int>(made_.fields.size()) - 1); }

  /// A read of a level that the kernel does not write.
  problem_read draw_read(problem_kernel const& kernel) {
    problem_read read;
    for (;;) {
      read.field = draw_field_number();
      read.level = -pick(0, made_.fields[read.field].levels - 1);
      bool const is_written =
          kernel.kind != kernel_kind::reduces && read.field == kernel.field && read.level == 0;
      if (!is_written)
        break;
      if (made_.fields.size() == 1 && made_.fields[read.field].levels == 1)
        return {-1, 0, {}, 0};
    }
    int const components = made_.fields[read.field].components;
    int const lists = components > 1 && chance(50) ? components : 1;
    for (int n = 0; n < lists; ++n)
      read.lists.push_back(draw_offsets());
    set_coefficient(read);
    return read;
  }

  void set_coefficient(problem_read& read) {
    std::int64_t terms = 1;
    for (auto const& list : read.lists)
      terms += std::ssize(list);
    read.coefficient = 0.01 * pick(-100, 100) / static_cast<double>(terms);
  }

  problem_kernel draw_kernel() {
    problem_kernel kernel;
    kernel.kind = static_cast<kernel_kind>(one_of({0, 0, 1, 1, 1, 2, 2, 3, 4}));
    kernel.field = draw_field_number();
    problem_field const& field = made_.fields[kernel.field];
    kernel.first = chance(70) ? 0 : pick(0, field.components - 1);
    kernel.count =
        chance(70) ? field.components - kernel.first : pick(1, field.components - kernel.first);
    kernel.value = pick(0, step_problem::num_values - 1);
    kernel.of_value = chance(50) ? 0.0 : 0.01 * pick(-50, 50);
    kernel.reduction = pick(0, 2);
    kernel.every = one_of({1, 1, 1, 1, 2, 3});
    kernel.reads = {draw_read(kernel), draw_read(kernel)};
    kernel.own.field = kernel.field;
    kernel.own.lists = {{axis_entries{}}};
    if (kernel.kind == kernel_kind::updates)
      kernel.own.lists = {draw_offsets()};
    if (kernel.kind == kernel_kind::modifies && chance(30))
      choose_colors(kernel);
    else if (kernel.kind == kernel_kind::modifies && chance(80))
      choose_order(kernel);
    set_coefficient(kernel.own);
    if (kernel.order_axis >= 0)
      kernel.own.coefficient *= 0.5; // new values are computed from new ones, all along the axis
    if (kernel.kind == kernel_kind::adds) {
      kernel.added = draw_offsets();
      kernel.added.resize(std::min<std::ptrdiff_t>(std::ssize(kernel.added), 5));
    }
    if (kernel.kind != kernel_kind::reduces && kernel.kind != kernel_kind::adds && chance(25))
      choose_box(kernel, field);
    return kernel;
  }

  /// Two colors, and neighbors along axes.
  void choose_colors(problem_kernel& kernel) {
    for (problem_axis const& axis : made_.axes)
      if (axis.is_periodic && axis.cells % 2 != 0)
        return;
    kernel.colors = 2;
    std::vector<axis_entries> list{{}};
    for (int a = 0; a < num_axes(); ++a)
      for (int const step : {-1, 1}) {
        list.emplace_back();
        list.back()[a] = step;
      }
    std::ranges::sort(list);
    kernel.own.lists = {list};
  }

  /// An order along an axis that is not periodic, and a few offsets along it.
  void choose_order(problem_kernel& kernel) {
    int const axis = pick(0, num_axes() - 1);
    if (made_.axes[axis].is_periodic)
      return;
    kernel.order_axis = axis;
    kernel.is_backward = chance(50);
    std::vector<axis_entries> list{{}};
    for (int step = -reach_; step <= reach_; ++step)
      if (step != 0 && chance(60)) {
        list.emplace_back();
        list.back()[axis] = step;
      }
    std::ranges::sort(list);
    kernel.own.lists = {list};
  }

  /// Steps are not fused in which blocks take turns.
  void unfuse_turns() {
    for (problem_kernel const& kernel : made_.kernels)
      if (kernel.order_axis >= 0 && made_.axes[kernel.order_axis].processes > 1)
        made_.fused = std::min(made_.fused, 1);
  }

  /// A mask that lies where the kernel is called. Least and largest values have no masks, since the
  /// serial program has none of nothing.
  void choose_mask(problem_kernel& kernel) {
    int place = kernel.field;
    if (kernel.kind == kernel_kind::reduces) {
      place = std::max(kernel.reads[0].field, kernel.reads[1].field);
      if (kernel.reads[0].field >= 0)
        place = kernel.reads[0].field;
      if (kernel.reduction != 2 || place < 0)
        return;
    }
    problem_mask mask;
    mask.low_axes = made_.fields[place].low_axes;
    mask.pattern = pick(0, problem_mask::num_patterns - 1);
    mask.moves = chance(50);
    for (int a = 0; a < num_axes(); ++a)
      mask.by[a] = pick(-1, 1);
    mask.beyond = pick(0, 1);
    kernel.mask = static_cast<int>(made_.masks.size());
    made_.masks.push_back(mask);
  }

  void choose_box(problem_kernel& kernel, problem_field const& field) {
    kernel.is_boxed = true;
    kernel.hi = {1, 1, 1};
    for (int a = 0; a < std::ssize(made_.axes); ++a) {
      auto const extent = static_cast<int>(made_.extent(field, a));
      kernel.lo[a] = pick(0, extent - 1);
      kernel.hi[a] = pick(static_cast<int>(kernel.lo[a]), extent);
    }
  }

  std::mt19937_64 random_;
  int most_ranks_, reach_ = 1;
  step_problem made_;
};

inline step_problem make_step_problem(problem_number const& which) {
  return step_problem_maker(which).make();
}

} // namespace seam::testing

/// Programs of steps, as plain numbers: fields on cells, faces and corners, with components and levels;
/// kernels that write, update, modify or add, in boxes, under masks, in colors, in order or now and
/// then, some of them other components in another role, and some reduce what they write; swaps of two
/// fields; values that are reduced, computed and used, or end a run; extremes that are located; borders, some of which read other fields, the
/// time or a value; processes; fusion. Some are two programs in turn on the same fields, and in some the fields,
/// or the conditions on borders, are changed by hand between two runs. in_words() describes one, and
/// step_problem_maker.hpp draws some.
///
/// Nothing here is of the library under test.
#pragma once

#include <support/stencil_problem.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
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

/// True if a value ends a run that goes on until one does.
inline bool ends_run(double value) { return std::fmod(std::abs(value), 1.0) < 0.4; }

enum class number_type { doubles, floats, small_integers };

/// What a condition reads besides the mirror image: another field, the time, a value.
struct problem_source {
  int field = -1, component = 0; ///< field: -1: none
  bool takes_time = false;
  int held = -1; ///< number of the value; -1: none

  bool is_used() const { return field >= 0 || takes_time || held >= 0; }

  /// True for functions that hold nothing, as without a number of their own.
  bool is_of_time_alone() const { return takes_time && field < 0 && held < 0; }
};

/// The value that a condition gives a ghost which reads something besides. What it does not read is 0.
inline double condition_beside(double value, double inside, double other, double time,
                               double held) {
  return value + 0.5 * inside - 0.25 * other + 0.5 * std::fmod(time, 8) + 0.25 * std::fmod(held, 8);
}

/// What a kernel contributes to a value for what it writes: bounded, so that values which kernels take do
/// not grow beyond all numbers.
inline double contribution(double written) { return std::fmod(written, 8); }

/// The value that is made of one that may be the least of nothing, or a large number.
inline double taken(double value) { return std::isfinite(value) ? contribution(value) : 0.25; }

/// A value that steps compute of itself and another one.
inline double next_value(double value, double other, double more) {
  return 0.5 * value + 0.25 * other + more;
}

/// The conditions on all borders.
struct problem_borders {
  std::array<std::array<border_condition, 2>, 3> borders{}; ///< [axes][low, high]
  std::array<std::array<problem_source, 2>, 3> sources{};   ///< of the conditions
};

struct problem_field : problem_borders {
  unsigned low_axes = 0; ///< bit a: values lie on the low sides of cells along axis a
  bool is_lent = false;  ///< in memory of a view, with wide ghosts
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

enum class kernel_kind { writes, updates, modifies, adds, reduces, swaps, sets };

/// Other components of the field that a kernel writes, in a role of their own: its number is added to
/// what it reads at each place, and to a quarter of the old value unless it writes.
struct problem_second {
  kernel_kind kind = kernel_kind::writes;
  int first = 0, count = 0; ///< count: 0: none
};
inline double second_value(double sum, double old) { return 0.5 * sum + 0.25 * old; }

/// The role in which a kernel has its field beside another one.
constexpr kernel_kind kind_beside(kernel_kind kind) {
  if (kind == kernel_kind::writes)
    return kernel_kind::modifies;
  return kind == kernel_kind::modifies ? kernel_kind::writes : kind;
}

/// What the kernel for all other places adds where there are two of them.
inline double of_other_place(std::int64_t first_index) {
  return 0.125 * (1.0 + static_cast<double>(first_index));
}

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
  int reduction = 0;               ///< 0: minimum, 1: maximum, 2: sum, 3: number of places
  int reduces = -1; ///< value that a kernel which writes makes of its first component; -1: none
  bool is_taken = false; ///< the value is made of another one, which the kernel reduces into
  problem_second second{};
  int beside =
      -1; ///< another field, which may lie elsewhere on cells, and is written, too; -1: none
  bool is_boxed = false;
  axis_entries lo{}, hi{};  ///< box of places, where they are computed
  bool is_by_place = false; ///< updates: outside of the next box by another kernel
  axis_entries inner_lo{}, inner_hi{};
  int every = 1, colors = 1;
  int phase = 0;           ///< the first of the steps in which it runs
  bool is_located = false; ///< reduces: an extreme and its index, of which the value is made
  int order_axis = -1;     ///< along which layers are computed one after another; -1: none
  bool is_backward = false;
  int mask = -1;     ///< number; -1: none
  int bordered = -1; ///< a field for which it has conditions of its own, on `has_own`; -1: none
  problem_borders own_borders{};
  std::array<std::array<bool, 2>, 3> has_own{}; ///< [axes][low, high]
};

/// The value that is made of a located extreme.
inline double of_location(double value, std::span<std::int64_t const> index) {
  double weight = 0.125;
  for (std::int64_t const entry : index) {
    value += weight * static_cast<double>(entry);
    weight *= 2;
  }
  return value;
}

/// The first value of a located extreme, at index -1 on all axes, and of others that are taken.
inline constexpr double first_extreme = 0.5;

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
  int time = -1; ///< number of the value that is the time; -1: there is none
  int first_program =
      0; ///< so many kernels, and masks; the others are a second program, run in turn
  bool is_changed_by_hand = false; ///< all fields, after each run
  int until = -1;      ///< number of the value that may end runs of the first program; -1: none
  int check_every = 1; ///< steps between two looks at it
  bool is_profiled = false;   ///< runs are measured
  bool is_checked = false;    ///< each access is compared with the kernel's roles
  bool turns_borders = false; ///< after each run borders have the opposite ones' conditions

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
  std::string text;
  if (source.field >= 0)
    text += fmt::format(" of {}[{}]", source.field, source.component);
  if (source.takes_time)
    text += " of the time";
  if (source.held >= 0)
    text += fmt::format(" of value {}", source.held);
  return text;
}

inline std::string in_words(problem_borders const& all, int axis, int end) {
  return in_words(all.borders[axis][end]) + in_words(all.sources[axis][end]);
}

inline std::string in_words(step_problem const& what) {
  constexpr char const* numbers[] = {"double", "float", "std::int16_t"};
  std::string text = fmt::format(
      "{} ranks, {}, fused {}, tiles {}, parts {}, time {}, {} kernels in the first program, "
      "{}changed by hand, borders {}{}:",
      what.ranks, numbers[static_cast<int>(what.numbers)], what.fused, what.tile_extent, what.parts,
      what.time, what.first_program, what.is_changed_by_hand ? "" : "not ",
      what.turns_borders ? "turned" : "as they are", what.is_checked ? ", checked" : "");
  for (problem_axis const& axis : what.axes)
    text += fmt::format(" [{} cells on {} processes{}]", axis.cells, axis.processes,
                        axis.is_periodic ? ", periodic" : "");
  for (problem_field const& field : what.fields) {
    text +=
        fmt::format("\n  field: low axes {}, {} components, {} levels{}, borders", field.low_axes,
                    field.components, field.levels, field.is_lent ? ", on a view" : "");
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
    if (kernel.kind == kernel_kind::sets) {
      text += fmt::format("\n  value {} set with {}, {} more", kernel.reduces, kernel.value,
                          kernel.of_value);
      continue;
    }
    text += fmt::format("\n  kernel {} {} components {}+{}, reads {}; {}; own {}",
                        kinds[static_cast<int>(kernel.kind)], kernel.field, kernel.first,
                        kernel.count, in_words(kernel.reads[0], what.axes.size()),
                        in_words(kernel.reads[1], what.axes.size()),
                        in_words(kernel.own, what.axes.size()));
    text +=
        fmt::format(", value {} times {}, reduction {}{}, every {} from {} on, colors {}",
                    kernel.value, kernel.of_value, kernel.reduction,
                    kernel.is_located ? " located" : "", kernel.every, kernel.phase, kernel.colors);
    if (kernel.second.count > 0)
      text += fmt::format(", {} components {}+{}", kinds[static_cast<int>(kernel.second.kind)],
                          kernel.second.first, kernel.second.count);
    if (kernel.beside >= 0)
      text += fmt::format(", {} {} beside it", kinds[static_cast<int>(kind_beside(kernel.kind))],
                          kernel.beside);
    if (kernel.reduces >= 0)
      text += fmt::format(", makes value {}{}", kernel.reduces, kernel.is_taken ? " later" : "");
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
    if (kernel.is_by_place)
      text += fmt::format(" by place, inside ({}) to ({})",
                          fmt::join(std::span(kernel.inner_lo).first(what.axes.size()), ","),
                          fmt::join(std::span(kernel.inner_hi).first(what.axes.size()), ","));
  }
  if (what.until >= 0)
    text += fmt::format("\n  until value {}, checked every {} steps", what.until, what.check_every);
  return text + fmt::format("\n  runs {}\n", fmt::join(what.runs, ", "));
}

} // namespace seam::testing

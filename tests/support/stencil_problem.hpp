/// Random stencil problems with a structure: the axes that a kernel reads, alone and together; the
/// numbers of processes; the thickness of blocks; the values beyond borders. A seed and a number
/// determine a problem, and in_words() describes it.
///
///     stencil_problem problem = make_stencil_problem({.seed = 1, .number = 17, .most_ranks = 12});
///
/// It consists of plain numbers, without types of the library under test.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace seam::testing {

/// An entry for each of up to three axes; those that a problem does not have hold 0.
using axis_entries = std::array<std::int64_t, 3>;

/// The values of ghosts beyond one border: `value` is given, the others call place_function.
enum class border_kind { dirichlet, dirichlet_of, neumann, neumann_of, outside, outside_of, own };
inline constexpr int num_border_kinds = 7;

struct border_condition {
  border_kind kind = border_kind::dirichlet;
  double value = 0;
  int sees = -1; ///< place of the last value inside that it sees, beside the mirror image; -1: none
};

/// What a condition adds for the n-th value inside.
inline double of_value_inside(int n, double value) {
  return 0.0625 * (n % 2 == 0 ? n + 1 : -n - 1) * value;
}

/// A function of a place that is not periodic.
inline double place_function(double value, std::span<double const> place) {
  double sum = value;
  for (int a = 0; a < std::ssize(place); ++a)
    sum += 0.25 * static_cast<double>(a + 1) * place[a];
  return sum;
}

/// The value that border_kind::own gives a ghost.
inline double own_condition(double value, double inside, double centre, double distance) {
  return value + 0.5 * inside - 0.125 * centre + distance;
}

struct problem_axis {
  std::int64_t cells = 1;
  int processes = 1;
  bool processes_are_given = true; ///< false: the library chooses them, and has one choice
  bool is_periodic = false;
  double length = 1;
  border_condition low{}, high{};

  double spacing() const { return length / static_cast<double>(cells); }
};

/// The value that a condition gives the ghost at `place`, beyond a border of `axis`, without what it sees
/// further inside.
/// @param inside    of the mirror image, whose index on the axis is `mirror`
/// @param low_axes  bit a: values lie on the low sides of cells along axis a
template <class T>
T value_beyond(border_condition const& border, T inside, axis_entries const& place, int axis,
               std::int64_t mirror, std::span<problem_axis const> axes, unsigned low_axes = 0) {
  std::array<double, 3> centre{}, at_border{};
  for (int a = 0; a < std::ssize(axes); ++a)
    at_border[a] = centre[a] =
        (static_cast<double>(place[a]) + ((low_axes >> a & 1U) != 0 ? 0.0 : 0.5)) *
        axes[a].spacing();
  double const half = 0.5 * static_cast<double>(mirror - place[axis]);
  at_border[axis] += half * axes[axis].spacing();
  double const distance = 2 * std::abs(half) * axes[axis].spacing();
  double const of_border = place_function(border.value, std::span(at_border).first(axes.size()));
  double const of_centre = place_function(border.value, std::span(centre).first(axes.size()));
  switch (border.kind) {
  case border_kind::dirichlet: return static_cast<T>(2 * border.value - inside);
  case border_kind::dirichlet_of: return static_cast<T>(2 * of_border - inside);
  case border_kind::neumann: return static_cast<T>(inside + distance * border.value);
  case border_kind::neumann_of: return static_cast<T>(inside + distance * of_border);
  case border_kind::outside: return static_cast<T>(border.value);
  case border_kind::outside_of: return static_cast<T>(of_centre);
  case border_kind::own: break;
  }
  return static_cast<T>(own_condition(border.value, inside, centre[axis], distance));
}

struct stencil_problem {
  int ranks = 1;
  std::vector<problem_axis> axes;    ///< one to three
  std::vector<axis_entries> offsets; ///< that the kernel reads, in the order of its sum
  std::vector<double> coefficients;  ///< [offsets]
  std::vector<int> batches;          ///< sweeps between two comparisons
  bool in_floats = false;            ///< or doubles
  unsigned seed = 0;                 ///< for random numbers of the test itself

  int num_sweeps() const {
    int sum = 0;
    for (int const sweeps : batches)
      sum += sweeps;
    return sum;
  }
  std::int64_t num_cells() const {
    std::int64_t product = 1;
    for (problem_axis const& axis : axes)
      product *= axis.cells;
    return product;
  }
};

/// The initial value of a cell.
inline double first_value(axis_entries const& cell) {
  std::uint64_t bits = 12345;
  for (std::int64_t const entry : cell)
    bits = (bits + static_cast<std::uint64_t>(entry)) * 6364136223846793005U + 1442695040888963407U;
  return static_cast<double>(bits >> 40) / static_cast<double>(1 << 24) - 0.5;
}

inline std::string in_words(border_condition const& border) {
  constexpr char const* names[] = {"dirichlet", "dirichlet(x)", "neumann", "neumann(x)",
                                   "outside",   "outside(x)",   "own"};
  return fmt::format("{} {}{}", names[static_cast<int>(border.kind)], border.value,
                     border.sees < 0 ? "" : fmt::format(" that sees inside({})", border.sees));
}

inline std::string in_words(stencil_problem const& problem) {
  std::string text =
      fmt::format("{} ranks, {}:", problem.ranks, problem.in_floats ? "float" : "double");
  for (problem_axis const& axis : problem.axes)
    text += fmt::format(" [{} cells on {}{} processes, {}]", axis.cells, axis.processes,
                        axis.processes_are_given ? "" : " (free)",
                        axis.is_periodic ? "periodic"
                                         : in_words(axis.low) + " to " + in_words(axis.high));
  text += "; offsets";
  for (axis_entries const& offset : problem.offsets)
    text += fmt::format(" ({})", fmt::join(std::span(offset).first(problem.axes.size()), ","));
  return text + fmt::format("; sweeps {}", fmt::join(problem.batches, ", "));
}

/// The choice of a problem.
struct problem_number {
  unsigned seed;
  int number;
  int most_ranks;
};

/// Draws one problem.
class problem_maker {
public:
  explicit problem_maker(problem_number const& which)
      : random_(static_cast<std::uint64_t>(which.seed) * 1'000'003U +
                static_cast<std::uint64_t>(which.number)),
        most_ranks_(which.most_ranks) {
    random_.discard(10);
  }

  stencil_problem make() {
    do {
      problem_ = {};
      problem_.ranks = std::max(pick(1, most_ranks_), pick(1, most_ranks_));
      problem_.axes.resize(one_of({1, 2, 2, 3, 3, 3, 3}));
      place_processes();
      choose_offsets();
      choose_cells();
    } while (problem_.num_cells() > most_cells);
    choose_borders();
    choose_sweeps();
    problem_.in_floats = chance(25);
    problem_.seed = static_cast<unsigned>(random_());
    return problem_;
  }

private:
  static constexpr std::int64_t most_cells = 250'000;

  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int percent) { return pick(1, 100) <= percent; }
  int one_of(std::vector<int> const& all) { return all[pick(0, static_cast<int>(all.size()) - 1)]; }
  int num_axes() const { return static_cast<int>(problem_.axes.size()); }

  /// Some axes get all processes, prime factor by prime factor; the others have one each.
  void place_processes() {
    std::vector<int> divided;
    for (int a = 0; a < num_axes(); ++a)
      divided.push_back(a);
    std::ranges::shuffle(divided, random_);
    divided.resize(std::min(one_of({1, 1, 1, 2, 2, 3}), num_axes()));
    int next = 0;
    for (int left = problem_.ranks, factor = 2; left > 1; ++factor)
      for (; left % factor == 0; left /= factor)
        axis(divided[next++ % divided.size()]).processes *= factor;
    if (chance(30))
      axis(pick(0, num_axes() - 1)).processes_are_given = false;
  }

  /// Sets of axes (as bits) that offsets leave along together: {0}, {1}, {2} is a star, {0, 1, 2} a
  /// box with its corners alone, {0, 1} with {2} a plane and a line across it.
  std::vector<unsigned> sets_of_axes() {
    unsigned const all = (1U << num_axes()) - 1;
    auto const any_axis = [&] { return 1U << pick(0, num_axes() - 1); };
    auto const with_parts = [&](unsigned whole) {
      std::vector<unsigned> parts;
      for (unsigned part = 1; part <= all; ++part)
        if ((part & ~whole) == 0)
          parts.push_back(part);
      return parts;
    };
    switch (pick(0, 9)) {
    case 0: return {1U & all, 2U & all, 4U & all}; // star
    case 1: return with_parts(all);                // box
    case 2: return {all};                          // corners
    case 3: return {any_axis()};                   // line
    case 4: return with_parts(all & ~any_axis());  // plane, a line in 2D
    case 5:
    case 6:
    case 7: { // plane, and a line across it
      unsigned const across = chance(85) ? 1U << most_divided_axis() : any_axis();
      auto parts = with_parts(all & ~across);
      parts.push_back(across);
      return parts;
    }
    default: {
      std::vector<unsigned> some;
      for (unsigned part = 1; part <= all; ++part)
        if (chance(40))
          some.push_back(part);
      return some;
    }
    }
  }

  int most_divided_axis() const {
    auto const most = std::ranges::max_element(problem_.axes, {}, &problem_axis::processes);
    return static_cast<int>(most - problem_.axes.begin());
  }

  /// The reach of offsets along each axis, to both sides.
  void choose_reach() {
    int const farthest = num_axes() == 3 ? one_of({1, 1, 2, 2, 3}) : one_of({1, 2, 3});
    for (int a = 0; a < std::ssize(problem_.axes); ++a) {
      below_[a] = chance(50) ? 1 : pick(0, farthest);
      above_[a] = chance(50) ? 1 : pick(0, farthest);
    }
  }

  /// All offsets that leave along the axes of `set` and along no others.
  void append_offsets(unsigned set) {
    axis_entries offset{};
    auto const from = [&](auto const& self, int a) -> void {
      if (a == num_axes()) {
        problem_.offsets.push_back(offset);
        return;
      }
      bool const leaves = (set >> a & 1U) != 0;
      for (std::int64_t entry = leaves ? -below_[a] : 0; entry <= (leaves ? above_[a] : 0); ++entry)
        if (leaves == (entry != 0)) {
          offset[a] = entry;
          self(self, a + 1);
        }
    };
    from(from, 0);
  }

  void choose_offsets() {
    choose_reach();
    for (unsigned const set : sets_of_axes())
      if (set != 0)
        append_offsets(set);
    if (chance(50))
      problem_.offsets.push_back({});
    std::ranges::shuffle(problem_.offsets, random_);
    std::ptrdiff_t const most = chance(20) ? pick(1, 4) : 24;
    problem_.offsets.resize(std::min(std::ssize(problem_.offsets), most));
    for (auto n = std::ssize(problem_.offsets); n > 0; --n)
      problem_.coefficients.push_back(0.01 * pick(-100, 100) /
                                      static_cast<double>(problem_.offsets.size()));
    below_ = above_ = {};
    for (axis_entries const& offset : problem_.offsets)
      for (int a = 0; a < std::ssize(offset); ++a) {
        below_[a] = std::max(below_[a], -offset[a]);
        above_[a] = std::max(above_[a], offset[a]);
      }
  }

  /// Blocks as thin as the halo, by one cell thicker, or thicker.
  void choose_cells() {
    for (int a = 0; a < std::ssize(problem_.axes); ++a) {
      auto const depth = static_cast<int>(std::max(below_[a], above_[a]));
      int const extent = std::max(1, depth + one_of({0, 1, 2, 3, 5, pick(2, 9)}));
      problem_axis& drawn = problem_.axes[a];
      drawn.cells = drawn.processes * extent + (chance(60) ? 0 : pick(0, drawn.processes - 1));
      drawn.length = 0.5 * pick(1, 8);
    }
    if (num_axes() > 1 && chance(20))
      choose_layer(one_of({511, 512, 513}));
    else if (num_axes() > 1 && axis(0).processes <= 4 && chance(9))
      choose_layer(large_layer());
  }

  /// Cells of a layer of axis 0 from which on the message of a side is cut into parts, and blocks
  /// have several tiles.
  int large_layer() const {
    return 17'000 / static_cast<int>(std::max<std::int64_t>({1, below_[0], above_[0]}));
  }

  /// Blocks of axis 0 in layers of so many cells, of which 512 or more travel unpacked.
  void choose_layer(int cells) {
    int const last = num_axes() - 1;
    if (last == 2) {
      constexpr int widths[] = {7, 16, 19}; // one of them divides 511, 512 and 513
      int const width =
          *std::ranges::find_if(widths, [&](int n) { return cells % n == 0 || n == 19; });
      axis(1).cells = width;
      cells /= width;
    }
    axis(last).cells = cells;
    if (is_too_thin())
      choose_cells();
    else if (problem_.offsets.size() > 6)
      shorten_offsets();
  }

  bool is_too_thin() const {
    for (int a = 0; a < std::ssize(problem_.axes); ++a) {
      std::int64_t const depth = std::max<std::int64_t>({1, below_[a], above_[a]});
      if (problem_.axes[a].cells / problem_.axes[a].processes < depth)
        return true;
    }
    return false;
  }

  /// Leaves a few offsets, as there are many cells: first those that reach farthest along axis 0.
  void shorten_offsets() {
    std::ranges::stable_sort(problem_.offsets, std::ranges::greater{},
                             [](axis_entries const& offset) { return std::abs(offset[0]); });
    problem_.offsets.resize(6);
    problem_.coefficients.resize(6);
  }

  border_condition draw_border() {
    return {static_cast<border_kind>(pick(0, num_border_kinds - 1)), 0.25 * pick(-8, 8)};
  }

  void choose_borders() {
    bool const one_for_all = chance(30);
    bool const periodic = chance(50);
    for (problem_axis& drawn : problem_.axes) {
      drawn.is_periodic = one_for_all ? periodic : chance(50);
      drawn.low = draw_border();
      drawn.high = draw_border();
    }
  }

  void choose_sweeps() {
    bool const is_large = problem_.num_cells() > 20'000;
    for (int n = is_large ? 1 : pick(1, 2); n > 0; --n)
      problem_.batches.push_back(is_large ? 2 : one_of({1, 1, 2, 3, 4}));
  }

  problem_axis& axis(int a) { return problem_.axes[a]; }

  std::mt19937_64 random_;
  int most_ranks_;
  stencil_problem problem_;
  axis_entries below_{}, above_{};
};

inline stencil_problem make_stencil_problem(problem_number const& which) {
  return problem_maker(which).make();
}

} // namespace seam::testing

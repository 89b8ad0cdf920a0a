#include <seam/mapping/strategies/strips.hpp>

#include <seam/mapping/detail/mapping_cost.hpp>
#include <seam/mapping/strategies/grid_box.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace seam::detail {
namespace {

constexpr double tolerance = 1e-9; ///< of multiples of widths that are not whole

/// Ranks at the same distance from each other, which follow each other on the path in ascending or
/// descending order.
struct run_of_ranks {
  int first, stride, count;
  int place;   ///< of the first rank on the path
  int forward; ///< 1 or -1
};

class strip_walk {
public:
  strip_walk(stencil_grid const& grid, strip_plan const& plan)
      : extent_(grid.extent),
        strides_(strides_of(grid)),
        widths_(plan.widths),
        turned_(extent_.size(), false),
        sides_(extent_.size()) {
    auto const severed = severed_weights(grid);
    slowest_first_.push_back(plan.along);
    for (bool const is_sent_along : {!plan.is_layer_by_layer, plan.is_layer_by_layer})
      for (int k = 0; k < grid.num_dimensions(); ++k)
        if (k != plan.along && (severed[k] > 0) == is_sent_along)
          slowest_first_.push_back(k);
    sides_[0] = {extent_[plan.along], strides_[plan.along]};
  }

  /// Calls visit(run_of_ranks) until all points have been visited.
  template <class Visit>
  void run(Visit const& visit) {
    walk(1, 0, 1, visit);
  }

private:
  /// A dimension of a strip: its number of points, and the stride of their ranks.
  struct side {
    int extent, stride;
  };

  /// Walks the strips whose position in the first `level` dimensions is known: they begin at the
  /// rank `first` and have `volume` points in these dimensions.
  template <class Visit>
  void walk(int level, int first, int volume, Visit const& visit) {
    if (level == std::ssize(slowest_first_))
      return walk_along(first, volume * sides_[0].extent, visit);
    int const k = slowest_first_[level], n = extent_[k];
    double const width = widths_[k];
    int const count = static_cast<int>(std::ceil(n / width - tolerance));
    auto const start = [&](int i) {
      return i == count ? n : static_cast<int>(std::floor(i * width + tolerance));
    };
    for (int i = 0; i < count; ++i) {
      int const strip = turned_[level] ? count - 1 - i : i;
      sides_[level] = {start(strip + 1) - start(strip), strides_[k]};
      walk(level + 1, first + start(strip) * strides_[k], volume * sides_[level].extent, visit);
    }
    turned_[level] = !turned_[level];
  }

  template <class Visit>
  void walk_along(int first, int volume, Visit const& visit) {
    inside_.clear();
    std::ranges::copy_if(sides_, std::back_inserter(inside_),
                         [](side const& dimension) { return dimension.extent > 1; });
    if (inside_.empty())
      inside_.push_back(sides_[0]);
    int const forward = turned_[0] ? -1 : 1;
    int place = turned_[0] ? place_ + volume - 1 : place_;
    walk_inside(0, first, forward, place, visit);
    place_ += volume;
    turned_[0] = !turned_[0];
  }

  /// Walks a strip, the last of its dimensions the fastest.
  template <class Visit>
  void walk_inside(int level, int first, int forward, int& place, Visit const& visit) {
    auto const [extent, stride] = inside_[level];
    if (level + 1 == std::ssize(inside_)) {
      visit(run_of_ranks{first, stride, extent, place, forward});
      place += forward * extent;
      return;
    }
    for (int x = 0; x < extent; ++x)
      walk_inside(level + 1, first + x * stride, forward, place, visit);
  }

  std::vector<int> extent_, strides_;
  std::vector<double> const& widths_;
  std::vector<int> slowest_first_; ///< the dimension along, then the others
  std::vector<bool> turned_;       ///< by level: whether the next strips run backwards
  std::vector<side> sides_;        ///< by level: of the strip at hand
  std::vector<side> inside_;       ///< the sides of several points
  int place_ = 0;                  ///< the first that is still free
};

/// The width nearest to `width` of which whole strips fill the extent.
double even_width(int extent, double width) {
  return extent / std::clamp(std::round(extent / width), 1.0, double(extent));
}

/// Keeps at most `most` of the widths, far apart in the list.
std::vector<double> thinned_out(std::vector<double> const& widths, int most) {
  if (std::ssize(widths) <= most)
    return widths;
  std::vector<double> kept;
  for (int i = 0; i < most; ++i)
    kept.push_back(widths[(2 * i + 1) * widths.size() / (2 * most)]);
  return kept;
}

/// Widths around the ideal one, at most `most` of them: even and whole ones.
std::vector<double> widths_around(int extent, double ideal, int most) {
  constexpr double spread = 2;
  std::vector<double> widths;
  double const least = even_width(extent, ideal / spread),
               largest = even_width(extent, ideal * spread);
  for (double count = std::round(extent / largest); extent / count >= least - tolerance; ++count)
    widths.push_back(extent / count);
  for (double width = std::ceil(least); width < largest; ++width)
    widths.push_back(width);
  std::ranges::sort(widths);
  auto const is_repeated = [](double a, double b) { return b - a < tolerance; };
  widths.erase(std::unique(widths.begin(), widths.end(), is_repeated), widths.end());
  return thinned_out(widths, most);
}

/// Every combination of a plan with a width for one more dimension.
std::vector<strip_plan> extended_by(std::vector<strip_plan> const& begun,
                                    std::vector<double> const& widths) {
  std::vector<strip_plan> extended;
  for (strip_plan const& plan : begun)
    for (double const width : widths) {
      extended.push_back(plan);
      extended.back().widths.push_back(width);
    }
  return extended;
}

} // namespace

filling walk_strips(stencil_grid const& grid, strip_plan const& plan) {
  filling order(grid.num_points());
  strip_walk(grid, plan).run([&](run_of_ranks const& run) {
    for (int i = 0; i < run.count; ++i)
      order[run.place + i * run.forward] = run.first + i * run.stride;
  });
  return order;
}

void fill_strips(stencil_grid const& grid, strip_plan const& plan,
                 std::span<int const> places2parts, std::span<int> ranks2parts) {
  strip_walk(grid, plan).run([&](run_of_ranks const& run) {
    for (int i = 0; i < run.count; ++i)
      ranks2parts[run.first + i * run.stride] = places2parts[run.place + i * run.forward];
  });
}

strip_plan ideal_strips(stencil_grid const& grid, int part_size) {
  auto const ideal = ideal_extent(grid, part_size);
  strip_plan plan;
  for (int k = 0; k < grid.num_dimensions(); ++k) {
    plan.widths.push_back(even_width(grid.extent[k], ideal[k]));
    if (grid.extent[k] / plan.widths[k] > grid.extent[plan.along] / plan.widths[plan.along])
      plan.along = k;
  }
  plan.widths[plan.along] = grid.extent[plan.along];
  return plan;
}

std::vector<strip_plan> strips_to_try(stencil_grid const& grid, int part_size) {
  int const d = grid.num_dimensions();
  auto const ideal = ideal_extent(grid, part_size);
  int const most = d <= 2 ? 32 : d == 3 ? 4 : 2;
  auto const severed = severed_weights(grid);
  auto const num_across_layers = std::ranges::count(severed, 0); // strips need not extend there
  std::vector<strip_plan> plans;
  for (int along = 0; along < d; ++along) {
    if (severed[along] == 0 && num_across_layers < d)
      continue;
    std::vector<strip_plan> begun{{along, {}, false}};
    if (num_across_layers > 0)
      begun.push_back({along, {}, true});
    for (int k = 0; k < d; ++k) {
      std::vector<double> widths{k == along ? double(grid.extent[k]) : 1};
      if (k != along && severed[k] > 0)
        widths = widths_around(grid.extent[k], ideal[k], most);
      begun = extended_by(begun, widths);
    }
    plans.insert(plans.end(), begun.begin(), begun.end());
  }
  return plans;
}

std::optional<filling> divide_in_strips(division_problem const& problem) {
  if (problem.grid == nullptr || problem.grid->extent.empty())
    return std::nullopt;
  return walk_strips(*problem.grid, ideal_strips(*problem.grid, problem.mean_size()));
}

std::optional<filling> divide_in_best_strips(division_problem const& problem,
                                             grid_edges const& edges, std::int64_t most_sum) {
  std::optional<strip_plan> best;
  cut_volume least{most_sum, std::numeric_limits<std::int64_t>::max()};
  auto const places2parts = places2parts_of(problem);
  std::vector<int> ranks2parts(places2parts.size());
  for (auto const& plan : strips_to_try(*problem.grid, problem.mean_size())) {
    fill_strips(*problem.grid, plan, places2parts, ranks2parts);
    if (edges.sum_between(ranks2parts, least.sum) > least.sum)
      continue;
    if (auto const volume = edges.volume_between(ranks2parts); volume < least) {
      least = volume;
      best = plan;
    }
  }
  return best ? std::optional(walk_strips(*problem.grid, *best)) : std::nullopt;
}

std::optional<filling> divide_in_best_strips(division_problem const& problem) {
  if (problem.grid == nullptr || problem.grid->extent.empty())
    return std::nullopt;
  return divide_in_best_strips(problem, grid_edges(*problem.grid),
                               std::numeric_limits<std::int64_t>::max());
}

} // namespace seam::detail

#include <seam/mapping/strategies/strips.hpp>

#include <seam/mapping/strategies/grid_box.hpp>

#include <algorithm>
#include <cmath>

namespace seam {
namespace detail {
namespace {

constexpr double tolerance = 1e-9; ///< of multiples of widths that are not whole

class strip_walk {
public:
  strip_walk(stencil_grid const& grid, strip_plan const& plan)
      : grid_(grid), plan_(plan), turned_(grid.extent.size(), false) {
    slowest_first_.push_back(plan.along);
    for (int k = 0; k < grid.num_dimensions(); ++k)
      if (k != plan.along)
        slowest_first_.push_back(k);
    order.reserve(grid.num_points());
    auto whole = grid_box::whole(grid);
    walk(whole, 1);
  }

  filling order;

private:
  void walk(grid_box& box, std::size_t level) {
    if (level == slowest_first_.size())
      return walk_along(box);
    int const k = slowest_first_[level], n = grid_.extent[k];
    double const width = plan_.widths[k];
    int const count = static_cast<int>(std::ceil(n / width - tolerance));
    auto const start = [&](int i) {
      return i == count ? n : static_cast<int>(std::floor(i * width + tolerance));
    };
    for (int i = 0; i < count; ++i) {
      int const strip = turned_[level] ? count - 1 - i : i;
      box.corner[k] = start(strip);
      box.extent[k] = start(strip + 1) - start(strip);
      walk(box, level + 1);
    }
    turned_[level] = !turned_[level];
  }

  void walk_along(grid_box const& strip) {
    auto const first = std::ssize(order);
    append_ranks(grid_, strip, slowest_first_, order);
    if (turned_[0])
      std::reverse(order.begin() + first, order.end());
    turned_[0] = !turned_[0];
  }

  stencil_grid const& grid_;
  strip_plan const& plan_;
  std::vector<int> slowest_first_; ///< the dimension along, then the others
  std::vector<bool> turned_;       ///< by level: whether the next strips run backwards
};

/// The width nearest to `width` of which whole strips fill the extent.
double even_width(int extent, double width) {
  return extent / std::clamp(std::round(extent / width), 1.0, double(extent));
}

/// Keeps at most `most` of the widths, far apart in the list.
std::vector<double> thinned_out(std::vector<double> const& widths, std::size_t most) {
  if (widths.size() <= most)
    return widths;
  std::vector<double> kept;
  for (std::size_t i = 0; i < most; ++i)
    kept.push_back(widths[(2 * i + 1) * widths.size() / (2 * most)]);
  return kept;
}

/// Widths around the ideal one, at most `most` of them: even and whole ones.
std::vector<double> widths_around(int extent, double ideal, std::size_t most) {
  constexpr double spread = 2;
  std::vector<double> widths;
  double const least = even_width(extent, ideal / spread),
               largest = even_width(extent, ideal * spread);
  for (double count = std::round(extent / largest); extent / count >= least - tolerance; ++count)
    widths.push_back(extent / count);
  for (double width = std::ceil(least); width < largest; ++width)
    widths.push_back(width);
  std::ranges::sort(widths);
  auto const repeated =
      std::ranges::unique(widths, [](double a, double b) { return b - a < tolerance; });
  widths.erase(repeated.begin(), repeated.end());
  return thinned_out(widths, most);
}

} // namespace

filling walk_strips(stencil_grid const& grid, strip_plan const& plan) {
  return strip_walk(grid, plan).order;
}

strip_plan ideal_strips(stencil_grid const& grid, int part_size) {
  auto const ideal = ideal_extent(grid, part_size);
  strip_plan plan{0, {}};
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
  std::size_t const most = d <= 2 ? 32 : d == 3 ? 4 : 2;
  std::vector<strip_plan> plans;
  for (int along = 0; along < d; ++along) {
    std::vector<strip_plan> begun{{along, {}}};
    for (int k = 0; k < d; ++k) {
      auto const widths = k == along ? std::vector<double>{double(grid.extent[k])}
                                     : widths_around(grid.extent[k], ideal[k], most);
      std::vector<strip_plan> extended;
      for (strip_plan const& plan : begun)
        for (double const width : widths) {
          extended.push_back(plan);
          extended.back().widths.push_back(width);
        }
      begun = std::move(extended);
    }
    plans.insert(plans.end(), begun.begin(), begun.end());
  }
  return plans;
}

} // namespace detail

std::optional<filling> divide_in_strips(division_problem const& problem) {
  if (problem.grid == nullptr || problem.grid->extent.empty())
    return std::nullopt;
  return detail::walk_strips(*problem.grid,
                             detail::ideal_strips(*problem.grid, problem.mean_size()));
}

} // namespace seam

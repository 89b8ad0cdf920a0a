#include <seam/mapping/strategies/division.hpp>

#include <seam/mapping/detail/mapping_cost.hpp>
#include <seam/mapping/strategies/grid_box.hpp>
#include <seam/mapping/strategies/grid_edges.hpp>
#include <seam/mapping/strategies/strips.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>

namespace seam::detail {
namespace {

/// The dimension of the lines of a grid, and the weight that a point sends in one direction.
struct line_weights {
  int dimension = 0; ///< along which the lines run
  std::int64_t weight = 0;
};

/// The lines of a grid; nothing if points send further than to the next ones, along several
/// dimensions, or around a periodic dimension.
std::optional<line_weights> find_lines(stencil_grid const& grid) {
  auto const severed = severed_weights(grid);
  auto const along = std::ranges::find_if(severed, [](auto weight) { return weight > 0; });
  if (along == severed.end())
    return std::nullopt;
  int const k = along - severed.begin();
  for (int i = 0; i < grid.offsets.size(); ++i)
    if (std::abs(grid.offsets[i][k]) > 1)
      return std::nullopt;
  bool const is_alone = std::ranges::count(severed, 0) == std::ssize(severed) - 1;
  if (!is_alone || grid.periodic[k] || !grid.is_symmetric())
    return std::nullopt;
  return line_weights{k, severed[k] / 2};
}

} // namespace

std::optional<cut_volume> least_between_lines(division_problem const& problem) {
  auto const size = problem.common_size();
  auto const lines = problem.grid != nullptr && size ? find_lines(*problem.grid) : std::nullopt;
  if (!lines || problem.grid->extent[lines->dimension] == 1)
    return std::nullopt;
  std::int64_t const length = problem.grid->extent[lines->dimension];
  auto const most_components = problem.num_ranks() / std::lcm(length, std::int64_t{*size});
  auto const cut_ends = 2 * (problem.num_parts() - most_components);
  auto const ends_of_worst = (cut_ends + problem.num_parts() - 1) / problem.num_parts();
  return cut_volume{cut_ends * lines->weight, ends_of_worst * lines->weight};
}

std::optional<filling> divide_in_lines(division_problem const& problem) {
  auto const lines = problem.grid != nullptr ? find_lines(*problem.grid) : std::nullopt;
  if (!lines)
    return std::nullopt;
  std::vector<int> slowest_first(problem.grid->extent.size());
  std::iota(slowest_first.begin(), slowest_first.end(), 0);
  std::rotate(slowest_first.begin() + lines->dimension,
              slowest_first.begin() + lines->dimension + 1, slowest_first.end());
  filling order;
  order.reserve(problem.num_ranks());
  append_ranks(*problem.grid, grid_box::whole(*problem.grid), slowest_first, order);
  return order;
}

namespace {

struct contender {
  char const* name;
  division_strategy divide;
};

/// The strategies that win most often come first, so that the others are soon known to lose.
constexpr std::array<contender, 6> contenders{{{"guillotine", divide_by_guillotine},
                                               {"layers", divide_in_layers},
                                               {"nodecart", divide_in_equal_boxes},
                                               {"hyperplane", divide_by_hyperplanes},
                                               {"k-d tree", divide_by_kd_tree},
                                               {"blocked", divide_blocked}}};

/// If a grid has no straight cuts, as among uneven nodes, Scotch may do better than strips. For
/// this many ranks that takes some milliseconds.
constexpr int most_ranks_for_scotch = 1024;

/// The best so far among divisions whose worst part is not too bad.
class selection {
public:
  explicit selection(division_problem const& problem) : problem_(problem) {}

  /// Starts from the present division. Divisions with a worse worst part are then left out.
  /// @param present  [num_ranks], the part of each rank
  void start_from(std::span<int const> present) {
    least_ = volume_between(problem_.graph, present);
    most_volume_ = least_.worst;
    winner_ = {"identity", filling_of(problem_, present)};
  }

  /// Prepares for many divisions, so that losing ones cost little.
  void expect_many() {
    if (problem_.grid != nullptr)
      edges_.emplace(*problem_.grid);
  }

  void consider(std::string name, filling order) {
    auto const parts = ranks2parts_of(problem_, order);
    if (edges_ && edges_->sum_between(parts, least_.sum) > least_.sum)
      return;
    auto const volume =
        edges_ ? edges_->volume_between(parts) : volume_between(problem_.graph, parts);
    if (volume.worst <= most_volume_ && volume < least_) {
      least_ = volume;
      winner_ = {std::move(name), std::move(order)};
    }
  }

  /// Considers the best strips, whose volumes need not be counted to the end once they lose.
  void consider_strips() {
    if (edges_ && !problem_.grid->extent.empty())
      if (auto order = divide_in_best_strips(problem_, *edges_, least_.sum))
        consider("best strips", std::move(*order));
  }

  named_filling const& winner() const { return winner_; }
  cut_volume const& volume() const { return least_; }

private:
  static constexpr auto any = std::numeric_limits<std::int64_t>::max();

  division_problem const& problem_;
  std::int64_t most_volume_ = any;
  std::optional<grid_edges> edges_;
  cut_volume least_{any, any};
  named_filling winner_;
};

} // namespace

named_filling best_division(division_problem const& problem, std::span<int const> present) {
  selection best(problem);
  if (!present.empty())
    best.start_from(present);
  if (auto const least = least_between_lines(problem)) {
    best.consider("lines", *divide_in_lines(problem));
    if (best.volume() == *least)
      return best.winner();
  }
  best.expect_many();
  bool wants_scotch = problem.grid == nullptr || problem.num_ranks() <= most_ranks_for_scotch;
  for (auto const& [name, divide] : contenders)
    if (auto order = divide(problem)) {
      best.consider(name, std::move(*order));
      wants_scotch = wants_scotch && divide != divide_by_guillotine;
    }
  best.consider_strips();
  if (wants_scotch)
    best.consider("scotch", *divide_by_scotch(problem));
  auto const& [name, order] = best.winner();
  if (auto improved = improved_by_swaps(problem, order); improved != order)
    best.consider(name + " and swaps", std::move(improved));
  return best.winner();
}

std::optional<filling> divide_best(division_problem const& problem) {
  return best_division(problem, {}).order;
}

} // namespace seam::detail

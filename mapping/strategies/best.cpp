#include <seam/mapping/strategies/best.hpp>

#include <seam/mapping/detail/mapping_cost.hpp>
#include <seam/mapping/strategies/grid_edges.hpp>
#include <seam/mapping/strategies/lines.hpp>
#include <seam/mapping/strategies/strips.hpp>

#include <array>
#include <limits>
#include <utility>

namespace seam::detail {
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

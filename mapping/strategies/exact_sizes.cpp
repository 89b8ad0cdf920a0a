#include <seam/mapping/strategies/division.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

/// Moves ranks out of parts that have too many.
class moving {
public:
  moving(division_problem const& problem, std::vector<int>& ranks2parts)
      : both_ways_(symmetrized(problem.graph)),
        parts_(ranks2parts),
        free_places_(problem.sizes.begin(), problem.sizes.end()),
        parts2ranks_(problem.sizes.size()) {
    for (int rank = 0; rank < problem.num_ranks(); ++rank) {
      --free_places_[parts_[rank]];
      parts2ranks_[parts_[rank]].push_back(rank);
    }
  }

  void run() {
    for (int part = 0; part < std::ssize(free_places_); ++part)
      while (free_places_[part] < 0)
        move(best_move(parts2ranks_[part]));
  }

private:
  static constexpr int none = -1;

  struct step {
    int rank = none, part = none;
    std::int64_t gain = 0; ///< decrease of the volume
  };

  std::int64_t weight_to(int rank, int part) const {
    std::int64_t sum = 0;
    for (int e = both_ways_.ranks2edges[rank]; e < both_ways_.ranks2edges[rank + 1]; ++e)
      sum += parts_[both_ways_.edges2ranks[e]] == part ? both_ways_.edges2weights[e] : 0;
    return sum;
  }

  /// The best of the moves to parts of neighbors, and to the first part with free places; only
  /// parts with free places count.
  step best_move(std::vector<int> const& ranks) const {
    auto const first_free =
        std::ranges::find_if(free_places_, [](int places) { return places > 0; });
    int const anywhere = first_free - free_places_.begin();
    step best;
    auto const consider = [&](int rank, int part, std::int64_t stays) {
      auto const gain = weight_to(rank, part) - stays;
      if (free_places_[part] > 0 && (best.rank == none || gain > best.gain))
        best = {rank, part, gain};
    };
    for (int const rank : ranks) {
      auto const stays = weight_to(rank, parts_[rank]);
      for (int e = both_ways_.ranks2edges[rank]; e < both_ways_.ranks2edges[rank + 1]; ++e)
        consider(rank, parts_[both_ways_.edges2ranks[e]], stays);
      consider(rank, anywhere, stays);
    }
    return best;
  }

  void move(step const& taken) {
    int const from = parts_[taken.rank];
    std::erase(parts2ranks_[from], taken.rank);
    ++free_places_[from];
    --free_places_[taken.part];
    parts_[taken.rank] = taken.part;
  }

  weighted_graph both_ways_;
  std::vector<int>& parts_;
  std::vector<int> free_places_;              ///< [num_parts], below 0 where there are too many
  std::vector<std::vector<int>> parts2ranks_; ///< [num_parts], without ranks that have moved in
};

} // namespace

void make_sizes_exact(division_problem const& problem, std::vector<int>& ranks2parts) {
  moving(problem, ranks2parts).run();
}

} // namespace seam::detail

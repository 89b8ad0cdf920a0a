#include <seam/mapping/strategies/division.hpp>

#include <algorithm>

namespace seam {
namespace {

/// Moves ranks out of parts that have too many.
class moving {
public:
  moving(division_problem const& problem, std::vector<int>& ranks2parts)
      : both_ways_(symmetrized(problem.graph)),
        parts_(ranks2parts),
        room_(problem.sizes.begin(), problem.sizes.end()),
        parts2ranks_(problem.sizes.size()) {
    for (int rank = 0; rank < problem.num_ranks(); ++rank) {
      --room_[parts_[rank]];
      parts2ranks_[parts_[rank]].push_back(rank);
    }
  }

  void run() {
    for (std::size_t part = 0; part < room_.size(); ++part)
      while (room_[part] < 0)
        move(best_move(parts2ranks_[part]));
  }

private:
  static constexpr int none = -1;

  struct step {
    int rank = none, part = none;
    std::int64_t gain = 0; ///< how much less is sent
  };

  std::int64_t weight_to(int rank, int part) const {
    std::int64_t sum = 0;
    for (int e = both_ways_.ranks2edges[rank]; e < both_ways_.ranks2edges[rank + 1]; ++e)
      sum += parts_[both_ways_.edges2ranks[e]] == part ? both_ways_.edges2weights[e] : 0;
    return sum;
  }

  /// The best of the moves to neighbors' parts with room; if there are none, to the first with
  /// room.
  step best_move(std::vector<int> const& ranks) const {
    auto const with_room = std::ranges::find_if(room_, [](int room) { return room > 0; });
    int const anywhere = static_cast<int>(with_room - room_.begin());
    step best;
    auto const consider = [&](int rank, int part, std::int64_t stays) {
      auto const gain = weight_to(rank, part) - stays;
      if (room_[part] > 0 && (best.rank == none || gain > best.gain))
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
    ++room_[from];
    --room_[taken.part];
    parts_[taken.rank] = taken.part;
  }

  weighted_graph both_ways_;
  std::vector<int>& parts_;
  std::vector<int> room_;                     ///< [num_parts], below 0 where there are too many
  std::vector<std::vector<int>> parts2ranks_; ///< [num_parts], without those that have come
};

} // namespace

void make_sizes_exact(division_problem const& problem, std::vector<int>& ranks2parts) {
  moving(problem, ranks2parts).run();
}

} // namespace seam

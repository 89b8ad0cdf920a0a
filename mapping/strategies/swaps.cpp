#include <seam/mapping/detail/mapping_cost.hpp>
#include <seam/mapping/strategies/division.hpp>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace seam::detail {
namespace {

/// A rank of the part `own` that has neighbors in the part `other`.
struct border_rank {
  int own, other, rank;
  std::int64_t gain; ///< decrease of the volume if the rank moves there
};

/// A division that changes rank by rank, and the volume of each part. Weights count both ways.
class changing_division {
public:
  changing_division(weighted_graph const& both_ways, division_problem const& problem,
                    std::vector<int> ranks2parts)
      : graph_(both_ways), problem_(problem), parts_(std::move(ranks2parts)) {
    find_borders();
    limit_ = std::ranges::max(volumes_);
  }

  std::vector<int> const& ranks2parts() const { return parts_; }
  int part(int rank) const { return parts_[rank]; }

  /// The weight of the edges between a rank and the other ranks of a part.
  std::int64_t weight_to(int rank, int part) const {
    std::int64_t sum = 0;
    for_each_edge_of(rank, [&](int other, std::int64_t weight) {
      sum += other != rank && parts_[other] == part ? weight : 0;
    });
    return sum;
  }

  /// Exchanges the parts of u and v if that lowers the sum of volumes without making any part worse
  /// than the worst has been, or leaves the sum and lowers the larger of the two parts' volumes.
  bool swap_if_better(int u, int v) {
    int const p = parts_[u], q = parts_[v];
    auto const between = weight_between(u, v);
    auto const u_stays = weight_to(u, p), u_goes = weight_to(u, q);
    auto const v_stays = weight_to(v, q), v_goes = weight_to(v, p);
    auto const gain = u_goes - u_stays + v_goes - v_stays - 2 * between;
    if (gain < 0)
      return false;
    auto const of_u = weight_of(u), of_v = weight_of(v);
    auto const p_volume = volumes_[p] + 2 * u_stays - of_u + of_v - 2 * (v_goes - between);
    auto const q_volume = volumes_[q] + 2 * v_stays - of_v + of_u - 2 * (u_goes - between);
    auto const larger = std::max(p_volume, q_volume), now = std::max(volumes_[p], volumes_[q]);
    if (gain > 0 ? larger > limit_ : larger >= now)
      return false;
    volumes_[p] = p_volume;
    volumes_[q] = q_volume;
    std::swap(parts_[u], parts_[v]);
    is_touched_[p] = is_touched_[q] = true;
    return true;
  }

  /// Finds the borders again, after swaps.
  void find_borders() {
    volumes_.assign(problem_.num_parts(), 0);
    is_touched_.assign(problem_.num_parts(), false);
    std::vector<border_rank> found;
    std::vector<int> latest(problem_.num_parts(), -1); // that leads to each part
    for (int const rank : filling_of(problem_, parts_))
      find_borders_of(rank, latest, found);
    others2borders_.assign(problem_.num_parts() + 1, 0);
    for (border_rank const& at_border : found)
      ++others2borders_[at_border.other + 1];
    std::partial_sum(others2borders_.begin(), others2borders_.end(), others2borders_.begin());
    auto next = others2borders_;
    borders_.resize(found.size());
    for (border_rank const& at_border : found)
      borders_[next[at_border.other]++] = at_border;
  }

  /// Each rank once for each other part that it has neighbors in, in the order of these parts, then
  /// of its own part, then of ranks. The gain is out of date if one of the two parts is touched.
  std::span<border_rank const> borders() const { return borders_; }

  /// The ranks of a part at the border to another.
  std::span<border_rank const> border_between(int own, int other) const {
    auto const leading_there = borders().subspan(
        others2borders_[other], std::size_t(others2borders_[other + 1] - others2borders_[other]));
    return {std::ranges::lower_bound(leading_there, own, {}, &border_rank::own),
            std::ranges::upper_bound(leading_there, own, {}, &border_rank::own)};
  }

  /// Whether ranks have left the part since find_borders().
  bool is_touched(int part) const { return is_touched_[part]; }

private:
  template <class F>
  void for_each_edge_of(int u, F&& visit) const {
    for (int e = graph_.ranks2edges[u]; e < graph_.ranks2edges[u + 1]; ++e)
      visit(graph_.edges2ranks[e], graph_.edges2weights[e]);
  }

  /// @param latest  [num_parts] the position in `found` of the last entry for the part, or -1
  void find_borders_of(int rank, std::vector<int>& latest, std::vector<border_rank>& found) {
    int const own = parts_[rank], first = std::ssize(found);
    std::int64_t stays = 0;
    for_each_edge_of(rank, [&](int to, std::int64_t weight) {
      int const other = parts_[to];
      if (other == own) {
        stays += to != rank ? weight : 0;
        return;
      }
      if (latest[other] < first) {
        latest[other] = std::ssize(found);
        found.push_back({own, other, rank, 0});
      }
      found[latest[other]].gain += weight;
    });
    for (int i = first; i < std::ssize(found); ++i) {
      volumes_[own] += found[i].gain;
      found[i].gain -= stays;
    }
  }

  std::int64_t weight_between(int u, int v) const {
    std::int64_t sum = 0;
    for_each_edge_of(u, [&](int to, std::int64_t weight) { sum += to == v ? weight : 0; });
    return sum;
  }

  std::int64_t weight_of(int u) const {
    std::int64_t sum = 0;
    for_each_edge_of(u, [&](int to, std::int64_t weight) { sum += to != u ? weight : 0; });
    return sum;
  }

  weighted_graph const& graph_;
  division_problem const& problem_;
  std::vector<int> parts_;
  std::vector<std::int64_t> volumes_; ///< [num_parts], weight of the edges that leave each
  std::vector<bool> is_touched_;      ///< [num_parts]
  std::vector<border_rank> borders_;
  std::vector<int> others2borders_; ///< [num_parts + 1]
  std::int64_t limit_ = 0;
};

/// The decrease of the volume if a rank moves to a part.
std::int64_t gain_of(changing_division const& division, int rank, int part) {
  return division.weight_to(rank, part) - division.weight_to(rank, division.part(rank));
}

/// The gain of each rank if it moves across the border. Two ranks that swap gain at most the sum.
std::vector<std::int64_t> gains_of(changing_division const& division,
                                   std::span<border_rank const> border) {
  std::vector<std::int64_t> gains;
  for (auto const& [own, other, rank, gain] : border)
    gains.push_back(division.is_touched(own) || division.is_touched(other)
                        ? gain_of(division, rank, other)
                        : gain);
  return gains;
}

/// Swaps ranks across the border of two parts where it pays.
int swap_across(changing_division& division, std::span<border_rank const> of_first,
                std::span<border_rank const> of_second) {
  constexpr std::ptrdiff_t most = 64; // parts have short borders, but for graphs that have no shape
  of_first = of_first.first(std::min(std::ssize(of_first), most));
  of_second = of_second.first(std::min(std::ssize(of_second), most));
  auto const first_gains = gains_of(division, of_first),
             second_gains = gains_of(division, of_second);
  auto const largest_of_second = std::ranges::max(second_gains);
  int swaps = 0;
  for (int u = 0; u < std::ssize(of_first); ++u)
    for (int v = 0; first_gains[u] + largest_of_second >= 0 && v < std::ssize(of_second); ++v)
      if (first_gains[u] + second_gains[v] >= 0 &&
          division.part(of_first[u].rank) == of_first[u].own &&
          division.part(of_second[v].rank) == of_second[v].own)
        swaps += division.swap_if_better(of_first[u].rank, of_second[v].rank) ? 1 : 0;
  return swaps;
}

/// One round over all pairs of neighboring parts.
int swap_everywhere(changing_division& division) {
  auto const borders = division.borders();
  int swaps = 0;
  for (int first = 0, next = 0; first < std::ssize(borders); first = next) {
    auto const [q, p] = std::pair(borders[first].own, borders[first].other);
    while (next < std::ssize(borders) && borders[next].own == q && borders[next].other == p)
      ++next;
    if (p < q)
      swaps += swap_across(division, division.border_between(p, q),
                           borders.subspan(first, next - first));
  }
  return swaps;
}

} // namespace

filling improved_by_swaps(division_problem const& problem, filling const& order) {
  constexpr std::ptrdiff_t most_rounds = 4;
  bool const both_ways = problem.grid != nullptr && problem.grid->is_symmetric();
  weighted_graph const made = both_ways ? weighted_graph() : symmetrized(problem.graph);
  auto const before = ranks2parts_of(problem, order);
  changing_division division(both_ways ? problem.graph : made, problem, before);
  int swaps = 0;
  for (int round = 0; round < most_rounds; ++round) {
    int const more = swap_everywhere(division);
    swaps += more;
    if (more == 0)
      break;
    division.find_borders();
  }
  if (swaps == 0)
    return order;
  auto const old_volume = volume_between(problem.graph, before),
             new_volume = volume_between(problem.graph, division.ranks2parts());
  bool const is_better = new_volume < old_volume && new_volume.worst <= old_volume.worst;
  return is_better ? filling_of(problem, division.ranks2parts()) : order;
}

} // namespace seam::detail

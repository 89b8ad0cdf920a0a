#include <seam/mapping/mapping_cost.hpp>
#include <seam/mapping/strategies/division.hpp>

#include <algorithm>
#include <array>

namespace seam {
namespace {

/// A division that changes rank by rank, and what each part exchanges. Weights count both ways.
class changing_division {
public:
  changing_division(weighted_graph const& both_ways, std::vector<int> ranks2parts, int num_parts)
      : graph_(both_ways), parts_(std::move(ranks2parts)), volumes_(num_parts, 0) {
    for_each_edge([&](int u, int v, std::int64_t weight) {
      if (parts_[u] != parts_[v])
        volumes_[parts_[u]] += weight;
    });
    limit_ = std::ranges::max(volumes_);
  }

  std::vector<int> const& ranks2parts() const { return parts_; }
  int part(int rank) const { return parts_[rank]; }

  /// The weight of the edges between a rank and those of a part, itself left out.
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
    return true;
  }

  template <class F>
  void for_each_edge(F&& visit) const {
    for (int u = 0; u < graph_.num_ranks(); ++u)
      for_each_edge_of(u, [&](int v, std::int64_t weight) { visit(u, v, weight); });
  }

private:
  template <class F>
  void for_each_edge_of(int u, F&& visit) const {
    for (int e = graph_.ranks2edges[u]; e < graph_.ranks2edges[u + 1]; ++e)
      visit(graph_.edges2ranks[e], graph_.edges2weights[e]);
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
  std::vector<int> parts_;
  std::vector<std::int64_t> volumes_; ///< [num_parts], weight of the edges that leave each
  std::int64_t limit_ = 0;
};

/// A rank of the part `mine` that has neighbors in the part `other`.
struct border_rank {
  int mine, other, rank;

  friend auto operator<=>(border_rank const&, border_rank const&) = default;
};

/// Each rank once for each part that it has neighbors in, in order.
std::vector<border_rank> border_ranks(changing_division const& division) {
  std::vector<border_rank> all;
  std::size_t first = 0; // of the rank at hand
  division.for_each_edge([&](int u, int v, std::int64_t) {
    border_rank const found{division.part(u), division.part(v), u};
    if (found.mine == found.other)
      return;
    if (first < all.size() && all[first].rank != u)
      first = all.size();
    if (std::find(all.begin() + std::ptrdiff_t(first), all.end(), found) == all.end())
      all.push_back(found);
  });
  std::ranges::sort(all);
  return all;
}

/// The ranks of a part at the border to another.
std::span<border_rank const> ranks_between(std::span<border_rank const> all, int mine, int other) {
  auto const pair_of = [](border_rank const& one) { return std::pair(one.mine, one.other); };
  auto const found = std::ranges::equal_range(all, std::pair(mine, other), {}, pair_of);
  return {found.begin(), found.end()};
}

/// How much less is sent if a rank moves to a part.
std::int64_t gain_of(changing_division const& division, int rank, int part) {
  return division.weight_to(rank, part) - division.weight_to(rank, division.part(rank));
}

/// What each rank would gain by going over the border. Two that swap gain at most the sum.
std::vector<std::int64_t> gains_of(changing_division const& division,
                                   std::span<border_rank const> border) {
  std::vector<std::int64_t> gains;
  for (auto const& [mine, other, rank] : border)
    gains.push_back(gain_of(division, rank, other));
  return gains;
}

/// Swaps ranks across the border of two parts where it pays.
int swap_across(changing_division& division, std::span<border_rank const> ours,
                std::span<border_rank const> theirs) {
  constexpr std::size_t most = 64; // parts have short borders, but for graphs that have no shape
  ours = ours.first(std::min(ours.size(), most));
  theirs = theirs.first(std::min(theirs.size(), most));
  auto const our_gains = gains_of(division, ours), their_gains = gains_of(division, theirs);
  auto const their_largest = std::ranges::max(their_gains);
  int swaps = 0;
  for (std::size_t u = 0; u < ours.size(); ++u)
    for (std::size_t v = 0; our_gains[u] + their_largest >= 0 && v < theirs.size(); ++v)
      if (our_gains[u] + their_gains[v] >= 0 && division.part(ours[u].rank) == ours[u].mine &&
          division.part(theirs[v].rank) == theirs[v].mine)
        swaps += division.swap_if_better(ours[u].rank, theirs[v].rank) ? 1 : 0;
  return swaps;
}

/// One round over all pairs of neighboring parts.
int swap_everywhere(changing_division& division) {
  auto const borders = border_ranks(division);
  int swaps = 0;
  for (std::size_t first = 0, next = 0; first < borders.size(); first = next) {
    int const p = borders[first].mine, q = borders[first].other;
    while (next < borders.size() && borders[next].mine == p && borders[next].other == q)
      ++next;
    if (p < q)
      swaps += swap_across(division, ranks_between(borders, p, q), ranks_between(borders, q, p));
  }
  return swaps;
}

} // namespace

filling improved_by_swaps(division_problem const& problem, filling const& order) {
  constexpr int most_rounds = 4;
  bool const both_ways = problem.grid != nullptr && problem.grid->is_symmetric();
  weighted_graph const made = both_ways ? weighted_graph() : symmetrized(problem.graph);
  auto const before = ranks2parts_of(problem, order);
  changing_division division(both_ways ? problem.graph : made, before, problem.num_parts());
  int swaps = 0;
  for (int round = 0; round < most_rounds; ++round) {
    int const more = swap_everywhere(division);
    swaps += more;
    if (more == 0)
      break;
  }
  if (swaps == 0)
    return order;
  auto const old_volume = volume_between(problem.graph, before),
             new_volume = volume_between(problem.graph, division.ranks2parts());
  bool const is_better = new_volume < old_volume && new_volume.worst <= old_volume.worst;
  return is_better ? filling_of(problem, division.ranks2parts()) : order;
}

} // namespace seam

#include <seam/mesh/partition/median.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace seam::detail {
namespace {

/// Sorts keys from `lo` to `hi` into bins, lower keys never above higher ones; `lo` and `hi` are in
/// different bins unless they are equal.
template <class Key>
class ruler;

template <>
class ruler<double> {
public:
  ruler(double lo, double hi, int num_bins) : lo_(lo), last_(num_bins - 1) {
    if (hi - lo < 0x1p-500)
      boost_ = 0x1p500;
    if (hi > lo)
      scale_ = num_bins / ((hi - lo) * boost_);
  }

  int bin(double key) const {
    return std::min(static_cast<int>((key - lo_) * boost_ * scale_), last_);
  }

private:
  double lo_, boost_ = 1, scale_ = 0;
  int last_;
};

template <>
class ruler<global_id> {
public:
  ruler(global_id lo, global_id hi, int num_bins)
      : lo_(lo), shift_(std::max(0, num_bits(hi - lo) - num_bits(num_bins - 1))) {}

  int bin(global_id key) const { return static_cast<int>((key - lo_) >> shift_); }

private:
  static int num_bits(std::int64_t value) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value)));
  }

  global_id lo_;
  int shift_;
};

using bin_number = std::uint16_t;

/// The points among which a cut is searched.
template <class Key>
struct candidates {
  std::span<Key const> keys;
  std::span<std::int64_t const> weights; ///< or empty: all 1
  std::span<local_id const> origins;
};

/// Memory for the candidates that are left after a round.
template <class Key>
struct candidate_list {
  std::vector<Key> keys;
  std::vector<std::int64_t> weights;
  std::vector<local_id> origins;

  operator candidates<Key>() const { return {keys, weights, origins}; }
};

/// The state of the search for a segment's cut.
struct progress {
  std::int64_t target = 0;  ///< weight to go left
  std::int64_t below = 0;   ///< weight before all candidates
  std::int64_t inside = 0;  ///< weight of all candidates
  bool is_weighted = false; ///< some rank has weights; this one may have no candidates
  bool is_counted = false;  ///< target and inside are known
  bool takes_all = false;   ///< all candidates go left, and the target is met
  bool is_found = false;
};

/// The search for a segment's cut among its candidates.
template <class Key>
struct search {
  progress at;
  candidates<Key> pool;
  candidate_list<Key> kept;
  std::vector<bin_number> bins; ///< [pool.keys.size()] of the last histogram
  Key lo{}, hi{};               ///< of the candidates of all ranks
};

/// num_left / num_parts of `total`, rounded to the nearest.
std::int64_t share(std::int64_t total, segment const& group) {
  std::int64_t const parts = group.num_parts, left = group.num_left();
  return total / parts * left + (total % parts * left + parts / 2) / parts;
}

template <class Key>
using searches = std::vector<search<Key>>;

template <class Key>
std::vector<search<Key>*> unfinished(searches<Key>& all) {
  std::vector<search<Key>*> left;
  for (search<Key>& cut : all)
    if (!cut.at.is_found)
      left.push_back(&cut);
  return left;
}

/// Smallest and largest candidates of all ranks.
template <class Key>
void find_bounds(mpi::comm_view all, std::span<search<Key>* const> active) {
  constexpr Key most = std::numeric_limits<Key>::max();
  std::vector<Key> bounds;
  for (auto const* cut : active) {
    Key lo = most, hi = -most;
    for (Key const key : cut->pool.keys) {
      lo = key < lo ? key : lo;
      hi = hi < key ? key : hi;
    }
    bounds.push_back(-lo);
    bounds.push_back(hi);
  }
  mpi::allreduce(all, std::span(bounds), MPI_MAX);
  for (int s = 0; s < std::ssize(active); ++s) {
    active[s]->lo = -bounds[2 * s];
    active[s]->hi = bounds[2 * s + 1];
  }
}

/// The number of bins for each segment: the fewer, the more segments, which then have few points.
int bins_for(std::size_t num_segments) {
  constexpr std::size_t most_bins = 1 << 11, fewest_bins = 1 << 5, bins_of_all = 1 << 16;
  return static_cast<int>(std::clamp(std::bit_floor(bins_of_all / num_segments), fewest_bins,
                                     most_bins));
}

/// Sorts the candidates into bins and adds their weights to `sums`.
template <class Key>
void count(search<Key>& cut, ruler<Key> const& sorted, std::int64_t* sums) {
  candidates<Key> const& pool = cut.pool;
  cut.bins.resize(pool.keys.size());
  for (std::int64_t i = 0; i < std::ssize(pool.keys); ++i)
    cut.bins[i] = static_cast<bin_number>(sorted.bin(pool.keys[i]));
  if (pool.weights.empty())
    for (bin_number const bin : cut.bins)
      ++sums[bin];
  else
    for (std::int64_t i = 0; i < std::ssize(cut.bins); ++i)
      sums[cut.bins[i]] += pool.weights[i];
}

/// Keeps only the candidates of one bin.
template <class Key>
void keep_bin(search<Key>& cut, int bin) {
  candidate_list<Key> kept;
  for (std::int64_t i = 0; i < std::ssize(cut.bins); ++i)
    if (cut.bins[i] == bin) {
      kept.keys.push_back(cut.pool.keys[i]);
      kept.origins.push_back(cut.pool.origins[i]);
      if (!cut.pool.weights.empty())
        kept.weights.push_back(cut.pool.weights[i]);
    }
  cut.kept = std::move(kept);
  cut.pool = cut.kept;
}

/// Finds the bin of the cut among the weights of `bins`.
template <class Key>
void narrow(search<Key>& cut, std::span<std::int64_t const> bins) {
  int bin = 0;
  while (cut.at.below + bins[bin] < cut.at.target)
    cut.at.below += bins[bin++];
  cut.at.inside = bins[bin];
  cut.at.takes_all = !cut.at.is_weighted && cut.at.below + cut.at.inside == cut.at.target;
  keep_bin(cut, bin);
}

/// Makes one histogram for every search. The first histogram gives `set_target` the weight of the
/// segment.
template <class Key, class SetTarget>
void refine(mpi::comm_view all, std::span<search<Key>* const> active, SetTarget set_target) {
  int const num_bins = bins_for(active.size());
  std::int64_t const stride = num_bins;
  std::vector<std::int64_t> bins(stride * active.size());
  for (int s = 0; s < std::ssize(active); ++s)
    count(*active[s], ruler<Key>(active[s]->lo, active[s]->hi, num_bins), bins.data() + s * stride);
  mpi::allreduce(all, std::span(bins), MPI_SUM);
  for (int s = 0; s < std::ssize(active); ++s) {
    std::span const own = std::span<std::int64_t const>(bins).subspan(s * stride, stride);
    if (!active[s]->at.is_counted)
      set_target(*active[s], std::accumulate(own.begin(), own.end(), std::int64_t{0}));
    if (!active[s]->at.is_found)
      narrow(*active[s], own);
  }
}

/// Runs all searches until each has its cut at the key `hi`: after all candidates if takes_all,
/// otherwise among candidates that all have this key.
template <class Key, class SetTarget>
void run(mpi::comm_view all, searches<Key>& every, SetTarget set_target) {
  for (auto active = unfinished(every); !active.empty(); active = unfinished(every)) {
    find_bounds<Key>(all, active);
    for (auto* cut : active)
      cut->at.is_found = cut->at.is_counted && (cut->at.takes_all || cut->lo == cut->hi);
    auto const open = unfinished(every);
    if (!open.empty())
      refine<Key>(all, open, set_target);
  }
}

/// Finds each segment's cut among the keys.
searches<double> search_keys(mpi::comm_view all, segmented_points const& points,
                             std::span<double const> keys) {
  constexpr double before_all = -std::numeric_limits<double>::infinity();
  auto const& segments = points.segments();
  auto const& arrays = points.arrays();
  searches<double> found(segments.size());
  for (int s = 0; s < std::ssize(segments); ++s) {
    auto const part = [&](auto const& values) {
      return values.empty() ? values : values.subspan(segments[s].begin, segments[s].size());
    };
    found[s].at.is_weighted = points.is_weighted();
    found[s].pool = {part(keys), part(arrays.weights), part(arrays.origins)};
  }
  run(all, found, [&](search<double>& cut, std::int64_t total) {
    cut.at.target = share(total, segments[&cut - found.data()]);
    cut.at.is_counted = true;
    if (cut.at.target == 0) { // nothing goes left
      cut.at.is_found = cut.at.takes_all = true;
      cut.hi = before_all;
    }
  });
  return found;
}

/// Finds the cuts that go through points whose keys tie, among their ids.
searches<global_id> search_ties(mpi::comm_view all, searches<double> const& cuts,
                                std::span<global_id const> ids) {
  searches<global_id> ties(cuts.size());
  for (int s = 0; s < std::ssize(ties); ++s) {
    ties[s].at = cuts[s].at;
    ties[s].at.is_found = cuts[s].at.takes_all;
    ties[s].kept.weights = cuts[s].kept.weights;
    ties[s].kept.origins = cuts[s].kept.origins;
    for (local_id const origin : cuts[s].kept.origins)
      ties[s].kept.keys.push_back(ids[origin]);
    ties[s].pool = ties[s].kept;
  }
  run(all, ties, [](search<global_id>&, std::int64_t) {});
  return ties;
}

/// The id at the cut: behind the candidates if they go left, before them otherwise. Candidates are
/// one point, or meet the target together.
global_id id_behind(search<global_id> const& ties) {
  progress const& at = ties.at;
  bool const goes_left = at.takes_all || at.below + at.inside - at.target <= at.target - at.below;
  return goes_left ? ties.hi + 1 : ties.hi;
}

} // namespace

std::vector<split> find_splits(mpi::comm_view all, segmented_points const& points,
                               std::span<double const> keys) {
  constexpr global_id behind_all = std::numeric_limits<global_id>::max();
  auto const cuts = search_keys(all, points, keys);
  auto const ties = search_ties(all, cuts, points.ids());
  std::vector<split> splits;
  for (int s = 0; s < std::ssize(cuts); ++s)
    splits.push_back({cuts[s].hi, cuts[s].at.takes_all ? behind_all : id_behind(ties[s])});
  return splits;
}

} // namespace seam::detail

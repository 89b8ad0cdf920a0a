#include <seam/mesh/partition/segments.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

namespace seam::detail {
namespace {

/// Sorts keys into bins, lower keys never above higher ones; `lo` and `hi` are in the first and the
/// last bin, which are different ones unless they are equal, and keys beyond these are, too.
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
    return std::clamp(static_cast<int>((key - lo_) * boost_ * scale_), 0, last_);
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
  bool takes_all = false;   ///< all candidates go left, and the target is met
  bool is_found = false;
};

/// The search for a segment's cut among its candidates.
template <class Key>
struct search {
  progress at;
  candidates<Key> pool;
  candidate_list<Key> kept;
  std::unique_ptr<bin_number[]> bins; ///< [pool.keys.size()] of the last histogram
  Key lo{}, hi{};                     ///< of the candidates of all ranks
};

/// Candidates that are sorted at once: few enough to stay in the fastest cache.
constexpr std::int64_t block_length = 1024;

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
/// @param prepare  called for candidates begin to end - 1 before their keys are read
template <class Key, class Prepare>
void count(search<Key>& cut, ruler<Key> const& sorted, std::int64_t* sums, Prepare prepare) {
  candidates<Key> const& pool = cut.pool;
  std::int64_t const length = std::ssize(pool.keys);
  cut.bins = std::make_unique_for_overwrite<bin_number[]>(length);
  for (std::int64_t begin = 0; begin < length; begin += block_length) {
    std::int64_t const end = std::min(begin + block_length, length);
    prepare(begin, end);
    for (std::int64_t i = begin; i < end; ++i)
      cut.bins[i] = static_cast<bin_number>(sorted.bin(pool.keys[i]));
    if (pool.weights.empty())
      for (std::int64_t i = begin; i < end; ++i)
        ++sums[cut.bins[i]];
    else
      for (std::int64_t i = begin; i < end; ++i)
        sums[cut.bins[i]] += pool.weights[i];
  }
}

/// Keeps only the candidates of one bin.
template <class Key>
void keep_bin(search<Key>& cut, int bin) {
  candidate_list<Key> kept;
  for (std::int64_t i = 0; i < std::ssize(cut.pool.keys); ++i)
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

/// The histograms of all ranks, [active][bins].
/// @param prepare  as for count(), with the search before the candidates
template <class Key, class Prepare>
std::vector<std::int64_t> histograms(mpi::comm_view all, std::span<search<Key>* const> active,
                                     Prepare prepare) {
  int const num_bins = bins_for(active.size());
  std::vector<std::int64_t> bins(num_bins * active.size());
  for (int s = 0; s < std::ssize(active); ++s) {
    search<Key>& cut = *active[s];
    count(cut, ruler<Key>(cut.lo, cut.hi, num_bins), bins.data() + std::ptrdiff_t{s} * num_bins,
          [&](std::int64_t begin, std::int64_t end) { prepare(s, begin, end); });
  }
  mpi::allreduce(all, std::span(bins), MPI_SUM);
  return bins;
}

std::span<std::int64_t const> histogram_of(std::vector<std::int64_t> const& bins, int s,
                                           std::size_t num_searches) {
  std::size_t const num_bins = bins.size() / num_searches;
  return std::span(bins).subspan(s * num_bins, num_bins);
}

/// Runs all searches until each has its cut at the key `hi`: after all candidates if takes_all,
/// otherwise among candidates that all have this key.
template <class Key>
void run(mpi::comm_view all, searches<Key>& every) {
  for (auto active = unfinished(every); !active.empty(); active = unfinished(every)) {
    find_bounds<Key>(all, active);
    for (auto* cut : active)
      cut->at.is_found = cut->at.takes_all || cut->lo == cut->hi;
    auto const open = unfinished(every);
    if (open.empty())
      return;
    auto const bins = histograms<Key>(all, open, [](int, std::int64_t, std::int64_t) {});
    for (int s = 0; s < std::ssize(open); ++s)
      narrow(*open[s], histogram_of(bins, s, open.size()));
  }
}

/// Finds the range of the keys of points in a box: the keys themselves may pass it by rounding.
void set_range(search<double>& cut, bounding_box const& box, direction const& onto) {
  for (int axis = 0; axis < 3; ++axis)
    if (onto[axis] != 0) {
      double const a = onto[axis] * box.lo[axis], b = onto[axis] * box.hi[axis];
      cut.lo += std::min(a, b);
      cut.hi += std::max(a, b);
    }
}

/// Begins the search for a segment's cut with the weight of each bin.
void begin(search<double>& cut, segment const& group, std::span<std::int64_t const> bins) {
  constexpr double before_all = -std::numeric_limits<double>::infinity();
  cut.at.target = share(std::accumulate(bins.begin(), bins.end(), std::int64_t{0}), group);
  if (cut.at.target == 0) { // nothing goes left
    cut.at.is_found = cut.at.takes_all = true;
    cut.hi = before_all;
  } else {
    narrow(cut, bins);
  }
}

/// Finds each segment's cut among the keys, which the first histogram makes on the way.
searches<double> search_keys(mpi::comm_view all, segmented_points const& points,
                             std::span<direction const> directions, std::span<double> keys) {
  auto const& segments = points.segments();
  auto const& arrays = points.arrays();
  searches<double> found(segments.size());
  for (int s = 0; s < std::ssize(segments); ++s) {
    auto const part = [&](auto const& values) {
      return values.empty() ? values : values.subspan(segments[s].begin, segments[s].size());
    };
    found[s].at.is_weighted = points.is_weighted();
    found[s].pool = {part(std::span<double const>(keys)), part(arrays.weights),
                     part(arrays.origins)};
    set_range(found[s], points.facts()[s].box, directions[s]);
  }
  auto const active = unfinished(found);
  auto const bins =
      histograms<double>(all, active, [&](int s, std::int64_t first, std::int64_t last) {
        std::int64_t const at = segments[s].begin;
        project(points, directions[s], at + first, at + last, keys);
      });
  for (int s = 0; s < std::ssize(segments); ++s)
    begin(found[s], segments[s], histogram_of(bins, s, segments.size()));
  run(all, found);
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
  run(all, ties);
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
                               std::span<direction const> directions, std::span<double> keys) {
  constexpr global_id behind_all = std::numeric_limits<global_id>::max();
  auto const cuts = search_keys(all, points, directions, keys);
  auto const ties = search_ties(all, cuts, points.ids());
  std::vector<split> splits;
  for (int s = 0; s < std::ssize(cuts); ++s)
    splits.push_back({cuts[s].hi, cuts[s].at.takes_all ? behind_all : id_behind(ties[s])});
  return splits;
}

} // namespace seam::detail

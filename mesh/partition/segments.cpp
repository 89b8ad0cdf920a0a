#include <seam/mesh/partition/segments.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace seam::detail {

/// Memory for all points of this rank.
struct segmented_points::storage {
  storage(std::int64_t num_points, int num_dimensions, bool is_weighted)
      : origins(std::make_unique_for_overwrite<local_id[]>(num_points)) {
    for (int axis = 0; axis < num_dimensions; ++axis)
      coordinates[axis] = std::make_unique_for_overwrite<double[]>(num_points);
    if (is_weighted)
      weights = std::make_unique_for_overwrite<std::int64_t[]>(num_points);
  }

  point_arrays view(std::int64_t num_points) const {
    point_arrays all{.origins = std::span(origins.get(), num_points)};
    for (int axis = 0; axis < 3; ++axis)
      if (coordinates[axis] != nullptr)
        all.coordinates[axis] = std::span(coordinates[axis].get(), num_points);
    if (weights != nullptr)
      all.weights = std::span(weights.get(), num_points);
    return all;
  }

  std::array<std::unique_ptr<double[]>, 3> coordinates;
  std::unique_ptr<std::int64_t[]> weights;
  std::unique_ptr<local_id[]> origins;
};

namespace {

/// New places of some points of a segment: few enough to stay in the fastest cache.
using places = std::array<std::uint32_t, 1024>;

/// Copies `from` to its places, element by element.
template <class T>
void scatter(std::span<T const> from, places const& to, T* into) {
  for (int k = 0; k < std::ssize(from); ++k)
    into[to[k]] = from[k];
}

} // namespace

segmented_points::segmented_points(point_cloud const& points, cloud_facts const& facts,
                                   int num_parts, bool wants_moments)
    : num_dimensions_(points.num_dimensions),
      weight_bits_(facts.is_weighted
                       ? 61 - std::bit_width(static_cast<std::uint64_t>(facts.num_points))
                       : 0),
      wants_moments_(wants_moments),
      measure_(points.num_dimensions, facts.num_points, weight_bits_),
      ids_(points.ids),
      first_origins_(points.ids.size()),
      points2parts_(points.ids.size()) {
  std::iota(first_origins_.begin(), first_origins_.end(), 0);
  arrays_ = {.coordinates = points.coordinates, .origins = first_origins_};
  if (facts.is_weighted) {
    int const exponent = std::ilogb(facts.largest_weight) + 1;
    for (double const weight : points.weights)
      first_weights_.push_back(std::llround(std::ldexp(weight, weight_bits_ - exponent)));
    arrays_.weights = first_weights_;
  }
  segment_facts whole;
  measure_.add(arrays_, 0, points.num_points(), whole.box);
  start_with({{.begin = 0, .end = points.num_points(), .first_part = 0, .num_parts = num_parts}},
             {whole});
}

void segmented_points::start_with(std::vector<segment> const& parts,
                                  std::vector<segment_facts> const& facts) {
  segments_.clear();
  facts_.clear();
  for (int p = 0; p < std::ssize(parts); ++p)
    if (parts[p].num_parts > 1) {
      segments_.push_back(parts[p]);
      facts_.push_back(facts[p]);
    } else {
      for (std::int64_t i = parts[p].begin; i < parts[p].end; ++i)
        points2parts_[arrays_.origins[i]] = parts[p].first_part;
    }
}

void segmented_points::agree(mpi::comm_view all) {
  agree_on_boxes(all);
  if (wants_moments_)
    agree_on_moments(all);
}

void segmented_points::agree_on_boxes(mpi::comm_view all) {
  std::vector<double> bounds;
  for (segment_facts const& own : facts_)
    for (int axis = 0; axis < num_dimensions_; ++axis) {
      bounds.push_back(-own.box.lo[axis]);
      bounds.push_back(own.box.hi[axis]);
    }
  mpi::allreduce(all, std::span(bounds), MPI_MAX);
  auto next = bounds.begin();
  for (segment_facts& whole : facts_)
    for (int axis = 0; axis < num_dimensions_; ++axis) {
      whole.box.lo[axis] = -*next++;
      whole.box.hi[axis] = *next++;
    }
}

/// Measures anew what has been measured by too long steps: all points at first, a small part of a
/// segment.
void segmented_points::agree_on_moments(mpi::comm_view all) {
  std::vector<std::int64_t> sums;
  for (int s = 0; s < std::ssize(facts_); ++s) {
    segment_facts& own = facts_[s];
    if (measure_.is_place(own.box)) {
      own.sums = {};
    } else if (!measure_.is_fine(own.box, own.steps_of)) {
      own.steps_of = own.box;
      own.sums = {};
      measure_.add(arrays_, segments_[s].begin, segments_[s].end, own.steps_of, own.sums);
    }
    sums.insert(sums.end(), own.sums.begin(), own.sums.end());
  }
  mpi::allreduce(all, std::span(sums), MPI_SUM);
  for (int s = 0; s < std::ssize(facts_); ++s)
    std::copy_n(sums.begin() + std::ptrdiff_t{s} * num_moments, num_moments,
                facts_[s].sums.begin());
}

/// Measures points that have just been moved, and lie in the cache.
void segmented_points::measure(std::int64_t begin, std::int64_t end, segment_facts& facts) const {
  point_arrays const moved = next_->view(std::ssize(ids_));
  measure_.add(moved, begin, end, facts.box);
  if (wants_moments_ && !measure_.is_place(facts.steps_of))
    measure_.add(moved, begin, end, facts.steps_of, facts.sums);
}

/// Copies the points of a segment to the next arrays, left ones from its begin on and right ones
/// from its end down, and returns the place between them.
/// @param halves  what is known of left and right ones
std::int64_t segmented_points::move(segment const& group, std::span<double const> keys,
                                    split const& at, std::array<segment_facts, 2>& halves) {
  places to;
  auto left = static_cast<std::uint32_t>(group.begin),
       right = static_cast<std::uint32_t>(group.end);
  for (std::int64_t begin = group.begin; begin < group.end; begin += std::ssize(to)) {
    std::int64_t const length = std::min(std::ssize(to), group.end - begin);
    auto const left_before = left, right_before = right;
    for (int k = 0; k < length; ++k) {
      std::uint32_t const is_left = goes_left(keys[begin + k], begin + k, at) ? 1 : 0;
      right -= 1 - is_left;
      to[k] = right ^ ((right ^ left) & (0 - is_left)); // a choice that no branch has to predict
      left += is_left;
    }
    for (int axis = 0; axis < num_dimensions_; ++axis)
      scatter(arrays_.coordinates[axis].subspan(begin, length), to, next_->coordinates[axis].get());
    scatter(arrays_.origins.subspan(begin, length), to, next_->origins.get());
    if (next_->weights != nullptr)
      scatter(arrays_.weights.subspan(begin, length), to, next_->weights.get());
    measure(left_before, left, halves[0]);
    measure(right, right_before, halves[1]);
  }
  return left;
}

/// Assigns the points of a segment of two parts to these, which are not divided further.
void segmented_points::assign(segment const& group, std::span<double const> keys, split const& at) {
  for (std::int64_t i = group.begin; i < group.end; ++i)
    points2parts_[arrays_.origins[i]] = group.first_part + (goes_left(keys[i], i, at) ? 0 : 1);
}

void segmented_points::divide(std::span<double const> keys, std::span<split const> splits) {
  if (next_ == nullptr)
    next_ = std::make_shared<storage>(ids_.size(), num_dimensions_, !arrays_.weights.empty());
  std::vector<segment> parts;
  std::vector<segment_facts> facts;
  for (int s = 0; s < std::ssize(segments_); ++s) {
    segment const& group = segments_[s];
    if (group.num_parts == 2) {
      assign(group, keys, splits[s]);
      continue;
    }
    std::array<segment_facts, 2> halves;
    halves.fill({.steps_of = facts_[s].box});
    std::int64_t const middle = move(group, keys, splits[s], halves);
    facts.insert(facts.end(), halves.begin(), halves.end());
    int const num_left = group.num_left();
    parts.push_back({group.begin, middle, group.first_part, num_left});
    parts.push_back({middle, group.end, group.first_part + num_left, group.num_parts - num_left});
  }
  std::swap(current_, next_);
  arrays_ = current_->view(ids_.size());
  start_with(parts, facts);
}

} // namespace seam::detail

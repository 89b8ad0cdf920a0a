#include <seam/mesh/partition/segments.hpp>

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
                                   int num_parts)
    : num_dimensions_(points.num_dimensions),
      num_points_of_all_(facts.num_points),
      ids_(points.ids),
      first_origins_(points.ids.size()),
      points2parts_(points.ids.size()) {
  std::iota(first_origins_.begin(), first_origins_.end(), 0);
  arrays_ = {.coordinates = points.coordinates, .origins = first_origins_};
  if (facts.is_weighted) {
    int const number_bits = std::bit_width(static_cast<std::uint64_t>(facts.num_points));
    weight_bits_ = 61 - number_bits;
    int const exponent = std::ilogb(facts.largest_weight) + 1;
    for (double const weight : points.weights)
      first_weights_.push_back(std::llround(std::ldexp(weight, weight_bits_ - exponent)));
    arrays_.weights = first_weights_;
  }
  start_with({{.begin = 0, .end = points.num_points(), .first_part = 0, .num_parts = num_parts}});
}

void segmented_points::start_with(std::vector<segment> const& parts) {
  segments_.clear();
  for (segment const& part : parts)
    if (part.num_parts > 1)
      segments_.push_back(part);
    else
      for (std::int64_t i = part.begin; i < part.end; ++i)
        points2parts_[arrays_.origins[i]] = part.first_part;
}

/// Copies the points of a segment to the next arrays, left ones from its begin on and right ones
/// from its end down, and returns the place between them.
std::int64_t segmented_points::move(segment const& group, std::span<double const> keys,
                                    split const& at) {
  places to;
  auto left = static_cast<std::uint32_t>(group.begin),
       right = static_cast<std::uint32_t>(group.end);
  for (std::int64_t begin = group.begin; begin < group.end; begin += std::ssize(to)) {
    std::int64_t const length = std::min(std::ssize(to), group.end - begin);
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
  for (int s = 0; s < std::ssize(segments_); ++s) {
    segment const& group = segments_[s];
    if (group.num_parts == 2) {
      assign(group, keys, splits[s]);
      continue;
    }
    std::int64_t const middle = move(group, keys, splits[s]);
    int const num_left = group.num_left();
    parts.push_back({group.begin, middle, group.first_part, num_left});
    parts.push_back({middle, group.end, group.first_part + num_left, group.num_parts - num_left});
  }
  std::swap(current_, next_);
  arrays_ = current_->view(ids_.size());
  start_with(parts);
}

} // namespace seam::detail

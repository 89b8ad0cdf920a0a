/// Segments: a rank's points, sorted by the group of parts that they belong to. Each level of a
/// recursive bisection divides all segments at once; a segment of one part is not cut further.
///
///     coordinates  |  segment 0  | 1 |    segment 2    | ...
///                   begin     end                          points of this rank
#pragma once

#include <seam/mesh/partition/moments.hpp>
#include <seam/mesh/partition/point_cloud.hpp>

#include <memory>
#include <vector>

namespace seam::detail {

/// Points of parts first_part to first_part + num_parts - 1. The parts are the same on all ranks.
struct segment {
  std::int64_t begin = 0, end = 0; ///< this rank's points
  int first_part = 0, num_parts = 1;

  std::int64_t size() const noexcept { return end - begin; }
  int num_left() const noexcept { return num_parts / 2; }
};

/// What is known of a segment's points: of all ranks, once segmented_points::agree() was called.
struct segment_facts {
  bounding_box box = empty_box;
  bounding_box steps_of = empty_box; ///< that sums count in
  moments sums{};                    ///< zeros if all points lie in one place
};

/// The place at which a segment is cut: points whose (key, id) is less go left.
struct split {
  double key = 0;
  global_id id = 0;
};

/// The points of a cloud, sorted into segments until each segment is a part.
///
/// Nothing is copied before the first division. Weights become integers, so that sums do not depend
/// on their order: in units of 2^-s, with s such that the sum of all weights stays below 2^62.
/// Boxes and moments of segments are found while points are moved to them, in the cache.
class segmented_points {
public:
  /// @param wants_moments  false: only boxes are found
  segmented_points(point_cloud const& points, cloud_facts const& facts, int num_parts,
                   bool wants_moments);

  int num_dimensions() const noexcept { return num_dimensions_; }
  point_arrays const& arrays() const noexcept { return arrays_; }

  /// Segments of more than one part, in the same order on all ranks.
  std::vector<segment> const& segments() const noexcept { return segments_; }

  /// Of each of segments(), after agree().
  std::vector<segment_facts> const& facts() const noexcept { return facts_; }

  /// Makes facts() those of all ranks' points.
  /// Collective: over `all` (an allreduce, and another for moments).
  void agree(mpi::comm_view all);

  /// Whether any rank has a weight above 0. The same on all ranks.
  bool is_weighted() const noexcept { return weight_bits_ > 0; }

  /// Global ids in the order of the caller, which arrays().origins refer to.
  std::span<global_id const> ids() const noexcept { return ids_; }

  /// Cuts each segment in two.
  /// @param keys    [points] in the order of arrays()
  /// @param splits  [segments]
  void divide(std::span<double const> keys, std::span<split const> splits);

  /// Part of each point in the order of the caller, once there are no more segments.
  std::vector<int> take_parts() { return std::move(points2parts_); }

private:
  struct storage;

  void start_with(std::vector<segment> const& parts, std::vector<segment_facts> const& facts);
  std::int64_t move(segment const& group, std::span<double const> keys, split const& at,
                    std::array<segment_facts, 2>& halves);
  void measure(std::int64_t begin, std::int64_t end, segment_facts& facts) const;
  void agree_on_boxes(mpi::comm_view all);
  void agree_on_moments(mpi::comm_view all);
  void assign(segment const& group, std::span<double const> keys, split const& at);
  bool goes_left(double key, std::int64_t point, split const& at) const {
    if (key == at.key) [[unlikely]]
      return ids_[arrays_.origins[point]] < at.id;
    return key < at.key;
  }

  int num_dimensions_, weight_bits_ = 0;
  bool wants_moments_;
  point_measure measure_;
  std::span<global_id const> ids_;
  std::vector<local_id> first_origins_;
  std::vector<std::int64_t> first_weights_;
  point_arrays arrays_;
  std::shared_ptr<storage> current_, next_;
  std::vector<segment> segments_;
  std::vector<segment_facts> facts_;
  std::vector<int> points2parts_;
};

/// A direction to cut across; points are ordered by their product with it. Axes that the cloud
/// lacks are 0.
using direction = std::array<double, 3>;

/// The unit vector along a coordinate axis.
direction along(int axis);

/// The axis of each segment about which its points have the least moment of inertia, that is along
/// which they vary most. Where two axes differ by less than a tenth, a coordinate axis is taken if
/// there is one as good.
/// Source: H. Simon: Partitioning of unstructured problems for parallel processing. Computing
/// Systems in Engineering, 1991 (recursive inertial bisection).
std::vector<direction> find_inertial_axes(segmented_points const& points);

/// The products of points begin to end - 1 with a direction.
/// @param keys  [points]
void project(segmented_points const& points, direction const& onto, std::int64_t begin,
             std::int64_t end, std::span<double> keys);

/// Finds the split of each segment that puts num_left() / num_parts of its weight on the left, as
/// closely as its points allow.
///
/// The split is exact: a place in the order by (key, id), whatever ranks the points are on. Of two
/// places equally close the right one is taken. Points of equal weight are divided so that no two
/// parts will differ by more than one point.
///
/// Points are ordered by their products with the direction of their segment, their keys. A histogram of
/// each segment's keys tells which bin holds the cut. The points of that bin are sorted into finer bins,
/// until one key is left or the cut falls between two bins. Points with the same key are divided by
/// their ids in the same way. The number of collective calls depends on the keys, not on the number of
/// ranks or segments.
/// @param directions  [segments]
/// @param keys        [points] set here, in the order of points.arrays()
/// Collective: over `all`.
/// Cost: an allreduce, then about two rounds of two.
/// Source: histogram refinement as in parallel selection and sample sort (Saukas and Song 1998).
std::vector<split> find_splits(mpi::comm_view all, segmented_points const& points,
                               std::span<direction const> directions, std::span<double> keys);

} // namespace seam::detail

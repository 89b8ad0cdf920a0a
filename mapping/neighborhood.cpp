#include <seam/mapping/neighborhood.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <variant>

namespace seam {
using namespace detail;

namespace {

/// All offsets between two distances.
struct ball {
  metric distance;
  int shadow, depth;

  friend bool operator==(ball const&, ball const&) = default;
};

/// Visits the offsets between two distances in lexicographic order.
class ball_walk {
public:
  ball_walk(metric distance, int shadow, int depth, int num_dimensions)
      : distance_(distance),
        shadow_(shadow),
        depth_(depth),
        offset_(num_dimensions),
        found_(num_dimensions) {
    extend(0, 0);
  }

  offset_list const& found() const { return found_; }

private:
  void extend(int axis, int distance) {
    if (axis == std::ssize(offset_)) {
      if (distance >= shadow_)
        found_.push_back(offset_);
      return;
    }
    int const room = distance_ == metric::manhattan ? depth_ - distance : depth_;
    for (int x = -room; x <= room; ++x) {
      offset_[axis] = x;
      extend(axis + 1, distance_ == metric::manhattan ? distance + std::abs(x)
                                                      : std::max(distance, std::abs(x)));
    }
  }

  metric distance_;
  int shadow_, depth_;
  std::vector<int> offset_;
  offset_list found_;
};

/// Number of offsets within `depth`: (2 depth + 1)^d in a cube, the sum of 2^k C(d, k) C(depth, k)
/// in a diamond, whose points have k entries that are not zero.
double num_within(metric distance, int depth, int num_dimensions) {
  double cube = 1, diamond = 1, with_k_entries = 1;
  for (int k = 0; k < num_dimensions; ++k) {
    cube *= 2.0 * depth + 1;
    with_k_entries *= 2.0 * (num_dimensions - k) * (depth - k) / ((k + 1.0) * (k + 1.0));
    diamond += with_k_entries;
  }
  return distance == metric::manhattan ? diamond : cube;
}

/// The offsets in a box.
std::vector<std::vector<int>> offsets_in(std::vector<from_to> const& box) {
  double count = 1;
  for (auto const& [from, to] : box) {
    if (to < from)
      refuse(fmt::format("neighborhood: a range from {} to {} (expected an end that is not before "
                         "the beginning)",
                         from, to));
    count *= static_cast<double>(to) - from + 1;
  }
  if (count > neighborhood::most_offsets)
    refuse(fmt::format("neighborhood: a range of about {:.2g} offsets (expected at most {})", count,
                       neighborhood::most_offsets));
  std::vector<std::vector<int>> all{{}};
  for (auto const& [from, to] : box) {
    std::vector<std::vector<int>> longer;
    for (auto const& offset : all)
      for (int x = from; x <= to; ++x) {
        longer.push_back(offset);
        longer.back().push_back(x);
      }
    all = std::move(longer);
  }
  return all;
}

} // namespace

struct neighborhood::declaration {
  std::variant<ball, offset_list> offsets;
};

neighborhood::neighborhood(declaration declared)
    : declared_(std::make_shared<declaration>(std::move(declared))) {}

bool operator==(neighborhood const& a, neighborhood const& b) {
  return a.declared_->offsets == b.declared_->offsets;
}

std::vector<reach> neighborhood::radius(int num_dimensions) const {
  return expand(num_dimensions).radius();
}

offset_list neighborhood::expand(int num_dimensions) const {
  if (num_dimensions < 0)
    refuse(fmt::format("neighborhood: {} dimensions (expected 0 or more)", num_dimensions));
  if (auto const* given = std::get_if<offset_list>(&declared_->offsets)) {
    if (given->empty())
      return offset_list(num_dimensions);
    if (given->num_dimensions() != num_dimensions)
      refuse(fmt::format("neighborhood: offsets of {} numbers for a grid of {} dimensions",
                         given->num_dimensions(), num_dimensions));
    return *given;
  }
  auto const& [distance, shadow, depth] = std::get<ball>(declared_->offsets);
  double const count = num_within(distance, depth, num_dimensions);
  if (count > most_offsets)
    refuse(fmt::format("neighborhood: depth {} in {} dimensions: about {:.2g} offsets (expected at "
                       "most {})",
                       depth, num_dimensions, count, most_offsets));
  return ball_walk(distance, shadow, depth, num_dimensions).found();
}

neighborhood metric_neighborhood(metric distance, int shadow, int depth) {
  if (shadow < 0 || shadow > depth)
    refuse(fmt::format("neighborhood: distances {} to {} (expected 0 <= shadow <= depth)", shadow,
                       depth));
  return neighborhood({ball{distance, shadow, depth}});
}

neighborhood von_neumann(int depth) { return metric_neighborhood(metric::manhattan, 1, depth); }

neighborhood moore(int depth) { return metric_neighborhood(metric::chebyshev, 1, depth); }

neighborhood range(from_to i) { return offsets(offsets_in({i})); }
neighborhood range(from_to i, from_to j) { return offsets(offsets_in({i, j})); }
neighborhood range(from_to i, from_to j, from_to k) { return offsets(offsets_in({i, j, k})); }

neighborhood offsets(std::vector<std::vector<int>> const& list, std::vector<int> const& weights) {
  if (!weights.empty() && weights.size() != list.size())
    refuse(fmt::format("neighborhood: {} weights for {} offsets (expected as many, or none)",
                       weights.size(), list.size()));
  offset_list given(list.empty() ? 0 : static_cast<int>(list.front().size()));
  for (int i = 0; i < std::ssize(list); ++i)
    given.push_back(list[i], weights.empty() ? 1 : weights[i]);
  return neighborhood({std::move(given)});
}

} // namespace seam

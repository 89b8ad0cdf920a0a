#include <seam/mapping/neighbors.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace seam {
using namespace detail;

namespace {

bool is_zero(std::span<int const> offset) {
  return std::ranges::count(offset, 0) == std::ssize(offset);
}

bool has_zero(offset_list const& offsets) {
  for (int i = 0; i < offsets.size(); ++i)
    if (is_zero(offsets[i]))
      return true;
  return false;
}

int sum_of_weights(std::int64_t a, std::int64_t b) {
  constexpr int most = std::numeric_limits<int>::max();
  if (a + b > most)
    refuse(fmt::format("neighborhood: merged weights {} and {} exceed {}", a, b, most));
  return static_cast<int>(a + b);
}

offset_list expanded(CartesianNaming const& naming, neighborhood const& around,
                     duplicates repeated) {
  auto offsets = around.expand(naming.num_dimensions());
  return repeated == duplicates::merge ? merge_duplicates(naming, offsets) : offsets;
}

std::vector<edge> edges_along(CartesianNaming const& naming, int rank, offset_list const& offsets) {
  std::vector<edge> edges;
  if (!naming.is_named(rank))
    return edges;
  for (int i = 0; i < offsets.size(); ++i)
    if (int const other = naming.relative_rank(rank, offsets[i]); other != MPI_PROC_NULL)
      edges.push_back({other, offsets.weight(i)});
  return edges;
}

} // namespace

offset_list merge_duplicates(CartesianNaming const& naming, offset_list const& offsets) {
  std::map<std::vector<int>, int> points2merged;
  std::vector<std::span<int const>> firsts;
  std::vector<int> weights;
  bool const keeps_self = has_zero(offsets);
  for (int i = 0; i < offsets.size(); ++i) {
    auto const point = naming.normalized(offsets[i]);
    if (is_zero(point) && !keeps_self)
      continue;
    auto const [found, is_new] = points2merged.try_emplace(point, firsts.size());
    if (is_new) {
      firsts.push_back(offsets[i]);
      weights.push_back(0);
    }
    weights[found->second] = sum_of_weights(weights[found->second], offsets.weight(i));
  }
  offset_list merged(offsets.num_dimensions());
  for (int k = 0; k < std::ssize(firsts); ++k)
    merged.push_back(firsts[k], weights[k]);
  return merged;
}

offset_list neighbors(CartesianNaming const& naming, int rank, offset_list const& offsets) {
  offset_list leading(offsets.num_dimensions());
  if (!naming.is_named(rank))
    return leading;
  for (int i = 0; i < offsets.size(); ++i)
    if (naming.relative_rank(rank, offsets[i]) != MPI_PROC_NULL)
      leading.push_back(offsets[i], offsets.weight(i));
  return leading;
}

offset_list neighbors(CartesianNaming const& naming, int rank, neighborhood const& around,
                      duplicates repeated) {
  return neighbors(naming, rank, expanded(naming, around, repeated));
}

Topology make_topology(CartesianNaming const& naming, int rank, neighborhood const& around,
                       duplicates repeated) {
  auto const offsets = expanded(naming, around, repeated);
  return Topology::graph(edges_along(naming, rank, offsets.inverse()),
                         edges_along(naming, rank, offsets));
}

} // namespace seam

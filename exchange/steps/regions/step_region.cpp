#include <seam/exchange/steps/regions/step_region.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace seam::detail {
namespace {

bool overlap(box3 const& first, box3 const& second) {
  for (int a = 0; a < 3; ++a)
    if (std::max(first.lo[a], second.lo[a]) >= std::min(first.hi[a], second.hi[a]))
      return false;
  return true;
}

/// Whether two ascending lists share an id. Each is searched for the other's next id, so that runs of
/// ids cost little.
bool share_an_id(std::span<local_id const> a, std::span<local_id const> b) {
  auto of_a = a.begin();
  auto of_b = b.begin();
  while (of_a != a.end() && of_b != b.end()) {
    if (*of_a == *of_b)
      return true;
    if (*of_a < *of_b)
      of_a = std::lower_bound(of_a, a.end(), *of_b);
    else
      of_b = std::lower_bound(of_b, b.end(), *of_a);
  }
  return false;
}

/// A list made of two by an algorithm on ranges that ascend; one of them, if it is equal.
template <class Combine>
step_region combined(step_region const& a, step_region const& b, Combine const& combine) {
  id_list made;
  combine(a.ids(), b.ids(), std::back_inserter(made));
  for (step_region const* const one : {&b, &a})
    if (std::ranges::equal(made, one->ids()))
      return *one;
  return list_of(std::move(made));
}

} // namespace

step_region::step_region(std::shared_ptr<id_list const> ids) : ids_(std::move(ids)) {
  if (!ids_->empty())
    box_ = {{0, 0, ids_->front()}, {1, 1, std::int64_t{ids_->back()} + 1}};
}

step_region list_of(id_list ids) {
  return step_region(std::make_shared<id_list const>(std::move(ids)));
}

bool meets(step_region const& a, step_region const& b) {
  return overlap(a.box(), b.box()) &&
         (!a.is_list() || !b.is_list() || share_an_id(a.ids(), b.ids()));
}

bool holds(step_region const& all, step_region const& part) {
  if (part.is_empty())
    return true;
  bool const has_gaps = all.is_list() && all.box().num_cells() > all.size();
  if (has_gaps && part.is_list())
    return std::ranges::includes(all.ids(), part.ids());
  for (int a = 0; a < 3; ++a)
    if (part.box().lo[a] < all.box().lo[a] || part.box().hi[a] > all.box().hi[a])
      return false;
  return true;
}

step_region intersection(step_region const& a, step_region const& b) {
  if (a.is_list() && b.is_list()) {
    auto const both = intersection(a.box(), b.box());
    auto const within = [&](std::span<local_id const> ids) {
      return std::span(std::ranges::lower_bound(ids, both.lo[2]),
                       std::ranges::lower_bound(ids, both.hi[2]));
    };
    return combined(a, b, [&](auto const& of_a, auto const& of_b, auto into) {
      if (!both.is_empty())
        std::ranges::set_intersection(within(of_a), within(of_b), into);
    });
  }
  return intersection(a.box(), b.box());
}

step_region hull(step_region const& a, step_region const& b) {
  if (a.is_empty())
    return b;
  if (b.is_empty())
    return a;
  if (a.is_list())
    return combined(a, b, std::ranges::set_union);
  return hull(a.box(), b.box());
}

std::vector<step_region> difference(step_region const& all, step_region const& hole) {
  if (all.is_list() && hole.is_list())
    return {combined(all, hole, std::ranges::set_difference)};
  auto const rest = difference(all.box(), hole.box());
  return {rest.begin(), rest.end()};
}

std::vector<step_region> rest_of(step_region const& all, std::vector<step_region> const& parts) {
  std::vector<step_region> rest{all};
  for (step_region const& part : parts) {
    std::vector<step_region> left;
    for (step_region const& piece : rest)
      std::ranges::copy(difference(piece, intersection(piece, part)), std::back_inserter(left));
    rest = std::move(left);
  }
  std::erase_if(rest, [](step_region const& piece) { return piece.is_empty(); });
  return rest;
}

} // namespace seam::detail

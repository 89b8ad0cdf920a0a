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

/// Whether two ascending lists share an id. The longer one is searched.
bool share_an_id(std::span<local_id const> few, std::span<local_id const> many) {
  if (few.size() > many.size())
    std::swap(few, many);
  auto at = many.begin();
  for (local_id const id : few) {
    at = std::lower_bound(at, many.end(), id);
    if (at == many.end())
      return false;
    if (*at == id)
      return true;
  }
  return false;
}

/// A list made of two by an algorithm on ranges that ascend.
template <class Combine>
step_region combined(step_region const& a, step_region const& b, Combine const& combine) {
  id_list made;
  combine(a.ids(), b.ids(), std::back_inserter(made));
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
  if (all.is_list() && part.is_list())
    return std::ranges::includes(all.ids(), part.ids());
  return intersection(part.box(), all.box()) == part.box();
}

step_region intersection(step_region const& a, step_region const& b) {
  if (a.is_list() && b.is_list())
    return combined(a, b, std::ranges::set_intersection);
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

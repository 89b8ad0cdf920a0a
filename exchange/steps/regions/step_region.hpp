/// Step regions: places of a space, or values of an array: a box of three axes, or a list of ids.
///
///     step_region(box3{{0, 2, 0}, {1, 4, 9}})     of grids: the axes that one lacks have index 0
///     step_region(list_of({3, 4, 7}))             of meshes: ids ascend, once each
///
/// A list also has a box, which holds its ids on the last axis; two regions meet only if their boxes do.
#pragma once

#include <seam/exchange/numbering/ids.hpp>
#include <seam/exchange/steps/regions/three_axes.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace seam::detail {

using id_list = std::vector<local_id>;

/// An immutable value.
class step_region {
public:
  /// No places.
  step_region() = default;
  step_region(box3 const& all) : box_(all) {}

  /// @param ids  ascending, once each
  explicit step_region(std::shared_ptr<id_list const> ids);

  bool is_list() const noexcept { return ids_ != nullptr; }
  bool is_empty() const noexcept { return box_.is_empty(); }
  std::int64_t size() const noexcept { return ids_ ? std::ssize(*ids_) : box_.num_cells(); }

  /// The box, or the smallest one that holds all ids.
  box3 const& box() const noexcept { return box_; }

  /// The ids of a list.
  std::span<local_id const> ids() const noexcept { return *ids_; }

  friend bool operator==(step_region const& a, step_region const& b) {
    return a.box_ == b.box_ && (a.ids_ == b.ids_ || (a.ids_ && b.ids_ && *a.ids_ == *b.ids_));
  }

private:
  box3 box_;
  std::shared_ptr<id_list const> ids_; ///< null: all of the box
};

/// A region of ids.
step_region list_of(id_list ids);

/// Whether regions, both boxes or both lists, share a place; whether one holds all places of another.
bool meets(step_region const& a, step_region const& b);
bool holds(step_region const& all, step_region const& part);

/// The places that are in both.
step_region intersection(step_region const& a, step_region const& b);

/// The smallest region that holds both: lists joined, or a box. One of them if the other is empty.
step_region hull(step_region const& a, step_region const& b);

/// The places of `all` that are not in `hole`, which lies inside it, as disjoint regions.
std::vector<step_region> difference(step_region const& all, step_region const& hole);

/// The places of `all` outside `parts`, which are disjoint.
std::vector<step_region> rest_of(step_region const& all, std::vector<step_region> const& parts);

} // namespace seam::detail

#include <seam/exchange/steps/program/step_recorder.hpp>
#include <seam/stencil/roles/finite_watch.hpp>
#include <seam/stencil/roles/kernel_body.hpp>
#include <seam/stencil/space/grid_kernels.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace seam::detail {
namespace {

/// Copies the values of a tile that the kernel does not write from old memory to new.
void carry_others(step_kernel const& kernel, tile_call const& call) {
  for (carried_access const& carried : kernel.carried) {
    bound_access const& bound = call.accesses[carried.access];
    if (bound.read == bound.write)
      continue;
    box3 const cells = grid_of(kernel).relative(grid_of(kernel).values_at(
        shift(call.cells, grid_of(kernel).first()), {kernel.accesses[carried.access].kind}));
    for (int c = carried.first; c < carried.end; ++c)
      for_each_row(cells, [&](index3 const& first, std::int64_t end) {
        std::int64_t offset = c * bound.component_stride;
        for (int a = 0; a < 3; ++a)
          offset += first[a] * bound.stride[a];
        std::memcpy(bound.write + offset * carried.bytes, bound.read + offset * carried.bytes,
                    (end - first[2]) * carried.bytes);
      });
  }
}

/// The index in the domain of the place with index `k` on the last axis.
index3 index_at(grid_space const& grid, index3 first, std::int64_t k) {
  first[2] = k;
  for (int a = 0; a < 3; ++a) {
    first[a] += grid.first()[a];
    if (grid.is_periodic(a))
      first[a] = floor_modulo(first[a], grid.cells()[a]);
  }
  return first;
}

/// The index of the place with index 0, as the places from `k` to the end of a period have it.
index3 row_at(grid_space const& grid, index3 const& first, std::int64_t k) {
  index3 index = index_at(grid, first, k);
  index[2] -= k;
  return index;
}

class tile_walk {
public:
  tile_walk(kernel_body const& body, step_kernel const& kernel, tile_call const& call)
      : kernel_(kernel), grid_(grid_of(kernel)), call_(call), body_(body), traits_(body.traits) {
    if (kernel.recorders)
      recorder_ = &(*kernel.recorders)[call.worker];
    run_.arguments = kernel.arguments.data();
    run_.call = &call_;
    run_.space = &grid_;
    run_.on = centering_of(kernel);
    if (traits_.adds)
      sources_ = grid_.relative(grid_.domain(centering_of(kernel)));
    if (kernel.order.is_on)
      axis_of_order_ = axis_of_order(kernel);
    if (axis_of_order_ == 2)
      run_.order = kernel.order.is_backward ? place_order::backward : place_order::forward;
  }

  void compute() {
    if (!can_go_by_planes())
      compute_rows(call_.where);
    else if (traits_.is_by_place)
      compute_by_place();
    else
      compute_planes(call_.where, false);
  }

private:
  /// True if rows side by side may be computed by one call of the body.
  bool can_go_by_planes() const {
    bool const has_fitting_colors =
        kernel_.num_colors <= 1 || (kernel_.num_colors == 2 && !traits_.is_by_place);
    bool const has_fitting_order =
        !kernel_.order.is_on || (!traits_.is_by_place && !is_backward_along(1));
    return recorder_ == nullptr && !traits_.adds && kernel_.mask.access < 0 && has_fitting_order &&
           has_fitting_colors && (traits_.is_ordered || kernel_.num_colors <= 1);
  }

  bool wraps() const { return std::ranges::find(grid_.periodic(), true) != grid_.periodic().end(); }

  /// How far from a place the next one of the call's color is, along a row.
  std::int64_t distance_to_color(index3 const& at) const {
    std::int64_t sum = 0;
    for (int a = 0; a < 3; ++a)
      sum += at[a] + grid_.first()[a];
    return floor_modulo(call_.color - sum, kernel_.num_colors);
  }

  /// Computes the rows of a box that are side by side by one call.
  /// @param is_inside  by_place(): all of them are in the box
  void compute_planes(box3 const& cells, bool is_inside) {
    bool const takes_place = is_inside ? traits_.takes_place_inside : traits_.takes_place;
    if (takes_place && wraps())
      return compute_rows(cells);
    if (cells.is_empty())
      return;
    run_.begin = static_cast<int>(cells.lo[2]);
    run_.end = static_cast<int>(cells.hi[2]);
    run_.num_rows = static_cast<int>(cells.extent(1));
    run_.is_inside = is_inside;
    if (kernel_.num_colors > 1)
      run_.order = place_order::every_second;
    for (std::int64_t plane = cells.lo[0]; plane < cells.hi[0]; ++plane) {
      run_.first = cells.lo;
      run_.first[0] = is_backward_along(0) ? cells.lo[0] + cells.hi[0] - 1 - plane : plane;
      if (takes_place)
        run_.row = row_at(grid_, run_.first, run_.begin);
      if (kernel_.num_colors > 1)
        run_.distance = static_cast<int>(distance_to_color(run_.first));
      body_.compute(run_);
    }
  }

  /// Computes the part of a tile that is in the box, and what is beside it axis by axis.
  void compute_by_place() {
    box3 inside = call_.where;
    for (int a = 0; a < 3; ++a) {
      box3 const& where = traits_.inside;
      if (grid_.is_periodic(a) && where.lo[a] <= 0 && where.hi[a] >= grid_.cells()[a])
        continue;
      if (grid_.is_periodic(a))
        return compute_rows(call_.where);
      inside.lo[a] = std::max(inside.lo[a], where.lo[a] - grid_.first()[a]);
      inside.hi[a] = std::min(inside.hi[a], where.hi[a] - grid_.first()[a]);
    }
    if (inside.is_empty())
      return compute_rows(call_.where);
    box3 part = call_.where;
    for (int a = 0; a < 3; ++a) {
      box3 beside = part;
      beside.hi[a] = inside.lo[a];
      compute_planes(beside, false);
      beside = part;
      beside.lo[a] = inside.hi[a];
      compute_planes(beside, false);
      part.lo[a] = inside.lo[a];
      part.hi[a] = inside.hi[a];
    }
    compute_planes(part, true);
  }

  /// Computes the rows of a box one after another, in the kernel's order.
  void compute_rows(box3 const& cells) {
    run_.num_rows = 1;
    for (index3 const& offset : kernel_.added)
      for_each_row(cells, [&](index3 first, std::int64_t end) {
        for (int a = 0; a < 2; ++a)
          if (is_backward_along(a))
            first[a] = cells.lo[a] + cells.hi[a] - 1 - first[a];
        compute_row(offset, first, end);
      });
  }

  /// Computes the places of a row from which an offset leads to those from `target` to before `end`.
  void compute_row(index3 const& offset, index3 const& target, std::int64_t end) {
    place_run& run = run_;
    for (int a = 0; a < 3; ++a)
      run.first[a] = target[a] - offset[a];
    run.added = offset;
    std::int64_t begin = run.first[2], stop = end - offset[2];
    if (traits_.adds && !is_in_sources(run.first, begin, stop))
      return;
    if (is_backward_along(2) && (kernel_.mask.access >= 0 || traits_.is_by_place))
      return compute_one_by_one(run, begin, stop);
    if (kernel_.mask.access < 0)
      return compute_run(run, begin, stop);
    for (std::int64_t from = find(run, begin, stop, true); from < stop;) {
      std::int64_t const end_of_run = find(run, from, stop, false);
      compute_run(run, from, end_of_run);
      from = find(run, end_of_run, stop, true);
    }
  }

  /// Leaves of a row what is in the domain. False if it is outside.
  bool is_in_sources(index3 const& first, std::int64_t& begin, std::int64_t& stop) const {
    for (int a = 0; a < 3; ++a) {
      if (grid_.is_periodic(a))
        continue;
      std::int64_t const lo = sources_.lo[a], hi = sources_.hi[a];
      if (a == 2) {
        begin = std::max(begin, lo);
        stop = std::min(stop, hi);
      } else if (first[a] < lo || first[a] >= hi) {
        return false;
      }
    }
    return true;
  }

  /// The first place from `from` on whose target the mask has, or has not, or `stop`.
  std::int64_t find(place_run const& run, std::int64_t from, std::int64_t stop, bool is_set) const {
    index3 target = run.first;
    for (int a = 0; a < 3; ++a)
      target[a] += run.added[a];
    std::int64_t const by = run.added[2];
    auto const& mask = call_.accesses[kernel_.mask.access];
    return kernel_.mask.find(mask, target, from + by, stop + by, is_set) - by;
  }

  /// Computes the places [begin, stop) of a row that the mask leaves, the last one first.
  void compute_one_by_one(place_run& run, std::int64_t begin, std::int64_t stop) {
    for (std::int64_t k = stop - 1; k >= begin; --k)
      if (kernel_.mask.access < 0 || find(run, k, k + 1, true) == k)
        compute_run(run, k, k + 1);
  }

  /// True if the places along an axis are computed from the last one to the first.
  bool is_backward_along(int axis) const {
    return axis_of_order_ == axis && kernel_.order.is_backward;
  }

  /// Computes the places [begin, stop) of a row, part by part where these differ in the kernel of
  /// by_place(), or in the period that they belong to.
  void compute_run(place_run& run, std::int64_t begin, std::int64_t stop) {
    while (begin < stop) {
      std::int64_t const end = std::min(stop, begin_part(run, begin, stop));
      compute_part(run, begin, end);
      begin = end;
    }
  }

  /// Sets what holds for the places from `k` on, and returns the end of those for which it holds.
  std::int64_t begin_part(place_run& run, std::int64_t k, std::int64_t stop) const {
    if (!traits_.is_by_place && !traits_.takes_place)
      return stop;
    run.row = row_at(grid_, run.first, k);
    index3 at = run.row;
    at[2] += k;
    std::int64_t end = grid_.is_periodic(2) ? k + grid_.cells()[2] - at[2] : stop;
    if (!traits_.is_by_place)
      return end;
    run.is_inside = traits_.inside.contains(at);
    for (std::int64_t const border : {traits_.inside.lo[2], traits_.inside.hi[2]})
      if (border > at[2])
        end = std::min(end, k + border - at[2]);
    return end;
  }

  /// Calls the kernel at the places [begin, end) of a row, or at those of the call's color.
  void compute_part(place_run& run, std::int64_t begin, std::int64_t end) {
    index3 at = run.first;
    at[2] = begin;
    std::int64_t const step = std::max(1, kernel_.num_colors);
    std::int64_t const distance = step > 1 ? distance_to_color(at) : 0;
    run.begin = static_cast<int>(begin);
    run.end = static_cast<int>(end);
    if (recorder_ != nullptr)
      return watch(run, run.begin + distance, run.end, step);
    if (step == 2 && traits_.is_ordered) {
      run.order = place_order::every_second;
      run.distance = static_cast<int>(distance);
      return body_.compute(run);
    }
    if (step > 1)
      return compute_places(run, begin + distance, end, step);
    body_.compute(run);
  }

  /// Calls the kernel at places `step` apart, by a call of the body for each.
  void compute_places(place_run& run, std::int64_t begin, std::int64_t end, std::int64_t step) {
    for (std::int64_t k = begin; k < end; k += step) {
      run.begin = static_cast<int>(k);
      run.end = run.begin + 1;
      body_.compute(run);
    }
  }

  /// Calls the kernel at places `step` apart, with each access compared to the declaration.
  void watch(place_run& run, std::int64_t begin, std::int64_t end, std::int64_t step) {
    for (std::int64_t n = begin; n < end; n += step) {
      run.begin = static_cast<int>(is_backward_along(2) ? begin + end - 1 - n : n);
      run.end = run.begin + 1;
      recorder_->begin_cell();
      body_.compute_watched(run, *recorder_);
      if (!traits_.adds)
        recorder_->require_written(index_at(grid_, run.first, run.begin));
    }
  }

  step_kernel const& kernel_;
  grid_space const& grid_;
  tile_call const& call_;
  kernel_body const& body_;
  body_traits const& traits_;
  step_recorder* recorder_ = nullptr; ///< in checked mode
  int axis_of_order_ = -1;            ///< of three; -1: in any order
  place_run run_;                     ///< what all runs of the tile have in common
  box3 sources_{}; ///< places at which a kernel that adds is called, relative to the block
};

/// Memory of a thread's own for a row of an argument that has no values there.
struct alignas(64) row_memory {
  std::byte bytes[64];
};

/// The arguments of a call; those without values at its places lie in memory that is not read again.
/// They last until the thread's next call.
bound_access const* with_rows_of_nowhere(step_kernel const& kernel, tile_call const& call) {
  thread_local std::vector<bound_access> accesses;
  thread_local std::vector<std::vector<row_memory>> rows;
  accesses.assign(call.accesses, call.accesses + kernel.accesses.size());
  rows.resize(std::max(rows.size(), accesses.size()));
  box3 const places = shift(call.where, grid_of(kernel).first());
  for (int a = 0; a < std::ssize(accesses); ++a) {
    step_access const& access = kernel.accesses[a];
    if (has_values_at(kernel, access, places))
      continue;
    std::int64_t const in_row = places.extent(2), bytes = access.element_bytes;
    auto const needed = in_row * access.count * bytes / std::int64_t{sizeof(row_memory)} + 1;
    rows[a].resize(std::max<std::size_t>(rows[a].size(), needed));
    accesses[a].read = accesses[a].write = rows[a].front().bytes - call.where.lo[2] * bytes;
    accesses[a].stride = {0, 0, 1};
    accesses[a].component_stride = in_row;
  }
  return accesses.data();
}

} // namespace

void kernel_body::compute(step_kernel const& kernel, step_call const& call) const {
  grid_space const& grid = grid_of(kernel);
  tile_call tile{grid.relative(call.places.box()),
                 grid.relative(call.computed.box()),
                 call.accesses,
                 call.worker,
                 call.counts,
                 call.pass,
                 call.step};
  carry_others(kernel, tile);
  if (tile.where.is_empty())
    return;
  if (kernel.writes_several_kinds)
    tile.accesses = with_rows_of_nowhere(kernel, tile);
  std::optional<finite_watch> watch;
  if (kernel.findings && tile.counts)
    watch.emplace(kernel, tile);
  tile_walk(*this, kernel, tile).compute();
  if (watch)
    watch->end();
}

void kernel_body::probe(step_kernel const& kernel, step_recorder& recorder) const {
  std::vector<bound_access> const nowhere(kernel.accesses.size());
  tile_call call;
  call.accesses = nowhere.data();
  call.counts = false;
  place_run run;
  run.arguments = kernel.arguments.data();
  run.call = &call;
  run.end = 1;
  run.space = &grid_of(kernel);
  run.on = centering_of(kernel);
  run.is_inside = traits.inside.contains(index3{});
  recorder.is_probe = true;
  for (int kernels = traits.is_by_place ? 2 : 1; kernels > 0; --kernels) {
    for (recorder.sample = 1; recorder.sample <= 3; ++recorder.sample) {
      recorder.begin_cell();
      compute_watched(run, recorder);
    }
    run.is_inside = !run.is_inside;
  }
}

} // namespace seam::detail
